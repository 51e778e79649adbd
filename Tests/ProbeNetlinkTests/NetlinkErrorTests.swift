import Testing

@testable import ProbeNetlink

@Suite("Netlink errors")
struct NetlinkErrorTests {
  @Test("keep what was tried")
  func action() {
    #expect(NetlinkError("open a netlink socket", systemCode: 1).action == "open a netlink socket")
  }
}
