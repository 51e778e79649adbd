/// A value to come, such as a thread's answer or that there is no more time, and the one task that waits for it.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Void, Never>?
    var value: Value?
  }

  private let state = Guarded(State())

  /// A promise without a value.
  package init() {}

  /// Gives the value; one after the first says nothing any more.
  package func fulfill(_ value: Value) {
    let waiter = state.withLock { state in
      state.value = state.value ?? value
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// The value, once there is one; one task alone may ask.
  ///
  /// It does not heed cancellation: whoever cancels gives a value.
  package nonisolated(nonsending) func value() async -> Value {
    while true {
      // Read under the lock: the waiter is only woken by it.
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
