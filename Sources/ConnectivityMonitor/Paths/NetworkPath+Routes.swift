import ProbeCore

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
