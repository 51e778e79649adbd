import ConnectivityMonitor
import ProbeBase
import ProbeCore

/// Simulated interfaces and routes that change on request.
final class RandomPaths: PathSource {
  private struct State {
    var path: NetworkPath
    var nextID = 0
    var continuations: [Int: AsyncStream<NetworkPath>.Continuation] = [:]
  }

  private let state: Guarded<State>

  init(_ path: NetworkPath) {
    state = Guarded(State(path: path))
  }

  var path: NetworkPath { state.withLock(\.path) }

  /// The number of listeners.
  var listeners: Int { state.withLock(\.continuations.count) }

  func changes() -> AsyncStream<NetworkPath> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextID += 1
      state.continuations[state.nextID] = continuation
      continuation.yield(state.path)
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
    }
    return stream
  }

  func route(to destination: IPAddress) throws(PathFailure) -> Route? { path.internet[destination.family] }

  /// Changes the network.
  func change(to path: NetworkPath) {
    let continuations = state.withLock { state in
      state.path = path
      return state.continuations.values.map(\.self)
    }
    // Not under the lock, which is also taken when a listener is cancelled.
    for continuation in continuations { continuation.yield(path) }
  }
}

extension NetworkPath {
  /// A machine with a route to the Internet over one interface, or without one.
  ///
  /// - Parameters:
  ///   - kind: The kind of the interface, or nil for a machine without a route.
  ///   - mark: Part of a unique name in the path, by which its origin can be identified later.
  ///   - number: Distinguishes paths of the same kind.
  init(over kind: InterfaceKind?, mark: Int, number: Int = 0) {
    let loopback = NetworkInterface(index: 1, name: "mark\(mark)", kind: .loopback)
    guard let kind else {
      self.init(interfaces: [loopback])
      return
    }
    let address = IPAddress(v4: 0xC000_0202)
    let gateway = IPAddress(v4: 0xC000_0201)
    let interface = NetworkInterface(
      index: 2 + number, name: "if\(number)", kind: kind,
      addresses: [InterfaceAddress(address, prefixLength: 24)])
    self.init(
      interfaces: [loopback, interface],
      defaultRoutes: [DefaultRoute(.v4, interface: interface.index, gateway: gateway)],
      internet: [
        .v4: Route(
          to: IPAddress(v4: 0xC629_0004), interface: interface.index, source: address, gateway: gateway)
      ])
  }

  /// The mark of this path.
  var mark: Int? {
    interfaces.first { $0.name.hasPrefix("mark") }.flatMap { Int($0.name.dropFirst(4)) }
  }
}
