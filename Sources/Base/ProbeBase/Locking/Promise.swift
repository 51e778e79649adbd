/// A future value, such as a thread's result or a timeout, and the one task that waits for it.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Void, Never>?
    var value: Value?
  }

  private let state = Guarded(State())

  /// A promise without a value.
  package init() {}

  /// Sets the value; only the first call has an effect.
  package func fulfill(_ value: Value) {
    let waiter = state.withLock { state in
      state.value = state.value ?? value
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// The value, once there is one; only one task may call this.
  ///
  /// It does not respond to cancellation: to cancel, set a value.
  package nonisolated(nonsending) func value() async -> Value {
    while true {
      // Read under the lock, because the waiter is only woken by it.
      if let value = state.withLock({ $0.value }) { return value }
      await withCheckedContinuation { continuation in
        let isFulfilled = state.withLock { state in
          if state.value == nil { state.waiter = continuation }
          return state.value != nil
        }
        if isFulfilled { continuation.resume() }
      }
    }
  }
}
