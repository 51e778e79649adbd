public import ProbeCore

/// A snapshot of this machine's interfaces and its routes to the Internet.
public struct NetworkPath: Hashable, Sendable {
  /// The interfaces, ordered by index.
  public var interfaces: [NetworkInterface]
  /// The default routes of the main table, grouped by family, in the kernel's order of preference.
  public var defaultRoutes: [DefaultRoute]
  /// The route to the Internet that the kernel would choose for each family; no entry where there is none.
  ///
  /// This accounts for what default routes alone do not show: rules, several tables, and the pairs of half
  /// routes with which tunnels take precedence over a default route. A route over an interface that cannot
  /// carry traffic is omitted.
  public var internet: [IPFamily: Route]

  /// A path.
  public init(
    interfaces: [NetworkInterface] = [], defaultRoutes: [DefaultRoute] = [],
    internet: [IPFamily: Route] = [:]
  ) {
    self.interfaces = interfaces
    self.defaultRoutes = defaultRoutes
    self.internet = internet
  }

  /// The interface with this index.
  public func interface(_ index: Int) -> NetworkInterface? {
    interfaces.first { $0.index == index }
  }

  /// The interface for traffic of this family to the Internet; nil if there is no route, or its link is down.
  public func interface(for family: IPFamily) -> NetworkInterface? {
    guard let route = internet[family], let interface = interface(route.interface), interface.isRunning
    else { return nil }
    return interface
  }

  /// The interface for traffic to the Internet, that of IPv4 if both families have a route; nil for none.
  public var currentInterface: NetworkInterface? { interface(for: .v4) ?? interface(for: .v6) }

  /// The interfaces that can carry traffic, except loopback, ordered by index.
  public var availableInterfaces: [NetworkInterface] {
    interfaces.filter { $0.isRunning && $0.kind != .loopback }
  }
}

/// A route for every destination of a family that has no more specific route.
public struct DefaultRoute: Hashable, Sendable {
  /// The family.
  public var family: IPFamily
  /// The index of the outgoing interface.
  public var interface: Int
  /// The next hop, or nil for a link without one.
  public var gateway: IPAddress?
  /// The metric; a lower one is preferred.
  public var metric: Int

  /// A default route.
  public init(_ family: IPFamily, interface: Int, gateway: IPAddress? = nil, metric: Int = 0) {
    self.family = family
    self.interface = interface
    self.gateway = gateway
    self.metric = metric
  }
}

/// The route that the kernel uses to one destination.
public struct Route: Hashable, Sendable {
  /// The destination of the lookup.
  public var destination: IPAddress
  /// The index of the outgoing interface.
  public var interface: Int
  /// The source address of traffic, or nil if the kernel names none.
  public var source: IPAddress?
  /// The next hop, or nil if the destination is on the link itself.
  public var gateway: IPAddress?
  /// Whether the destination is this machine itself.
  public var isLocal: Bool

  /// A route.
  public init(
    to destination: IPAddress, interface: Int, source: IPAddress? = nil, gateway: IPAddress? = nil,
    isLocal: Bool = false
  ) {
    self.destination = destination
    self.interface = interface
    self.source = source
    self.gateway = gateway
    self.isLocal = isLocal
  }
}

extension NetworkPath {
  /// Whether the routes to the Internet have changed, so that earlier results no longer apply.
  ///
  /// An interface that carries no traffic there, such as one to a container, makes no difference.
  func routesDiffer(from other: NetworkPath?) -> Bool {
    guard let other else { return true }
    return IPFamily.allCases.contains { usedRoute(of: $0) != other.usedRoute(of: $0) }
  }

  private struct UsedRoute: Equatable {
    let interface: Int
    let name: String
    let kind: InterfaceKind
    let source: IPAddress?
    let gateway: IPAddress?
  }

  private func usedRoute(of family: IPFamily) -> UsedRoute? {
    guard let route = internet[family], let interface = interface(for: family) else { return nil }
    return UsedRoute(
      interface: interface.index, name: interface.name, kind: interface.kind, source: route.source,
      gateway: route.gateway)
  }
}

/// A source of this machine's interfaces and routes: ``PathMonitor`` on Linux, or a test double.
public protocol PathSource: Sendable {
  /// The current path.
  var path: NetworkPath { get }

  /// The current path, and then each change of it.
  ///
  /// A slow reader receives the newest path and misses those in between. The sequence ends when the source
  /// does; reading it keeps the source alive. Once the last reader is gone, everything the sequence used is
  /// released.
  func changes() -> AsyncStream<NetworkPath>

  /// The route that the kernel would use to a destination, or nil if there is none.
  ///
  /// Nothing is sent.
  ///
  /// - Throws: ``PathFailure`` if the kernel cannot be queried.
  func route(to destination: IPAddress) throws(PathFailure) -> Route?
}

/// The reason why interfaces and routes are unavailable.
public struct PathFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error message: one line, safe to print.
  public var description: String
  /// The system's error number, or nil if there is none.
  public var systemCode: Int32?

  /// A failure.
  public init(_ description: String, systemCode: Int32? = nil) {
    self.description = description
    self.systemCode = systemCode
  }
}
