import Testing

@testable import ProbeNetlink

@Suite
struct NetlinkErrorTests {
  @Test
  func anErrorNamesTheFailedAction() {
    #expect(NetlinkError("open a netlink socket", systemCode: 1).action == "open a netlink socket")
  }
}
