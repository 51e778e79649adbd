import ProbeBase

/// Limits the number of concurrent tasks; the others wait.
package final class Turns: Sendable {
  private let state: Guarded<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  /// Creates the turns, all of them free.
  ///
  /// - Parameter count: How many have a turn at a time.
  package init(_ count: Int) {
    state = Guarded((count, []))
  }

  package func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives a turn to the next, or back.
  package func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
