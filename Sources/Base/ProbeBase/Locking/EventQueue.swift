/// A queue of events for one receiving task, in the order they were sent.
package final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var taker: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  /// A queue without events.
  package init() {}

  /// Adds an event.
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
