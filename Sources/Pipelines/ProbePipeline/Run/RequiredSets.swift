import ProbeCore

/// Counts the sets of a run by state, to decide from evidence.
///
/// Each event changes only what one set adds to the sum, so that no event has to examine all sets.
struct RequiredSets {
  /// The number of required sets, except those that were not started.
  var required = 0
  /// The number of required sets that are met.
  var met = 0
  /// The number of required sets that are neither met nor certain to fail.
  var unsettled = 0
  /// The number of sets, required or not, that are certain to fail.
  var failing = 0
  /// The number of sets, required or not, that are neither met nor certain to fail.
  var open = 0
  /// The number of sets, required or not, with unfinished probes.
  var unfinished = 0
  /// The number of sets, required or not, with a response from a third party.
  var intercepted = 0

  /// Creates an empty count.
  init() {}

  /// Creates the count for one set.
  ///
  /// - Parameters:
  ///   - tally: The outcomes of its probes.
  ///   - isRequired: Whether it counts towards success.
  ///   - isStarted: Whether it is probed.
  init(_ tally: SetTally, isRequired: Bool, isStarted: Bool) {
    let isMet = tally.isMet
    if isStarted {
      failing = isMet == .no ? 1 : 0
      open = isMet == .unknown ? 1 : 0
    }
    if isRequired {
      required = 1
      met = isMet == .yes ? 1 : 0
      unsettled = isMet == .unknown ? 1 : 0
    }
    unfinished = tally.pending > 0 ? 1 : 0
    intercepted = tally.isIntercepted ? 1 : 0
  }

  static func += (sum: inout RequiredSets, part: RequiredSets) {
    sum.required += part.required
    sum.met += part.met
    sum.unsettled += part.unsettled
    sum.failing += part.failing
    sum.open += part.open
    sum.unfinished += part.unfinished
    sum.intercepted += part.intercepted
  }

  static func -= (sum: inout RequiredSets, part: RequiredSets) {
    sum.required -= part.required
    sum.met -= part.met
    sum.unsettled -= part.unsettled
    sum.failing -= part.failing
    sum.open -= part.open
    sum.unfinished -= part.unfinished
    sum.intercepted -= part.intercepted
  }

  /// Whether enough sets are met, whatever the pending results are.
  ///
  /// False until every set is settled: the run waits for sets that are still open.
  func areOnline(_ success: Threshold) -> Bool {
    unsettled == 0 && success.isMet(accepted: met, of: required)
  }

  /// Whether enough sets may still be met.
  func mayBeOnline(_ success: Threshold) -> Bool { success.isMet(accepted: met + unsettled, of: required) }
}
