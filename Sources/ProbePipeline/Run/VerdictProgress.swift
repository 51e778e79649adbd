import ProbeCore

/// What is certain of a run's verdict by what has finished so far, and which fallbacks that calls for.
///
/// With rules the verdict is certain as soon as no probe that has not finished can change which rule applies first, and
/// where that is a captive portal's, where to log in.
/// From evidence it is certain once the API of RFC 8908 has been heard, where it is asked, in two cases. The network is
/// online: every required set is settled, enough are met, and the answers that are out are too few to show a portal. Or a
/// portal is proven against all of them, and none can change where to log in. Otherwise every probe of every set is waited
/// for.
///
/// A fallback, and only the first one that is still undetermined, is determined by the sets before it: it is needed
/// when they have all finished, the API of RFC 8908 has been heard, and the verdict is open still; it is not needed as
/// soon as it is known that the verdict will not be.
struct VerdictProgress {
  private enum Phase { case undetermined, started, notNeeded }

  private let sets: [PlannedSet]
  private let success: Threshold
  private var rules: RuleProgress?
  private var portals: PortalProgress
  /// The sets that a rule's captive portal is looked for in and that have not finished; nil before a rule applies.
  private var awaited: Set<Int>?
  private var tallies: [SetTally]
  private var phases: [Phase]
  /// What the API of RFC 8908 said; nil as long as it is asked.
  private var capport: CapportState?
  /// All sets that are not undetermined fallbacks.
  private var all = RequiredSets()
  /// The sets before the first undetermined fallback.
  private var before = RequiredSets()
  /// The first undetermined fallback, or behind the last set.
  private var barrier = 0
  /// How many undetermined fallbacks would count for success.
  private var undeterminedRequired: Int

  /// The verdict before anything is seen.
  ///
  /// - Parameters:
  ///   - sets: What is probed.
  ///   - success: How many of the required sets must be met.
  ///   - rules: The rules that say the verdict, or nil for the decision from evidence.
  ///   - asksCapport: Whether the API of RFC 8908 is asked.
  ///   - portals: What is known of a portal.
  init(
    _ sets: [PlannedSet], success: Threshold, rules: [DecisionRule]?, asksCapport: Bool,
    portals: PortalProgress
  ) {
    self.portals = portals
    self.sets = sets
    self.success = success
    tallies = sets.map { SetTally(total: $0.probes.count, threshold: $0.threshold) }
    phases = sets.map { $0.start == .undecided ? .undetermined : .started }
    undeterminedRequired = sets.count { $0.start == .undecided && $0.required }
    self.rules = rules.map { RuleProgress($0, sets: sets.map(\.name)) }
    for set in sets.indices {
      self.rules?.update(set, tallies[set], reasons: [])
      if phases[set] == .started { all += part(of: set) }
    }
    moveBarrier()
    if !asksCapport { capportAnswered(CapportAnswer(nil)) }
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

  /// The API of RFC 8908 has answered, or never will.
  mutating func capportAnswered(_ answer: CapportAnswer) {
    capport = answer.state
    rules?.update(answer)
    awaitPortal()
  }

  /// Notes, once a rule applies that says a captive portal, in which sets it is looked for.
  private mutating func awaitPortal() {
    guard awaited == nil, let decision = rules?.decision else { return }
    awaited = []
    guard decision.verdict == .captivePortal, let rule = rules?.applying, !rule.loginURL.isEmpty else {
      return
    }
    for set in sets.indices where phases[set] == .started && tallies[set].pending > 0 {
      if rule.condition.names(sets[set].name) { awaited?.insert(set) }
    }
  }
}

extension VerdictProgress {
  /// Whether nothing that has not finished can change the verdict.
  var isCertain: Bool {
    if let rules {
      guard let decision = rules.decision else { return false }
      guard decision.verdict == .captivePortal else { return true }
      return capport != nil && awaited?.isEmpty == true
        && (rules.applying?.loginURL.isEmpty == false || portals.isPlaceSettled)
    }
    guard let capport else { return false }
    if undeterminedRequired == 0, all.areOnline(success), !portals.mayShow { return true }
    guard barrier == sets.count, portals.isPlaceSettled else { return false }
    let mayBeOnline = all.mayBeOnline(success)
    return portals.isProven(mayBeOnline: mayBeOnline) || capport == .captive && !mayBeOnline
  }

  /// Whether a set counts: every one does but a fallback that was not needed.
  func isNeeded(_ set: Int) -> Bool { phases[set] != .notNeeded }

  /// The next fallback of which it is known now whether it is needed; told once.
  mutating func determineFallback() -> (set: Int, isNeeded: Bool)? {
    guard barrier < sets.count else { return nil }
    let set = barrier
    if isDecidedWithout(set) {
      leaveOut(set)
    } else if before.unfinished == 0, capport != nil {
      determine(set, .started)
    } else {
      return nil
    }
    moveBarrier()
    return (set, isNeeded(set))
  }

  /// Says of all fallbacks that are undetermined still that they were not needed.
  mutating func leaveOutFallbacks() {
    while barrier < sets.count {
      leaveOut(barrier)
      moveBarrier()
    }
  }

  private func isDecidedWithout(_ set: Int) -> Bool {
    if isCertain { return true }
    if let rules { return !rules.dependsOn(set) }
    return before.intercepted > 0 || capport == .captive || before.areOnline(success)
  }

  private mutating func leaveOut(_ set: Int) {
    determine(set, .notNeeded)
  }

  private mutating func determine(_ set: Int, _ phase: Phase) {
    phases[set] = phase
    if sets[set].required { undeterminedRequired -= 1 }
    all += part(of: set)
  }

  /// Moves to the next undetermined fallback, past sets whose part is known.
  private mutating func moveBarrier() {
    while barrier < sets.count, phases[barrier] != .undetermined {
      before += part(of: barrier)
      barrier += 1
    }
  }

  private func part(of set: Int) -> RequiredSets {
    RequiredSets(tallies[set], isRequired: sets[set].required && phases[set] == .started)
  }
}
