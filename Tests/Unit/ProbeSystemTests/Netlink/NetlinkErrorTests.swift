import Testing

@testable import ProbeSystem

@Suite
struct NetlinkErrorTests {
  @Test
  func anErrorNamesTheFailedAction() {
    #expect(NetlinkError("open a netlink socket", systemCode: 1).action == "open a netlink socket")
  }
}
