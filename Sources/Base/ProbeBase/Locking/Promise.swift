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

/// A queue of events for one receiving task, in the order they were sent.
package final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var taker: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  package init() {}

  package func send(_ event: Event) {
    let taker = state.withLock { state in
      state.events.append(event)
      return state.taker.take()
    }
    taker?.resume()
  }

  /// Takes all events, and waits for one if there are none; only one task may call this.
  ///
  /// It does not respond to cancellation: to cancel, send an event.
  ///
  /// - Parameter events: Receives the events instead of its contents; its capacity is reused.
  package nonisolated(nonsending) func take(into events: inout [Event]) async {
    events.removeAll(keepingCapacity: true)
    while true {
      state.withLock { swap(&$0.events, &events) }
      guard events.isEmpty else { return }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.events.isEmpty { state.taker = continuation }
          return !state.events.isEmpty
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
