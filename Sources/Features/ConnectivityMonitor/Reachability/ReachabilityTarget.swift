public import ProbeCore

/// A target whose reachability can be monitored.
public enum ReachabilityTarget: Hashable, Sendable {
  /// A host by its name, which is resolved; an address written as text is used as is, and never looked up.
  case host(String)
  /// An address.
  case address(IPAddress)
  /// The Internet in general: ``NetworkPath/internet``.
  case internet
  /// A Wi-Fi network, with or without Internet access; no other kind of interface counts.
  case localWiFi
}

extension ReachabilityTarget {
  /// The name to resolve, or nil if there is none.
  var hostName: String? {
    if case .host(let name) = self, Self.address(written: name) == nil { name } else { nil }
  }

  /// The address in a text, with or without the brackets of a URL's host.
  private static func address(written text: String) -> IPAddress? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return IPAddress(text) }
    return IPAddress(text.dropFirst().dropLast()).flatMap { $0.family == .v6 ? $0 : nil }
  }

  /// Whether the target can be reached; has no effect other than querying routes.
  ///
  /// - Parameters:
  ///   - path: Interfaces and routes.
  ///   - addresses: The addresses of the host's name, or nil while they are unknown.
  ///   - route: Returns the kernel's route to an address, or nil for none.
  /// - Returns: The reachability.
  /// - Throws: Any error of `route`.
  func reachability<Failure: Error>(
    on path: NetworkPath, addresses: [IPAddress]?, route: (IPAddress) throws(Failure) -> Route?
  ) throws(Failure) -> Reachability {
    switch self {
    case .localWiFi: return path.localWiFi
    case .internet: return path.first(IPFamily.allCases.compactMap { path.internet[$0] })
    case .address(let address): return path.first([try route(address)].compactMap { $0 })
    case .host(let name):
      if let address = Self.address(written: name) {
        return try Self.address(address).reachability(on: path, addresses: nil, route: route)
      }
      guard let addresses else { return .undetermined }
      var routes: [Route] = []
      for address in addresses {
        if let route = try route(address) { routes.append(route) }
      }
      var reachability = path.first(routes)
      reachability.addresses = addresses
      return reachability
    }
  }
}

extension NetworkPath {
  /// The reachability by the first of these routes that can carry traffic.
  fileprivate func first(_ routes: [Route]) -> Reachability {
    for route in routes {
      guard let interface = interface(route.interface), interface.isRunning || route.isLocal else { continue }
      return Reachability(flags: flags(of: route, by: interface), route: route, interface: interface)
    }
    return Reachability(flags: waiting(interfaces))
  }

  private func flags(of route: Route, by interface: NetworkInterface) -> ReachabilityFlags {
    guard !route.isLocal else { return [.reachable, .local] }
    var flags = ReachabilityFlags.reachable
    let isNear = interface.addresses.contains { $0.isNeighbour(route.destination) }
    // A tunnel has no gateway, but the networks behind it are not on a link.
    if route.gateway == nil, isNear || !interface.isTransient { flags.insert(.direct) }
    if let internet = internet[route.destination.family], internet.interface == route.interface,
      internet.gateway == route.gateway
    {
      flags.insert(.isDefault)
    }
    if interface.isTransient { flags.insert(.transient) }
    if interface.kind == .wifi { flags.insert(.viaWiFi) }
    if interface.kind == .cellular { flags.insert(.viaCellular) }
    return flags
  }

  /// The flags for what is required before there is a usable route.
  private func waiting(_ links: [NetworkInterface]) -> ReachabilityFlags {
    let real = links.filter { $0.kind.isReal || $0.isTransient }
    if real.contains(where: { $0.isUp && !$0.isRunning && $0.isConnectedByWill }) {
      return .connectionRequired
    }
    return !real.isEmpty && real.allSatisfy { !$0.isUp } ? [.connectionRequired, .interventionRequired] : []
  }

  /// Whether a Wi-Fi interface has a network: its link is established and it has an address, even a
  /// self-assigned one.
  ///
  /// No route is queried: an interface always has one to its own network.
  fileprivate var localWiFi: Reachability {
    let radios = interfaces.filter { $0.kind == .wifi }
    for radio in radios where radio.isRunning {
      guard let address = radio.addresses.first(where: \.isUsable)?.address else { continue }
      return Reachability(
        flags: [.reachable, .direct, .viaWiFi],
        route: Route(to: address, interface: radio.index, source: address), interface: radio)
    }
    return Reachability(flags: waiting(radios))
  }
}

extension NetworkInterface {
  /// Whether the link is a temporary one.
  fileprivate var isTransient: Bool { isPointToPoint || kind == .vpn || kind == .cellular }

  /// Whether establishing its link takes more than a cable.
  fileprivate var isConnectedByWill: Bool { isTransient || kind == .wifi || kind == .bluetooth }
}

extension InterfaceKind {
  /// Whether the interface itself connects to the outside of this machine.
  fileprivate var isReal: Bool {
    switch self {
    case .ethernet, .wifi, .cellular, .bluetooth: true
    case .vpn, .virtual, .loopback, .other: false
    }
  }
}

extension InterfaceAddress {
  /// Whether an address is in the same network.
  fileprivate func isNeighbour(_ other: IPAddress) -> Bool {
    let free = (address.family == .v4 ? 32 : 128) - prefixLength
    return other.family == address.family && other.bits >> free == address.bits >> free
  }
}
