import ProbeCore
import Testing

@testable import ConnectivityMonitor

@Suite
struct ReachabilityTests {
  private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  private static func interface(
    _ kind: InterfaceKind, isUp: Bool = true, isRunning: Bool = true, isPointToPoint: Bool = false,
    addresses: [(String, Int)] = [("192.168.1.7", 24)]
  ) throws -> NetworkInterface {
    NetworkInterface(
      index: 2, name: "if0", kind: kind, isUp: isUp, hasCarrier: isRunning, isRunning: isRunning,
      isPointToPoint: isPointToPoint,
      addresses: try addresses.map { InterfaceAddress(try address($0.0), prefixLength: $0.1) })
  }

  /// The flags, as text, for an address that is reached through the only interface.
  private func flags(
    to destination: String, by interface: NetworkInterface?, gateway: String? = nil, internet: String? = nil,
    isLocal: Bool = false, hasRoute: Bool = true
  ) throws -> Reachability {
    let address = try Self.address(destination)
    var path = NetworkPath(interfaces: [interface].compactMap { $0 })
    if let internet {
      let router = internet.isEmpty ? nil : try Self.address(internet)
      path.internet[.v4] = Route(to: try Self.address("198.41.0.4"), interface: 2, gateway: router)
    }
    let route = Route(
      to: address, interface: 2, source: nil, gateway: try gateway.map(Self.address), isLocal: isLocal)
    return ReachabilityTarget.address(address).reachability(on: path, addresses: nil) { _ in
      hasRoute ? route : nil
    }
  }

  @Test func neighborsAreDirectOverEthernet() throws {
    let ethernet = try Self.interface(.ethernet)
    let near = try flags(to: "192.168.1.9", by: ethernet, internet: "192.168.1.1")
    #expect(near.flags == [.reachable, .direct] && near.status == .reachable)
    let far = try flags(to: "192.0.2.9", by: ethernet, gateway: "192.168.1.1", internet: "192.168.1.1")
    #expect(far.flags == [.reachable, .isDefault])
    let other = try flags(to: "10.9.0.9", by: ethernet, gateway: "192.168.1.99", internet: "192.168.1.1")
    #expect(other.flags == [.reachable])
    #expect(other.description == "reachable via if0 by 192.168.1.99")
    // On the link because of a route, not an address.
    let onLink = try flags(to: "10.9.0.9", by: ethernet)
    #expect(onLink.flags == [.reachable, .direct])
  }

  @Test func theOwnAddressIsLocal() throws {
    let down = try Self.interface(.loopback, isUp: false, isRunning: false)
    let own = try flags(to: "127.0.0.1", by: down, isLocal: true)
    #expect(own.flags == [.reachable, .local] && own.description == "reachable local via if0")
  }

  @Test func wiFiCellularAndTunnelsHaveTheirFlags() throws {
    let wifi = try flags(
      to: "192.0.2.9", by: Self.interface(.wifi), gateway: "192.168.1.1", internet: "192.168.1.1")
    #expect(wifi.isReachableViaWiFi && !wifi.isReachableViaCellular && wifi.status == .reachableViaWiFi)
    #expect(wifi.description == "reachable isDefault viaWiFi via if0 by 192.168.1.1")
    let cellular = try flags(
      to: "192.0.2.9", by: Self.interface(.cellular, addresses: [("10.64.0.2", 30)]), internet: "")
    #expect(cellular.flags == [.reachable, .isDefault, .transient, .viaCellular])
    #expect(cellular.isReachableViaCellular && cellular.status == .reachableViaCellular)
    let tunnel = try Self.interface(.vpn, isPointToPoint: true, addresses: [("10.8.0.2", 24)])
    let behind = try flags(to: "192.0.2.9", by: tunnel, internet: "")
    #expect(behind.flags == [.reachable, .isDefault, .transient] && behind.status == .reachable)
    #expect(try flags(to: "10.8.0.1", by: tunnel).flags == [.reachable, .direct, .transient])
  }

  @Test
  func withoutARouteTheFlagsSayWhatIsRequired() throws {
    // A route over a link without a carrier is not usable.
    let unplugged = try flags(to: "192.0.2.9", by: Self.interface(.ethernet, isRunning: false))
    #expect(unplugged.flags == [] && unplugged.interface == nil && unplugged.route == nil)
    #expect(unplugged.description == "unreachable" && unplugged.status == .notReachable)
    for kind in [InterfaceKind.wifi, .cellular, .bluetooth] {
      let idle = try flags(to: "192.0.2.9", by: Self.interface(kind, isRunning: false), hasRoute: false)
      #expect(idle.flags == .connectionRequired && idle.isConnectionRequired && !idle.isInterventionRequired)
    }
    let modem = try Self.interface(.other, isRunning: false, isPointToPoint: true)
    #expect(try flags(to: "192.0.2.9", by: modem, hasRoute: false).isConnectionRequired)
    for kind in [InterfaceKind.wifi, .cellular, .ethernet] {
      let off = try flags(
        to: "192.0.2.9", by: Self.interface(kind, isUp: false, isRunning: false), hasRoute: false)
      #expect(off.isInterventionRequired && off.isConnectionRequired && !off.isReachable)
      #expect(off.description == "unreachable connectionRequired interventionRequired")
    }
    // An interface without its own link does not have to be switched on.
    let bridge = try Self.interface(.virtual, isUp: false, isRunning: false)
    #expect(try flags(to: "192.0.2.9", by: bridge, hasRoute: false).flags == [])
    #expect(try flags(to: "192.0.2.9", by: nil).flags == [])
  }

  @Test func connectionsAreNeverOnDemand() throws {
    #expect(try !flags(to: "192.0.2.9", by: Self.interface(.cellular)).isConnectionOnDemand)
    #expect(!Reachability.undetermined.isConnectionOnDemand)
  }

  @Test
  func onlyWiFiCountsAsLocalWiFi() throws {
    func status(_ interfaces: NetworkInterface...) -> ReachabilityStatus {
      ReachabilityTarget.localWiFi.reachability(
        on: NetworkPath(interfaces: interfaces), addresses: nil, route: { _ in nil }
      ).status
    }
    #expect(status() == .notReachable)
    #expect(try status(Self.interface(.cellular), Self.interface(.ethernet)) == .notReachable)
    #expect(try status(Self.interface(.wifi)) == .reachableViaWiFi)
    // Without a DHCP server it has assigned an address to itself; there is no route to the Internet.
    #expect(try status(Self.interface(.wifi, addresses: [("169.254.3.4", 16)])) == .reachableViaWiFi)
    #expect(try status(Self.interface(.wifi, addresses: [])) == .notReachable)
    #expect(try status(Self.interface(.wifi, isRunning: false)) == .notReachable)
    #expect(Reachability.undetermined.status == .indeterminate)
  }

  @Test func oneFamilyWithARouteIsEnough() throws {
    let address = try Self.address("2001:503:ba3e::2:30")
    let path = NetworkPath(
      interfaces: [try Self.interface(.wifi)],
      internet: [.v6: Route(to: address, interface: 2, gateway: try Self.address("fe80::1"))])
    let found = ReachabilityTarget.internet.reachability(on: path, addresses: nil, route: { _ in nil })
    #expect(found.flags == [.reachable, .isDefault, .viaWiFi])
    #expect(
      ReachabilityTarget.internet.reachability(on: NetworkPath(), addresses: nil, route: { _ in nil }).flags
        == [])
  }

  @Test func theFirstAddressWithARouteCounts() throws {
    let (six, four) = (try Self.address("2001:db8::9"), try Self.address("192.168.1.9"))
    let path = NetworkPath(interfaces: [try Self.interface(.ethernet)])
    let target = ReachabilityTarget.host("server.example")
    #expect(target.hostName == "server.example")
    let found = target.reachability(on: path, addresses: [six, four]) { address in
      address == four ? Route(to: address, interface: 2) : nil
    }
    #expect(found.route?.destination == four && found.addresses == [six, four] && found.isReachable)
    #expect(target.reachability(on: path, addresses: nil, route: { _ in nil }) == .undetermined)
    let none = target.reachability(on: path, addresses: [], route: { _ in nil })
    #expect(none.isDetermined && !none.isReachable)
  }

  @Test(arguments: ["192.168.1.9", "2001:db8::9", "[2001:db8::9]"])
  func aHostThatIsAnAddressNeedsNoLookup(_ text: String) throws {
    let target = ReachabilityTarget.host(text)
    #expect(target.hostName == nil)
    let path = NetworkPath(interfaces: [try Self.interface(.ethernet)])
    let found = target.reachability(on: path, addresses: nil) { Route(to: $0, interface: 2) }
    #expect(found.isReachable && found.addresses.isEmpty)
  }

  @Test func theUndeterminedStateIsNotReachable() {
    #expect(Reachability.undetermined.description == "undetermined")
    #expect(!Reachability.undetermined.isDetermined && !Reachability.undetermined.isReachable)
  }

  @Test func eachFlagHasAWord() {
    #expect(ReachabilityFlags.words.map(\.flag.rawValue) == (0..<10).map { 1 << $0 })
    #expect(ReachabilityFlags([.direct, .reachable, .local]).description == "reachable direct local")
  }
}
