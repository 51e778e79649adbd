/// An expect that is waited for: what is searched for, and when to look again.
struct ExpectWait {
  /// How long bytes too few for a look of their own wait for more, first and at most.
  ///
  /// A peer that sends byte by byte must not have everything looked at for each of them; one that waits for an answer
  /// must not be kept waiting.
  static let patience = Duration.milliseconds(10)...Duration.milliseconds(100)

  /// When it ends, since the probe began.
  let deadline: Duration
  /// How many unread bytes it may look at.
  let maxBytes: Int
  /// One for each reject that holds, then the expect's own.
  private(set) var searches: [StreamSearch]
  /// Whether what came before the deadline has been read, however late this is done.
  var hasReadLast = false
  private var patience = ExpectWait.patience.lowerBound
  /// When the bytes that were not looked at are to be; nil when there are none.
  private var due: Duration?
  private var looked = -1
  private var nextLook = 0

  init(deadline: Duration, maxBytes: Int, searches: [StreamSearch]) {
    self.deadline = deadline
    self.maxBytes = maxBytes
    self.searches = searches
  }

  /// Whether it is time to look again at what has come.
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

  /// When to ask again, at the latest.
  var nextQuestion: Duration { min(deadline, due ?? deadline) }

  /// Looks at all that waits.
  mutating func look(at window: ArraySlice<UInt8>, isLast: Bool) {
    for index in searches.indices { searches[index].look(at: window, isLast: isLast) }
    // Looking costs as much as there is; so the next time is when there is a good part more.
    nextLook = window.count + max(1, window.count / 4)
    due = nil
    looked = window.count
  }
}
