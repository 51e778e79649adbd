import FixtureReplay
import ProbeCore
import Testing

@testable import ReplayNetwork

/// The network of a gateway, from its text to the addresses of its clients.
@Suite struct GatewayNetworkTests {
  @Test(arguments: [
    ("10.97.0.1/24", "10.97.0.2", "10.97.0.254"),
    ("10.97.0.254/24", "10.97.0.1", "10.97.0.253"),
    // The larger range beside the gateway's address.
    ("10.97.0.200/24", "10.97.0.1", "10.97.0.199"),
    ("192.168.7.9/29", "192.168.7.10", "192.168.7.14"),
    ("10.0.0.1/8", "10.0.0.2", "10.255.255.254"),
  ])
  func clientsGetTheLargerRangeBesideTheGateway(text: String, first: String, last: String) throws {
    let network = try GatewayNetwork(text)
    #expect(network.description == text)
    #expect(network.clients.first.description == first)
    #expect(network.clients.last.description == last)
    #expect(network.contains(network.clients.first))
  }

  @Test(arguments: [
    "", "10.97.0.1", "10.97.0.1/", "10.97.0.1/30", "10.97.0.1/7", "10.97.0.1/024", "10.97.0/24", "::1/24",
    "10.97.0.1/24/24", "10.97.0.1/ 24", "10.97.0.1/-24",
  ])
  func anInvalidNetworkIsRefusedWithAnExample(text: String) {
    let error = #expect(throws: InvalidInput.self) { try GatewayNetwork(text) }
    #expect(error?.remedy == "write it as 10.97.0.1/24")
  }

  @Test(arguments: ["10.97.0.0/24", "10.97.0.255/24", "10.97.0.8/29", "10.97.0.15/29"])
  func theFirstAndLastAddressAreNotHosts(text: String) {
    let error = #expect(throws: InvalidInput.self) { try GatewayNetwork(text) }
    #expect(error?.message.contains("first or last address") == true)
  }

  /// Otherwise clients would reach the services of this machine until their traffic is redirected, and after that.
  @Test func theInterfaceIsClosedFirstAndLast() throws {
    let gateway = Gateway(
      interface: GatewayInterface(name: "eth1", isUp: false, network: nil),
      table: try #require(InterfaceTable("eth1")), network: .usual, announcement: nil,
      processFile: "/run/x.pid")
    var rules = try #require(
      RedirectRules(
        interface: "eth1", targets: RedirectTargets(dns: 1, http: 2, https: 3, tcp: 4, other: 5)))
    rules.address = gateway.network.address
    let changes = gateway.changesForAddress + gateway.changesForClients(rules)
    let open = try #require(changes.firstIndex { $0.apply.contains("link set") })
    let closed = try #require(changes.firstIndex { $0.apply.contains("iifname \"eth1\" drop") })
    #expect(closed < open)
    // They are undone in reverse order.
    #expect(changes.firstIndex { $0.undo.contains("delete table") } == closed)
    #expect(changes.lastIndex { $0.undo.contains("delete table") } == closed)
  }

  @Test func anInterfaceNetworkMustBeIPv4WithRoomForClients() throws {
    let address = try #require(IPAddress("10.97.0.1"))
    #expect(GatewayNetwork(address, prefixLength: 32) == nil)
    #expect(GatewayNetwork(address, prefixLength: 30) == nil)
    #expect(GatewayNetwork(try #require(IPAddress("fd00::1")), prefixLength: 24) == nil)
    #expect(GatewayNetwork(address, prefixLength: 24) == .usual)
  }
}
