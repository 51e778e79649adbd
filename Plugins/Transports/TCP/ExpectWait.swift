/// The state of an expect step that is waiting: its searches, and when to search again.
struct ExpectWait {
  /// The initial and the maximum time to wait for more bytes before searching a few new ones.
  ///
  /// If a peer sends byte by byte, all data must not be searched again for each byte. If a peer waits for a
  /// response, it must not be delayed.
  static let patience = Duration.milliseconds(10)...Duration.milliseconds(100)

  /// The deadline, measured from the start of the probe.
  let deadline: Duration
  /// The maximum number of unread bytes to search.
  let maxBytes: Int
  /// The searches: one for each reject step in effect, then that of the expect step.
  private(set) var searches: [StreamSearch]
  /// Whether the data received before the deadline has been read, even if it was read late.
  var hasReadLast = false
  private var patience = ExpectWait.patience.lowerBound
  /// The time to search the new bytes; nil if there are none.
  private var due: Duration?
  private var looked = -1
  private var nextLook = 0

  init(deadline: Duration, maxBytes: Int, searches: [StreamSearch]) {
    self.deadline = deadline
    self.maxBytes = maxBytes
    self.searches = searches
  }

  /// Whether to search the data again now.
  mutating func mustLook(at count: Int, now: Duration) -> Bool {
    guard looked < count else { return false }
    if count >= nextLook || searches.allSatisfy(\.isIncremental) { return true }
    guard let due else {
      due = now + patience
      return false
    }
    guard now >= due else { return false }
    patience = min(patience * 2, Self.patience.upperBound)
    return true
  }

  /// The latest time at which to search again.
  var nextQuestion: Duration { min(deadline, due ?? deadline) }

  /// Searches all unread data.
  mutating func look(at window: ArraySlice<UInt8>, isLast: Bool) {
    for index in searches.indices { searches[index].look(at: window, isLast: isLast) }
    // The time for a search is proportional to the data, so search again when there is considerably more.
    nextLook = window.count + max(1, window.count / 4)
    due = nil
    looked = window.count
  }
}
