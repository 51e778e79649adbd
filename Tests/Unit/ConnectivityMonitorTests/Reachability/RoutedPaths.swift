import ConnectivityMonitor
import ProbeBase
import ProbeCore

/// Simulated interfaces and routes.
final class RoutedPaths: PathSource {
  private struct State: Sendable {
    var path: NetworkPath
    var routes: [IPAddress: Route]
    var failure: PathFailure?
    var nextID = 0
    var listeners: [Int: AsyncStream<NetworkPath>.Continuation] = [:]
  }

  private let state: Guarded<State>

  init(_ path: NetworkPath = NetworkPath(), routes: [Route] = []) {
    state = Guarded(
      State(path: path, routes: Dictionary(routes.map { ($0.destination, $0) }) { first, _ in first }))
  }

  var path: NetworkPath { state.withLock(\.path) }

  /// The number of listeners.
  var listenerCount: Int { state.withLock(\.listeners.count) }

  func changes() -> AsyncStream<NetworkPath> {
    let (stream, continuation) = AsyncStream<NetworkPath>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      continuation.yield(state.path)
      state.nextID += 1
      state.listeners[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [self] _ in
      _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  func route(to destination: IPAddress) throws(PathFailure) -> Route? {
    let (route, failure) = state.withLock { ($0.routes[destination], $0.failure) }
    if let failure { throw failure }
    return route
  }

  /// Changes interfaces and routes.
  func change(_ path: NetworkPath, routes: [Route] = []) {
    let listeners = state.withLock { state in
      state.path = path
      state.routes = Dictionary(routes.map { ($0.destination, $0) }) { first, _ in first }
      return state.listeners.values.map(\.self)
    }
    // Not under the lock, which is also taken when a listener is cancelled.
    for listener in listeners { listener.yield(path) }
  }

  /// Makes every route query fail.
  func fail(_ failure: PathFailure) { state.withLock { $0.failure = failure } }
}
