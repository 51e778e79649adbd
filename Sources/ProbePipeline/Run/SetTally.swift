import ProbeCore

/// How many probes of a set had which outcome, and what is known of the set by that.
struct SetTally {
  /// How many probes the set has.
  let total: Int
  /// How many of them must be accepted.
  private let needed: Int
  private var counts: [Outcome: Int] = [:]
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
    counts[result.outcome, default: 0] += 1
    pending -= 1
    if result.outcome == .intercepted || result.portal != nil { isIntercepted = true }
    guard let reason = result.reason, reasons.insert(reason).inserted else { return nil }
    return reason
  }

  /// How many probes had this outcome so far.
  func count(of outcome: Outcome) -> Int { counts[outcome, default: 0] }

  /// Whether so many probes have, or will have, this outcome.
  func has(_ least: Int, _ outcome: Outcome) -> Truth {
    let count = count(of: outcome)
    return count >= least ? .yes : count + pending < least ? .no : .unknown
  }

  /// Whether enough probes are accepted, or will be.
  var isMet: Truth { total > 0 ? has(needed, .accepted) : .no }
}
