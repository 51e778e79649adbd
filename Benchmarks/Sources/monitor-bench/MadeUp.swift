import ConnectivityMonitor
import ProbeCore
import Synchronization

/// A clock on which every sleep ends at once and advances the time by its duration.
final class EagerClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time = Mutex(Duration.zero)

  var now: Instant { Instant(offset: time.withLock(\.self)) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline.offset) }
    await Task.yield()
  }
}

/// A transport that responds with 204 at once, and reports when it has done so for a number of times.
final class InstantTransport: ProbeTransport {
  let schemes: [URLScheme: Encryption] = [.https: .encrypted]
  private let left: Atomic<Int>
  private let done: AsyncStream<Void>.Continuation
  /// Ends after the last response.
  let finished: AsyncStream<Void>

  init(_ count: Int) {
    left = Atomic(count)
    (finished, done) = AsyncStream.makeStream(of: Void.self)
  }

  func probe(_ request: ProbeRequest) async throws(ProbeFailure) -> ProbeResponse {
    if left.subtract(1, ordering: .relaxed).newValue == 0 { done.finish() }
    return ProbeResponse(
      url: request.url, head: HTTPResponseHead(status: 204), timings: ProbeTimings(total: .milliseconds(1)))
  }
}

/// Interfaces and routes that change on request.
final class ChangingPaths: PathSource {
  private let state = Mutex((path: ChangingPaths.path(over: .wifi), listeners: [Listener]()))
  private typealias Listener = AsyncStream<NetworkPath>.Continuation

  var path: NetworkPath { state.withLock(\.path) }

  func changes() -> AsyncStream<NetworkPath> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.listeners.append(continuation) }
    return stream
  }

  func route(to destination: IPAddress) throws(PathFailure) -> Route? { path.internet[destination.family] }

  func change(to path: NetworkPath) {
    let listeners = state.withLock { state in
      state.path = path
      return state.listeners
    }
    for listener in listeners { listener.yield(path) }
  }

  static func path(over kind: InterfaceKind) -> NetworkPath {
    NetworkPath(
      interfaces: [NetworkInterface(index: kind == .wifi ? 2 : 3, name: "\(kind)", kind: kind)],
      internet: [.v4: Route(to: IPAddress(v4: 0xC629_0004), interface: kind == .wifi ? 2 : 3)])
  }
}
