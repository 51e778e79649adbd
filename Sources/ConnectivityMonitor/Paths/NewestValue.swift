internal import Locking

/// The newest value, and those who want to be told of each.
final class NewestValue<Value: Sendable & Equatable>: Sendable {
  private struct State: Sendable {
    var value: Value
    var isOpen = true
    var nextID = 0
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state: Guarded<State>

  /// - Parameter value: The first value.
  init(_ value: Value) {
    state = Guarded(State(value: value))
  }

  /// The newest value.
  var value: Value { state.withLock(\.value) }

  /// How many listen.
  var listenerCount: Int { state.withLock(\.listeners.count) }

  /// The value now, and each one that is published.
  ///
  /// - Parameters:
  ///   - source: Kept alive until nobody listens to this any more.
  ///   - whenDone: Called then.
  /// - Returns: A stream that keeps the newest value only for a slow reader.
  func changes(
    keeping source: some AnyObject & Sendable, whenDone: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      // Under the lock, so that no newer value comes before this one.
      continuation.yield(state.value)
      guard state.isOpen else { return nil }
      state.nextID += 1
      state.listeners[state.nextID] = continuation
      return state.nextID
    }
    // The handler goes once it has been called, which happens when the stream or its reader goes, or the stream ends.
    continuation.onTermination = { [self] _ in
      if let id { remove(id) }
      whenDone()
      withExtendedLifetime(source) {}
    }
    if id == nil { continuation.finish() }
    return stream
  }

  /// Publishes a value, unless it is the newest already.
  func publish(_ value: Value) {
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      // Nothing of a listener's own runs here.
      for listener in state.listeners.values { listener.yield(value) }
    }
  }

  /// Ends all streams.
  func finish() {
    let listeners = state.withLock { state in
      state.isOpen = false
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  private func remove(_ id: Int) {
    // Let go of outside the lock.
    let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
    withExtendedLifetime(listener) {}
  }
}
