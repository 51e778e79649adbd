import ProbeCore

/// Determines whether the verdict of a run is certain, and which fallbacks are needed, from the results so
/// far.
///
/// With rules, the verdict is certain as soon as no unfinished probe can change which rule applies first and,
/// if its verdict is a captive portal, the login URL.
///
/// Without rules, it is certain in two cases, once the captive-portal API (RFC 8908) has responded, if it is
/// queried. Either the network is online: every required set is settled, enough are met, and there are too
/// few pending responses to show a portal. Or a portal is proven against all pending responses, and none can
/// change the login URL. Otherwise the run waits for every probe of every set.
///
/// Fallbacks are determined one at a time, in order, by the sets before them. A fallback is needed if those
/// sets have all finished, the captive-portal API has responded, and the verdict is still open. It is not
/// needed as soon as it is known that the verdict will not be open.
///
/// About services, the verdict is certain only at the end. A fallback is needed as soon as a set before it is
/// certain to fail, and not needed if all of them are met.
struct VerdictProgress {
  private enum Phase { case undetermined, started, notNeeded }

  private let sets: [PlannedSet]
  private let question: Question
  private let success: Threshold
  private var rules: RuleProgress?
  private var portals: PortalProgress
  /// The unfinished sets that may contain the login URL for a rule's captive portal; nil before a rule
  /// applies.
  private var awaited: Set<Int>?
  private var tallies: [SetTally]
  private var phases: [Phase]
  /// The state reported by the captive-portal API; nil while it is queried.
  private var capport: CapportState?
  /// The counts of all sets except undetermined fallbacks.
  private var all = RequiredSets()
  /// The counts of the sets before the first undetermined fallback.
  private var before = RequiredSets()
  /// The position of the first undetermined fallback, or the end of the sets.
  private var barrier = 0
  /// The number of undetermined fallbacks that would count for success.
  private var undeterminedRequired: Int

  /// Creates the state before any results.
  ///
  /// - Parameters:
  ///   - sets: The sets of the run.
  ///   - question: The question of the run.
  ///   - success: How many of the required sets must be met.
  ///   - rules: The rules that determine the verdict, or nil to decide from evidence.
  ///   - requestsCapport: Whether the captive-portal API (RFC 8908) is queried.
  ///   - portals: The state of the search for a portal.
  init(
    _ sets: [PlannedSet], question: Question = .internet, success: Threshold, rules: [DecisionRule]?,
    requestsCapport: Bool,
    portals: PortalProgress
  ) {
    self.portals = portals
    self.sets = sets
    self.question = question
    self.success = success
    tallies = sets.map { SetTally(total: $0.probes.count, threshold: $0.threshold) }
    phases = sets.map { $0.start == .undecided ? .undetermined : .started }
    undeterminedRequired = sets.count { $0.start == .undecided && $0.isRequired }
    self.rules = rules.map { RuleProgress($0, sets: sets.map(\.name)) }
    for set in sets.indices {
      self.rules?.update(set, tallies[set], reasons: [])
      if phases[set] == .started { all += part(of: set) }
    }
    moveBarrier()
    if !requestsCapport { capportResponded(CapportResponse(nil)) }
  }

  /// A probe of a set has finished, or was skipped.
  mutating func finished(_ index: Int, _ result: ProbeResult, in set: Int) {
    portals.finished(index, result)
    let old = part(of: set)
    let reason = tallies[set].count(result)
    let new = part(of: set)
    if phases[set] != .undetermined {
      all -= old
      all += new
    }
    if set < barrier {
      before -= old
      before += new
    }
    rules?.update(set, tallies[set], reasons: CollectionOfOne(reason).lazy.compactMap(\.self))
    if tallies[set].pending == 0 { awaited?.remove(set) }
    awaitPortal()
  }

  /// The captive-portal API has responded, or never will.
  mutating func capportResponded(_ response: CapportResponse) {
    capport = response.state
    rules?.update(response)
    awaitPortal()
  }

  /// Once a rule with the verdict captive portal applies, records which sets may contain the login URL.
  private mutating func awaitPortal() {
    guard awaited == nil, let decision = rules?.decision else { return }
    awaited = []
    guard decision.verdict == .captivePortal, let rule = rules?.applying, rule.determinesLoginURL else {
      return
    }
    for set in sets.indices where phases[set] == .started && tallies[set].pending > 0 {
      if rule.condition.names(sets[set].name) { awaited?.insert(set) }
    }
  }
}

extension VerdictProgress {
  /// Whether no unfinished probe can change the verdict.
  var isCertain: Bool {
    guard question == .internet else { return false }
    if let rules {
      guard let decision = rules.decision else { return false }
      guard decision.verdict == .captivePortal else { return true }
      return capport != nil && awaited?.isEmpty == true
        && (rules.applying?.determinesLoginURL == true || portals.isLoginURLSettled)
    }
    guard let capport else { return false }
    if undeterminedRequired == 0, all.areOnline(success), !portals.mayShow { return true }
    guard barrier == sets.count, portals.isLoginURLSettled else { return false }
    let mayBeOnline = all.mayBeOnline(success)
    return portals.isProven(mayBeOnline: mayBeOnline) || capport == .captive && !mayBeOnline
  }

  /// Whether a set counts: every set does except a fallback that was not needed.
  func isNeeded(_ set: Int) -> Bool { phases[set] != .notNeeded }

  /// The next fallback for which it is now known whether it is needed; each is returned once.
  mutating func determineFallback() -> (set: Int, isNeeded: Bool)? {
    guard barrier < sets.count else { return nil }
    let set = barrier
    if isDecidedWithout(set) {
      leaveOut(set)
    } else if isNeededAfterThoseBefore {
      determine(set, .started)
    } else {
      return nil
    }
    moveBarrier()
    return (set, isNeeded(set))
  }

  /// Marks all undetermined fallbacks as not needed.
  mutating func leaveOutFallbacks() {
    while barrier < sets.count {
      leaveOut(barrier)
      moveBarrier()
    }
  }

  private var isNeededAfterThoseBefore: Bool {
    question == .services ? before.failing > 0 : before.unfinished == 0 && capport != nil
  }

  private func isDecidedWithout(_ set: Int) -> Bool {
    if question == .services { return before.failing == 0 && before.open == 0 }
    if isCertain { return true }
    if let rules { return !rules.dependsOn(set) }
    return before.intercepted > 0 || capport == .captive || before.areOnline(success)
  }

  private mutating func leaveOut(_ set: Int) {
    determine(set, .notNeeded)
  }

  private mutating func determine(_ set: Int, _ phase: Phase) {
    phases[set] = phase
    if sets[set].isRequired { undeterminedRequired -= 1 }
    all += part(of: set)
  }

  /// Moves to the next undetermined fallback, past sets whose counts are known.
  private mutating func moveBarrier() {
    while barrier < sets.count, phases[barrier] != .undetermined {
      before += part(of: barrier)
      barrier += 1
    }
  }

  private func part(of set: Int) -> RequiredSets {
    let isStarted = phases[set] == .started
    return RequiredSets(tallies[set], isRequired: sets[set].isRequired && isStarted, isStarted: isStarted)
  }
}

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
