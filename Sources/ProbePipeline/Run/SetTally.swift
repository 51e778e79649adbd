import ProbeCore

/// How many probes of a set had which outcome, and what is known of the set by that.
struct SetTally {
  /// How many probes the set has.
  let total: Int
  /// How many of them must be accepted.
  private let needed: Int
  private var accepted = 0
  private var intercepted = 0
  private var failed = 0
  private var skipped = 0
  /// How many have no outcome yet.
  private(set) var pending: Int
  /// Whether somebody answered in place of another.
  private(set) var isIntercepted = false
  /// The reasons seen; they are words of a bounded list, however many probes there are.
  private(set) var reasons: Set<ReasonCode> = []

  /// The tally of a set of which nothing has finished.
  init(total: Int, threshold: Threshold) {
    self.total = total
    needed = threshold.needed(of: total)
    pending = total
  }

  /// The tally of a set that has finished.
  init(_ set: SetResult) {
    self.init(total: set.total, threshold: set.threshold)
    for probe in set.probes { count(probe) }
  }

  /// A probe of the set has finished.
  ///
  /// - Returns: Its reason, when that was not seen before.
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

  /// How many probes had this outcome so far.
  func count(of outcome: Outcome) -> Int {
    switch outcome {
    case .accepted: accepted
    case .intercepted: intercepted
    case .failed: failed
    case .skipped: skipped
    }
  }

  /// Whether so many probes have, or will have, this outcome.
  func has(_ least: Int, _ outcome: Outcome) -> Truth {
    let count = count(of: outcome)
    return count >= least ? .yes : count + pending < least ? .no : .unknown
  }

  /// Whether enough probes are accepted, or will be.
  var isMet: Truth { total > 0 ? has(needed, .accepted) : .no }
}
