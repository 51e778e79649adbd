public import ProbeCore

/// This machine's interfaces and its ways to the Internet, as they were at one moment.
public struct NetworkPath: Hashable, Sendable {
  /// The interfaces in the order of their numbers.
  public var interfaces: [NetworkInterface]
  /// The default routes of the main table, by family and then as the kernel prefers them.
  public var defaultRoutes: [DefaultRoute]
  /// By family, the way that the kernel itself would take to the Internet in general; no entry where there is none.
  ///
  /// This knows what default routes alone do not tell: rules, several tables, and the pairs of half routes by which
  /// tunnels go ahead of a default route. A way by an interface over which no traffic can pass is none.
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

  /// The interface with this number.
  public func interface(_ index: Int) -> NetworkInterface? {
    interfaces.first { $0.index == index }
  }

  /// The interface by which a family's traffic goes to the Internet; nil when there is no way, or its link is down.
  public func interface(for family: IPFamily) -> NetworkInterface? {
    guard let route = internet[family], let interface = interface(route.interface), interface.isRunning
    else { return nil }
    return interface
  }

  /// The interface by which traffic goes to the Internet, by IPv4 where both families have a way; nil for none.
  public var currentInterface: NetworkInterface? { interface(for: .v4) ?? interface(for: .v6) }

  /// The interfaces by which traffic can pass, loopback excepted, in the order of their numbers.
  public var availableInterfaces: [NetworkInterface] {
    interfaces.filter { $0.isRunning && $0.kind != .loopback }
  }
}

/// A route for every destination of a family that no other route knows.
public struct DefaultRoute: Hashable, Sendable {
  /// The family.
  public var family: IPFamily
  /// The number of the interface it leads out by.
  public var interface: Int
  /// The next hop, or nil for a link without one.
  public var gateway: IPAddress?
  /// The less, the better.
  public var metric: Int

  /// A default route.
  public init(_ family: IPFamily, interface: Int, gateway: IPAddress? = nil, metric: Int = 0) {
    self.family = family
    self.interface = interface
    self.gateway = gateway
    self.metric = metric
  }
}

/// The way that the kernel takes to one destination.
public struct Route: Hashable, Sendable {
  /// The destination that was asked for.
  public var destination: IPAddress
  /// The number of the interface it leads out by.
  public var interface: Int
  /// The address that traffic has as its source, or nil when the kernel names none.
  public var source: IPAddress?
  /// The next hop, or nil when the destination is on the link itself.
  public var gateway: IPAddress?
  /// Whether the destination is this machine itself.
  public var isLocal: Bool

  /// A way.
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
  /// Whether the routes to the Internet are others than they were, so that what was found out about them is out of date.
  ///
  /// An interface that carries no traffic there, such as one to a container, changes nothing.
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

/// What tells of this machine's interfaces and routes: ``PathMonitor`` on Linux, something made up in a test.
public protocol PathSource: Sendable {
  /// The path as it is now.
  var path: NetworkPath { get }

  /// The path now, and then each change of it.
  ///
  /// A slow reader gets the newest path and misses those between. The sequence ends when the source does; reading it
  /// keeps the source alive. Nothing is left behind once nobody reads it any more.
  func changes() -> AsyncStream<NetworkPath>

  /// The way that the kernel would take to a destination, or nil when there is none.
  ///
  /// Nothing is sent.
  ///
  /// - Throws: ``PathFailure`` when the kernel cannot be asked.
  func route(to destination: IPAddress) throws(PathFailure) -> Route?
}

/// Why nothing can be told of interfaces and routes.
public struct PathFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, in words: one line, safe to print.
  public var description: String
  /// The system's error number, or nil where there is none.
  public var systemCode: Int32?

  /// A failure.
  public init(_ description: String, systemCode: Int32? = nil) {
    self.description = description
    self.systemCode = systemCode
  }
}
