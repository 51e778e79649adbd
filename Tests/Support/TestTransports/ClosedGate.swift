import ProbeBase

/// A gate that never opens: tasks wait at it until they are cancelled.
package final class ClosedGate: Sendable {
  private struct State {
    var nextID = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
    var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  package init() {}

  /// Blocks the task until it is cancelled.
  package func hold() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        // Nil for a task that was cancelled before.
        let observers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          if state.cancelled.contains(id) { return nil }
          state.waiting[id] = continuation
          let count = state.waiting.count
          let reached = state.observers.filter { $0.count <= count }.map(\.continuation)
          state.observers.removeAll { $0.count <= count }
          return reached
        }
        if observers == nil { continuation.resume(throwing: CancellationError()) }
        for observer in observers ?? [] { observer.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Waits until this many tasks are blocked at the gate.
  package func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.waiting.count < count { state.observers.append((count, continuation)) }
        return state.waiting.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}
