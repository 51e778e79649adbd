/// Events on their way to the one task that takes them, in the order they were sent.
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

  /// Takes all events there are, and waits for one when there are none; one task alone may do so.
  ///
  /// It does not heed cancellation: whoever cancels sends an event.
  ///
  /// - Parameter events: Gets the events in place of what it held; its room is used again.
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
