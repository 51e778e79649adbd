import Locking

/// Events on their way to the one task that takes them, in the order they were sent.
final class EventQueue<Event: Sendable>: Sendable {
  private struct State {
    var events: [Event] = []
    var taker: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  /// A queue without events.
  init() {}

  /// Adds an event.
  func send(_ event: Event) {
    let taker = state.withLock { state in
      state.events.append(event)
      return state.taker.take()
    }
    taker?.resume()
  }

  /// Takes all events there are, and waits for one when there are none; one task alone may do so.
  ///
  /// It does not heed cancellation: whoever cancels sends an event.
  nonisolated(nonsending) func take() async -> [Event] {
    while true {
      let events = state.withLock { state in
        defer { state.events = [] }
        return state.events
      }
      guard events.isEmpty else { return events }
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
