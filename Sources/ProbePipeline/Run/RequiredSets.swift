import ProbeCore

/// What is known, for the decision from evidence, of some of a run's sets.
///
/// Each event changes what one set adds to the sum, so that no event has to look at all sets again.
struct RequiredSets {
  /// How many are required, those left out that were not started.
  var required = 0
  /// How many of these are met.
  var met = 0
  /// How many of these may yet be met or not.
  var unsettled = 0
  /// How many of all sets have probes that have not finished.
  var unfinished = 0
  /// In how many of all sets somebody answered in place of another.
  var intercepted = 0

  /// Nothing.
  init() {}

  /// What one set adds.
  init(_ tally: SetTally, isRequired: Bool) {
    let isMet = tally.isMet
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
    sum.unfinished += part.unfinished
    sum.intercepted += part.intercepted
  }

  static func -= (sum: inout RequiredSets, part: RequiredSets) {
    sum.required -= part.required
    sum.met -= part.met
    sum.unsettled -= part.unsettled
    sum.unfinished -= part.unfinished
    sum.intercepted -= part.intercepted
  }

  /// Whether enough of them are met, whatever comes.
  ///
  /// It is not said before every one is settled: a set that can still be met or not is waited for.
  func areOnline(_ success: Threshold) -> Bool {
    unsettled == 0 && success.isMet(accepted: met, of: required)
  }

  /// Whether enough of them may yet be met.
  func mayBeOnline(_ success: Threshold) -> Bool { success.isMet(accepted: met + unsettled, of: required) }
}
