internal import ProbeLocking

/// What a replay server was asked, in the order it was answered.
///
/// The last entries are kept, as many as ``ReplayOptions/journalCapacity`` and ``ReplayOptions/journalBytes`` allow.
public final class ReplayJournal: Sendable {
  /// An entry in a box: it is large, and handing it over moves one word.
  fileprivate final class Record: Sendable {
    let entry: JournalEntry
    /// How many bytes of what came it holds.
    let size: Int

    init(_ entry: consuming JournalEntry) {
      size = entry.received.count + (entry.request.map { $0.head.bytes.count + $0.body.count } ?? 0)
      self.entry = entry
    }
  }

  fileprivate struct State: Sendable {
    var records: [Record] = []
    /// Where the oldest entry stands, once as many are kept as may be.
    var oldest = 0
    /// What the entries that are kept hold of requests.
    var bytes = 0
    /// How many were written, and so the number of the newest.
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
    let (records, count) = state.withLock {
      ($0.inOrder, $0.count)
    }
    return records.enumerated().map { index, record in
      var entry = record.entry
      entry.number = count - records.count + index + 1
      return entry
    }
  }

  /// How many entries were written, those no longer kept included.
  public var count: Int { state.withLock(\.count) }

  /// Forgets all entries; their numbers go on.
  public func clear() {
    state.withLock { state in
      state.records.removeAll()
      (state.oldest, state.bytes) = (0, 0)
    }
  }

  func append(_ entry: consuming JournalEntry) {
    var record = Record(entry)
    let waiters = state.withLock { state in
      state.count += 1
      state.bytes += record.size
      if state.records.count < capacity {
        state.records.append(record)
      } else {
        // What is forgotten is freed when the lock is free again.
        swap(&state.records[state.oldest], &record)
        state.bytes -= record.size
        state.oldest += 1
        if state.oldest == capacity { state.oldest = 0 }
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
  /// The entries that are kept, the oldest first.
  var inOrder: [ReplayJournal.Record] { Array(records[oldest...] + records[..<oldest]) }

  /// Forgets the oldest entries until what is kept has at most so many bytes, the last entry aside.
  mutating func forgetOldest(toKeep limit: Int) {
    var kept = inOrder[...]
    while bytes > limit, kept.count > 1 { bytes -= kept.removeFirst().size }
    (records, oldest) = (Array(kept), 0)
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
