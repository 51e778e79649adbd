internal import Locking

/// What a replay server was asked, in the order it was answered.
///
/// The last entries are kept, as many as ``ReplayOptions/journalCapacity`` and ``ReplayOptions/journalBytes`` allow.
public final class ReplayJournal: Sendable {
  fileprivate struct State: Sendable {
    var entries: [JournalEntry] = []
    /// Where the oldest entry stands, once as many are kept as may be.
    var oldest = 0
    /// What the entries that are kept hold of requests.
    var bytes = 0
    var count = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
  }

  private let capacity: Int
  private let mostBytes: Int
  private let state = Guarded(State())

  init(capacity: Int, bytes: Int) {
    self.capacity = max(1, capacity)
    mostBytes = bytes
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
      (state.oldest, state.bytes) = (0, 0)
    }
  }

  func append(_ entry: JournalEntry) {
    let waiters = state.withLock { state in
      state.count += 1
      var entry = entry
      entry.number = state.count
      state.bytes += entry.size
      if state.entries.count < capacity {
        state.entries.append(entry)
      } else {
        state.bytes -= state.entries[state.oldest].size
        state.entries[state.oldest] = entry
        state.oldest = (state.oldest + 1) % capacity
      }
      if state.bytes > mostBytes { state.forgetOldest(toKeep: mostBytes / 2) }
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension ReplayJournal.State {
  /// Forgets the oldest entries until what is kept has at most so many bytes, the last entry aside.
  mutating func forgetOldest(toKeep limit: Int) {
    var kept = Array(entries[oldest...] + entries[..<oldest])[...]
    while bytes > limit, kept.count > 1 { bytes -= kept.removeFirst().size }
    (entries, oldest) = (Array(kept), 0)
  }
}

extension JournalEntry {
  /// How many bytes of what came it holds.
  fileprivate var size: Int { received.count + (request.map { $0.head.bytes.count + $0.body.count } ?? 0) }
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
