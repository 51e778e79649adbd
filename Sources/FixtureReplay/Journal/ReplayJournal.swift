internal import Locking

/// What a replay server was asked, in the order it was answered.
///
/// The last entries are kept, as many as ``ReplayOptions/journalCapacity`` says.
public final class ReplayJournal: Sendable {
  private struct State: Sendable {
    var entries: [JournalEntry] = []
    /// Where the oldest entry stands, once as many are kept as may be.
    var oldest = 0
    var count = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
  }

  private let capacity: Int
  private let state = Guarded(State())

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  /// The entries that are kept, the oldest first.
  public var entries: [JournalEntry] {
    state.withLock { Array($0.entries[$0.oldest...] + $0.entries[..<$0.oldest]) }
  }

  /// How many entries were written, those no longer kept included.
  public var count: Int { state.withLock(\.count) }

  /// Forgets all entries; their numbers go on.
  public func clear() {
    state.withLock { state in
      state.entries.removeAll()
      state.oldest = 0
    }
  }

  func append(_ entry: JournalEntry) {
    let waiters = state.withLock { state in
      state.count += 1
      var entry = entry
      entry.number = state.count
      if state.entries.count < capacity {
        state.entries.append(entry)
      } else {
        state.entries[state.oldest] = entry
        state.oldest = (state.oldest + 1) % capacity
      }
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension ReplayJournal {
  /// Waits for entries that were written after this many, or until the task is cancelled.
  ///
  /// - Returns: Those that are kept, the oldest first.
  public nonisolated(nonsending) func entries(after count: Int) async -> [JournalEntry] {
    await waitForEntry(after: count)
    return entries.filter { $0.number > count }
  }

  /// Waits until more than this many entries were written, or the task is cancelled.
  nonisolated(nonsending) func waitForEntry(after count: Int) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.count > count || Task.isCancelled { return true }
          state.waiters[number] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
