internal import ProbeLocking

/// The newest value, and those who want to be told of each.
///
/// Nobody is told under the lock. A listener that waits is a task to be woken, and the runtime locks that task; whoever
/// cancels the task holds the same lock while its stream ends, which needs the lock here.
final class NewestValue<Value: Sendable & Equatable>: Sendable {
  private struct Listener: Sendable {
    let continuation: AsyncStream<Value>.Continuation
    /// The number of the value it was told last.
    var told: Int
  }

  private struct State: Sendable {
    var value: Value
    /// How many values there have been.
    var number = 0
    var isOpen = true
    var nextID = 0
    var listeners: [Int: Listener] = [:]
    /// Whether somebody is telling the listeners: one at a time does, so that nothing older comes last.
    var isTelling = false

    /// Those who have not been told the newest value, and have been from now on.
    mutating func takeUntold() -> [AsyncStream<Value>.Continuation] {
      let untold = listeners.filter { $0.value.told < number }
      for id in untold.keys { listeners[id]?.told = number }
      return untold.values.map(\.continuation)
    }
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
      // Under the lock, so that no newer value comes before this one; nobody waits for it yet.
      continuation.yield(state.value)
      guard state.isOpen else { return nil }
      state.nextID += 1
      state.listeners[state.nextID] = Listener(continuation: continuation, told: state.number)
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
    set(value)
    tell()
  }

  /// Makes a value the newest without telling anybody, which may be done under a lock; ``tell()`` has to follow.
  func set(_ value: Value) {
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      state.number += 1
    }
  }

  /// Tells the newest value to those who do not know it, unless somebody else is at it, who then does this too.
  func tell() {
    while let (value, untold) = nextToTell() {
      for continuation in untold { continuation.yield(value) }
      state.withLock { $0.isTelling = false }
    }
  }

  private func nextToTell() -> (Value, [AsyncStream<Value>.Continuation])? {
    state.withLock { state in
      guard !state.isTelling else { return nil }
      let untold = state.takeUntold()
      guard !untold.isEmpty else { return nil }
      state.isTelling = true
      return (state.value, untold)
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
    // Let go of outside the lock.
    let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
    withExtendedLifetime(listener) {}
  }
}
