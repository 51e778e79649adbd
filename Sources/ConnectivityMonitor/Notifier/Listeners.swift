import Locking

/// Those who listen to something, each at a pace of its own.
///
/// Each listener has room for one element, the newest: a slow one misses those between, and holds up nobody.
final class Listeners<Element: Sendable>: Sendable {
  private struct State {
    var nextID = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let state = Guarded(State())

  /// Nobody yet.
  init() {}

  /// A listener more.
  ///
  /// - Parameter left: Called once when it listens no more, unless ``finish()`` came before.
  /// - Returns: What it hears.
  func add(left: @escaping @Sendable () -> Void) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextID += 1
      state.continuations[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [self] _ in
      if state.withLock({ $0.continuations.removeValue(forKey: id) }) != nil { left() }
    }
    return stream
  }

  /// Tells everyone.
  func send(_ element: Element) {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(element) }
  }

  /// Tells everyone that no more comes.
  func finish() {
    let all = state.withLock { state in
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    for continuation in all { continuation.finish() }
  }
}
