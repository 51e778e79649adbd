import ProbeCore
import Testing
import TestRequirements
import TestSupport

@testable import ProbeSystem

/// The actual kernel of this machine; every one has a loopback interface.
@Suite
struct KernelTests {
  @Test func interfacesAndAddressesAreListed() throws {
    let client = try NetlinkClient()
    let links = try client.dump(.links) { LinkMessage($0) }.entries
    let loopback = try #require(links.first { $0.flags.contains(.loopback) })
    #expect(loopback.name == "lo" && loopback.hardwareType == 772)
    // The same client, with one list after the other.
    let addresses = try client.dump(.addresses) { AddressMessage($0) }.entries
    guard loopback.flags.contains(.up) else { try skipTest("lo is down") }
    #expect(addresses.contains { $0.index == loopback.index && $0.address == IPAddress("127.0.0.1") })
  }

  @Test func onlyRoutesOfTheMainTableAreListed() throws {
    let client = try NetlinkClient()
    for family in IPFamily.allCases {
      let tables = try client.dump(.routes(family)) { RouteMessage($0)?.table }.entries
      #expect(Set(tables).isSubset(of: [RouteMessage.mainTable]))
    }
  }

  @Test func theRouteToTheOwnAddressIsLocal() throws {
    let client = try NetlinkClient()
    let way = try #require(try client.way(to: IPAddress(v4: 0x7F00_0001)))
    #expect(way.fate == .local)
  }

  @Test func aResponseTooLongForTheBufferIsLost()
    throws
  {
    let socket = try NetlinkSocket()
    try socket.send(NetlinkRequest.way(to: IPAddress(v4: 0x7F00_0001)).bytes(sequence: 7))
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(socket.receive(into: &buffer) == .lost)
  }
}
