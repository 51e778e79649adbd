import ProbeCore

extension NetworkPath {
  /// Whether the ways to the Internet are others than they were, so that what was found out about them is out of date.
  ///
  /// An interface that carries no traffic there, such as one to a container, changes nothing.
  func waysDiffer(from other: NetworkPath?) -> Bool {
    guard let other else { return true }
    return IPFamily.allCases.contains { way(of: $0) != other.way(of: $0) }
  }

  private struct Way: Equatable {
    let interface: Int
    let name: String
    let kind: InterfaceKind
    let source: IPAddress?
    let gateway: IPAddress?
  }

  private func way(of family: IPFamily) -> Way? {
    guard let route = internet[family], let interface = interface(for: family) else { return nil }
    return Way(
      interface: interface.index, name: interface.name, kind: interface.kind, source: route.source,
      gateway: route.gateway)
  }
}
