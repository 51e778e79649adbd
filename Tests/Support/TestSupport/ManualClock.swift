import ProbeBase

/// A clock that only advances when a test advances it.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var observers: [CheckedContinuation<Void, Never>] = []
    /// Waiters that check again each time a task starts to sleep.
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  private let state = Guarded(State())

  package init() {}

  package var now: Instant { state.withLock(\.now) }
  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (result, observers, waiting) = state.withLock {
          state -> (
            Result<Void, any Error>?, [CheckedContinuation<Void, Never>], [CheckedContinuation<Bool, Never>]
          ) in
          if state.cancelled.contains(id) { return (.failure(CancellationError()), [], []) }
          if deadline <= state.now { return (.success(()), [], []) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          defer {
            state.observers = []
            state.waiting = []
          }
          return (nil, state.observers, state.waiting)
        }
        if let result { continuation.resume(with: result) }
        for observer in observers { observer.resume() }
        for one in waiting { one.resume(returning: false) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The number of sleeping tasks.
  package var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// Waits until a task sleeps.
  package func waitForSleeper() async {
    await withCheckedContinuation { continuation in
      let isAwaited = state.withLock { state in
        if state.sleepers.isEmpty { state.observers.append(continuation) }
        return state.sleepers.isEmpty
      }
      if !isAwaited { continuation.resume() }
    }
  }

  /// Waits until a task sleeps until this offset from the start, and no other one.
  package func waitForSleeper(until offset: Duration) async {
    while true {
      let isThere = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let isThere = state.withLock { state in
          let isThere = state.sleepers.values.contains { $0.deadline.offset == offset }
          if !isThere { state.waiting.append(continuation) }
          return isThere
        }
        if isThere { continuation.resume(returning: true) }
      }
      if isThere { return }
    }
  }

  /// Advances the clock, and wakes the sleepers whose time has come.
  package func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}
