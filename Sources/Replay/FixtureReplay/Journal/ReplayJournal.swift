internal import ProbeBase

/// The requests to a replay server, in the order in which it responded to them.
///
/// It keeps the latest entries, up to ``ReplayOptions/journalCapacity`` and ``ReplayOptions/journalBytes``.
public final class ReplayJournal: Sendable {
  /// An entry in a box: it is large, and passing the box moves one word.
  fileprivate final class Record: Sendable {
    let entry: JournalEntry
    /// The number of received bytes in the entry.
    let size: Int

    init(_ entry: consuming JournalEntry) {
      size = entry.received.count + (entry.request.map { $0.head.bytes.count + $0.body.count } ?? 0)
      self.entry = entry
    }
  }

  fileprivate struct State: Sendable {
    var records: [Record] = []
    /// The index of the oldest entry, once the capacity is reached.
    var oldest = 0
    /// The total number of received bytes in the kept entries.
    var bytes = 0
    /// The number of entries written, which is also the number of the newest.
    var count = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
  }

  private let capacity: Int
  private let maximumBytes: Int
  private let state = Guarded(State())

  init(capacity: Int, bytes: Int) {
    self.capacity = max(1, capacity)
    maximumBytes = bytes
  }

  /// The kept entries, oldest first.
  public var entries: [JournalEntry] { entries(following: 0) }

  /// The kept entries after the first `count` ones.
  private func entries(following count: Int) -> [JournalEntry] {
    let (records, all) = state.withLock { ($0.inOrder(last: $0.count - count), $0.count) }
    return records.enumerated().map { index, record in
      var entry = record.entry
      entry.number = all - records.count + index + 1
      return entry
    }
  }

  /// The number of entries written, including those that are no longer kept.
  public var count: Int { state.withLock(\.count) }

  /// Removes all entries; their numbering continues.
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
        // Free the removed entry after the lock is released.
        swap(&state.records[state.oldest], &record)
        state.bytes -= record.size
        state.oldest += 1
        if state.oldest == capacity { state.oldest = 0 }
      }
      if state.bytes > maximumBytes { state.forgetOldest(toKeep: maximumBytes / 2) }
      guard !state.waiters.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters.removeAll() }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }
}

extension ReplayJournal.State {
  /// The last entries, as far as they are kept, oldest first.
  func inOrder(last count: Int) -> [ReplayJournal.Record] {
    let newer = records[..<oldest].suffix(max(0, count))
    return records[oldest...].suffix(max(0, count - newer.count)) + newer
  }

  /// Removes the oldest entries until the rest have at most this many bytes; never removes the newest.
  mutating func forgetOldest(toKeep limit: Int) {
    var kept = inOrder(last: records.count)[...]
    while bytes > limit, kept.count > 1 { bytes -= kept.removeFirst().size }
    (records, oldest) = (Array(kept), 0)
  }
}

extension ReplayJournal {
  /// Waits for an entry after the first `count` ones, or until the task is cancelled.
  ///
  /// - Returns: The later entries that are still kept, oldest first.
  public nonisolated(nonsending) func entries(after count: Int) async -> [JournalEntry] {
    await waitForEntry(after: count)
    return entries(following: count)
  }

  /// Waits until more than `count` entries have been written, or the task is cancelled.
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
