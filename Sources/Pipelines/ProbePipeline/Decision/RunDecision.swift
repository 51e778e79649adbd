import PortalAnalysis
import ProbeCore

/// The verdict of a run: from the plan's rules if it has any, otherwise from evidence or, about services, from the
/// sets that are met.
struct RunDecision {
  /// The verdict.
  let verdict: Verdict
  /// The captive portal, if that is the verdict and a login URL was found; if it is `online`, the one that a single
  /// operator suggests.
  let portal: Portal?
  /// The third party that responds instead of servers; nil unless the verdict is `intercepted` or `partial`.
  let interception: Interception?
  /// The facts that the verdict is based on, and everything else that was found.
  let evidence: [Evidence]

  /// Determines the verdict.
  ///
  /// - Parameters:
  ///   - plan: The plan of the run.
  ///   - sets: The results of all sets.
  ///   - capport: The response of the captive-portal API (RFC 8908), or nil if it was not queried.
  init(_ plan: ProbePlan, _ sets: [SetResult], capport: CapportResult?) {
    switch plan.question {
    case .internet: self.init(ofNetwork: plan, sets, capport)
    case .services: self.init(ofServices: plan, sets, capport)
    }
  }

  private init(ofServices plan: ProbePlan, _ sets: [SetResult], _ capport: CapportResult?) {
    let seen = ServiceDecision(sets, success: plan.success, capport: capport)
    let rules = plan.decide ?? []
    let decision = RuleProgress.decision(rules, sets, capport)
    verdict = decision?.rule == nil ? seen.verdict : decision?.verdict ?? seen.verdict
    portal = seen.portal
    interception = nil
    evidence =
      (rules.isEmpty ? [] : [.rule(decision?.rule, of: rules)])
      + [Evidence.announcement(plan.announcement)].compactMap(\.self) + seen.evidence
  }

  private init(ofNetwork plan: ProbePlan, _ sets: [SetResult], _ capport: CapportResult?) {
    let seen = EvidenceDecision(sets, success: plan.success, policy: plan.overallPolicy, capport: capport)
    // A run with a single request cannot end before its response.
    let questions = sets.reduce(capport == nil ? 0 : 1) { $0 + $1.total }
    let endsEarly = plan.stopsEarly && questions > 1
    let announced = [Evidence.announcement(plan.announcement)].compactMap(\.self)
    guard let rules = plan.decide else {
      (verdict, portal) = (seen.verdict, seen.portal)
      interception = verdict.concerns(seen.interception)
      // A run whose responses may suggest a portal waits for all of them.
      let suggests = seen.verdict == .online && seen.portal != nil
      let facts = seen.evidence.filter {
        seen.verdict.isBased(on: $0) || suggests && [.portal, .sign].contains($0.kind)
      }
      evidence = announced + (endsEarly ? facts : seen.evidence)
      return
    }
    let decision = RuleProgress.decision(rules, sets, capport)
    let verdict = decision?.verdict ?? .inconclusive
    self.verdict = verdict
    interception = verdict.concerns(seen.interception)
    let rule = verdict == .captivePortal ? decision?.rule.map { rules[$0] } : nil
    // Look for the login URL in the sets of the rule if it determines the URL, otherwise in all sets.
    let named = rule.map { rule in
      rule.determinesLoginURL ? sets.filter { rule.condition.names($0.name) } : sets
    }
    portal = rule.flatMap {
      $0.determinesLoginURL ? RuledPortal($0, named ?? [], capport).portal : seen.found
    }
    var facts = seen.evidence
    if endsEarly {
      let settled = SettledSets(rules, applying: decision?.rule, sets)
      let basis = EvidenceDecision(
        named ?? sets.filter { settled.names.contains($0.name) },
        success: plan.success, policy: plan.overallPolicy, capport: capport)
      facts = sets.map(Evidence.accepted)
      facts += basis.evidence.filter { $0.kind != .accepted && verdict.isRuleBased(on: $0) }
    }
    evidence = [.rule(decision?.rule, of: rules)] + announced + facts
  }
}

extension RuleProgress {
  /// The decision of rules after a run.
  fileprivate static func decision(
    _ rules: [DecisionRule], _ sets: [SetResult], _ capport: CapportResult?
  ) -> (rule: Int?, verdict: Verdict)? {
    var progress = RuleProgress(rules, sets: sets.map(\.name))
    for (index, set) in sets.enumerated() {
      let tally = SetTally(set)
      progress.update(index, tally, reasons: tally.reasons)
    }
    progress.update(CapportResponse(capport))
    return progress.decision
  }
}

extension Verdict {
  /// The interception, if the verdict is about one.
  fileprivate func concerns(_ interception: Interception?) -> Interception? {
    self == .intercepted || self == .partial ? interception : nil
  }

  /// Whether the verdict is based on a fact, in a run that ends once its verdict is certain.
  ///
  /// Everything else that was found by then depends on timing, and the same network should give the same
  /// evidence.
  fileprivate func isBased(on fact: Evidence) -> Bool {
    switch self {
    case .online: [.accepted, .capport, .responseOfThisMachine].contains(fact.kind)
    case .captivePortal:
      [.accepted, .portal, .sign, .capport, .responseOfThisMachine].contains(fact.kind)
    // These are certain only when all results are known.
    case .intercepted, .partial, .offline, .inconclusive, .healthy, .degraded, .unhealthy: true
    }
  }

  /// The same for a verdict of a rule, which can be certain while probes are running.
  fileprivate func isRuleBased(on fact: Evidence) -> Bool {
    switch self {
    case .online: fact.kind == .responseOfThisMachine
    case .captivePortal: isBased(on: fact)
    case .intercepted, .partial, .offline, .inconclusive:
      [.failed, .responseOfThisMachine].contains(fact.kind)
    case .healthy, .degraded, .unhealthy: true
    }
  }
}

extension Evidence {
  /// The rule that determines the verdict, or that none applies, as evidence.
  fileprivate static func rule(_ rule: Int?, of rules: [DecisionRule]) -> Evidence {
    guard let rule else { return Evidence(.rule, "no rule of decide applies", probes: []) }
    let words = rules[rule].condition.words
    let shown = words.count > 500 ? words.prefix(500) + "…" : words[...]
    return Evidence(.rule, "rule \(rule + 1) of decide applies: \(shown)", probes: [])
  }
}

extension DecisionCondition {
  /// The condition in words, safe to print.
  var words: String {
    switch self {
    case .met(let set, true): "the set \(Excerpt(set)) is met"
    case .met(let set, false): "the set \(Excerpt(set)) is not met"
    case .outcome(let set, let outcome, let count):
      "\(count.words) of the set \(Excerpt(set)) \(outcome.words(ofMany: count.isOfMany))"
    case .reason(let set, let pattern): "a probe of the set \(Excerpt(set)) has the reason \(pattern)"
    case .capport(.captive): "the captive-portal API reports that a login is required"
    case .capport(.open): "the captive-portal API reports that this client has access"
    case .capport(.unavailable): "the captive-portal API is unavailable"
    case .userPortalURL(true): "the captive-portal API names a login page"
    case .userPortalURL(false): "the captive-portal API names no login page"
    case .all(let conditions): Self.join(conditions, "and")
    case .any(let conditions): Self.join(conditions, "or")
    case .not(let condition): "it is not true that \(condition.part)"
    }
  }

  /// The condition in words, in parentheses if needed inside another one.
  private var part: String {
    switch self {
    case .all(let parts) where parts.count > 1, .any(let parts) where parts.count > 1: "(\(words))"
    case .not: "(\(words))"
    default: words
    }
  }

  private static func join(_ conditions: [DecisionCondition], _ word: String) -> String {
    switch conditions.count {
    case 0: word == "and" ? "always" : "never"
    case 1: conditions[0].words
    default: conditions.map(\.part).joined(separator: " \(word) ")
    }
  }
}

extension OutcomeCount {
  fileprivate var words: String {
    switch self {
    case .any: "a probe"
    case .all: "every probe"
    case .atLeast(let count): "at least \(probeCount(count))"
    }
  }

  fileprivate var isOfMany: Bool {
    if case .atLeast(let count) = self { count > 1 } else { false }
  }
}

extension Outcome {
  fileprivate func words(ofMany isOfMany: Bool) -> String {
    self == .failed ? "failed" : (isOfMany ? "were " : "was ") + rawValue
  }
}
