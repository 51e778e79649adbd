internal import ProbeBase

/// The newest value, and the listeners that receive each one.
///
/// Listeners are never notified under the lock. A waiting listener is a task to be woken, and the runtime
/// locks that task; cancelling it holds the same lock while its stream ends, which needs the lock here.
final class ValueBroadcaster<Value: Sendable & Equatable>: Sendable {
  private struct Listener: Sendable {
    let continuation: AsyncStream<Value>.Continuation
    /// The number of the value that it received last.
    var lastReported: Int
  }

  private struct State: Sendable {
    var value: Value
    /// The number of published values.
    var number = 0
    var isOpen = true
    var nextID = 0
    var listeners: [Int: Listener] = [:]
    /// Whether a thread is notifying the listeners: only one does at a time, so that no older value arrives
    /// last.
    var isNotifying = false

    /// The listeners that have not received the newest value; marks them as having received it.
    mutating func takeUnreported() -> [AsyncStream<Value>.Continuation] {
      let unreported = listeners.filter { $0.value.lastReported < number }
      for id in unreported.keys { listeners[id]?.lastReported = number }
      return unreported.values.map(\.continuation)
    }
  }

  private let state: Guarded<State>

  /// Creates a broadcaster without listeners.
  ///
  /// - Parameter value: The first value.
  init(_ value: Value) {
    state = Guarded(State(value: value))
  }

  var value: Value { state.withLock(\.value) }

  var listenerCount: Int { state.withLock(\.listeners.count) }

  /// The current value, and each one that is published.
  ///
  /// - Parameters:
  ///   - source: Kept alive until the last listener of this stream is gone.
  ///   - whenDone: Called then.
  /// - Returns: A stream that buffers only the newest value for a slow reader.
  func changes(
    keeping source: some AnyObject & Sendable, whenDone: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      // Under the lock, so that no newer value precedes this one; nothing waits for it yet.
      continuation.yield(state.value)
      guard state.isOpen else { return nil }
      state.nextID += 1
      state.listeners[state.nextID] = Listener(continuation: continuation, lastReported: state.number)
      return state.nextID
    }
    // The handler is released once called, which happens when the stream or its reader is released, or the
    // stream ends.
    continuation.onTermination = { [self] _ in
      if let id { remove(id) }
      whenDone()
      withExtendedLifetime(source) {}
    }
    if id == nil { continuation.finish() }
    return stream
  }

  /// Publishes a value, unless it equals the newest one.
  func publish(_ value: Value) {
    set(value)
    notify()
  }

  /// Stores the newest value without notifying listeners, which may be done under a lock; call ``notify()``
  /// afterwards.
  func set(_ value: Value) {
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      state.number += 1
    }
  }

  /// Sends the newest value to the listeners that lack it, unless another thread is doing so, which then
  /// covers it.
  func notify() {
    while let (value, unreported) = nextToReport() {
      for continuation in unreported { continuation.yield(value) }
      state.withLock { $0.isNotifying = false }
    }
  }

  private func nextToReport() -> (Value, [AsyncStream<Value>.Continuation])? {
    state.withLock { state in
      guard !state.isNotifying else { return nil }
      let unreported = state.takeUnreported()
      guard !unreported.isEmpty else { return nil }
      state.isNotifying = true
      return (state.value, unreported)
    }
  }

  /// Ends all streams.
  func finish() {
    let listeners = state.withLock { state in
      state.isOpen = false
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.continuation.finish() }
  }

  private func remove(_ id: Int) {
    // Released outside the lock.
    let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
    withExtendedLifetime(listener) {}
  }
}
