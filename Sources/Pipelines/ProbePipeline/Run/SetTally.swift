import ProbeCore

/// Counts the outcomes of a set's probes, and derives the state of the set.
struct SetTally {
  /// The number of probes in the set.
  let total: Int
  /// The number of probes that must be accepted.
  let needed: Int
  private var accepted = 0
  private var intercepted = 0
  private var failed = 0
  private var skipped = 0
  /// The number of probes without an outcome yet.
  private(set) var pending: Int
  /// Whether a third party responded to any probe.
  private(set) var isIntercepted = false
  /// The reasons seen; their number is bounded, however many probes there are.
  private(set) var reasons: Set<ReasonCode> = []

  /// Creates the tally of a set before any results.
  init(total: Int, threshold: Threshold) {
    self.total = total
    needed = threshold.needed(of: total)
    pending = total
  }

  init(_ set: SetResult) {
    self.init(total: set.total, threshold: set.threshold)
    for probe in set.probes { count(probe) }
  }

  /// Counts a finished probe.
  ///
  /// - Returns: Its reason, if that is new in the set.
  @discardableResult
  mutating func count(_ result: ProbeResult) -> ReasonCode? {
    switch result.outcome {
    case .accepted: accepted += 1
    case .intercepted: intercepted += 1
    case .failed: failed += 1
    case .skipped: skipped += 1
    }
    pending -= 1
    if result.outcome == .intercepted || result.shownPortal != nil { isIntercepted = true }
    guard let reason = result.reason, reasons.insert(reason).inserted else { return nil }
    return reason
  }

  /// The number of probes with this outcome so far.
  func count(of outcome: Outcome) -> Int {
    switch outcome {
    case .accepted: accepted
    case .intercepted: intercepted
    case .failed: failed
    case .skipped: skipped
    }
  }

  /// Whether at least this many probes have, or will have, an outcome.
  func has(_ least: Int, _ outcome: Outcome) -> Truth {
    let count = count(of: outcome)
    return count >= least ? .yes : count + pending < least ? .no : .unknown
  }

  /// Whether enough probes are, or will be, accepted.
  var isMet: Truth { total > 0 ? has(needed, .accepted) : .no }
}
