/// The first of several answers, such as a thread's or that there is no more time, and the one task that waits for it.
package final class FirstAnswer<Answer: Sendable>: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Void, Never>?
    var answer: Answer?
  }

  private let state = Guarded(State())

  /// A question without an answer.
  package init() {}

  /// Answers; an answer after the first says nothing any more.
  package func give(_ answer: Answer) {
    let waiter = state.withLock { state in
      state.answer = state.answer ?? answer
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// The answer, once there is one; one task alone may ask.
  ///
  /// It does not heed cancellation: whoever cancels gives an answer.
  package nonisolated(nonsending) func wait() async -> Answer {
    while true {
      // Read under the lock: the waiter is only woken by it.
      if let answer = state.withLock({ $0.answer }) { return answer }
      await withCheckedContinuation { continuation in
        let isGiven = state.withLock { state in
          if state.answer == nil { state.waiter = continuation }
          return state.answer != nil
        }
        if isGiven { continuation.resume() }
      }
    }
  }
}
