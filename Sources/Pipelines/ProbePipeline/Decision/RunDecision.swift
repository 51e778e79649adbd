import PortalAnalysis
import ProbeCore

/// The verdict of a run: from the plan's rules if it has any, otherwise from evidence or, about services, from the
/// sets that are met.
struct RunDecision {
  let verdict: Verdict
  /// The captive portal, if that is the verdict and a login URL was found; if it is `online`, the one that a single
  /// operator suggests.
  let portal: Portal?
  /// The third party that intercepts requests; nil unless the verdict is `intercepted` or `partial`.
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
      "\(count.words) of the set \(Excerpt(set)) \(outcome.words(ofMany: count.isPlural))"
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

  fileprivate var isPlural: Bool {
    if case .atLeast(let count) = self { count > 1 } else { false }
  }
}

extension Outcome {
  fileprivate func words(ofMany isPlural: Bool) -> String {
    self == .failed ? "failed" : (isPlural ? "were " : "was ") + rawValue
  }
}

/// The login URL according to a `decide` rule: an emulated engine opens a specific URL, not the most credible
/// one.
struct RuledPortal {
  /// The portal, or nil if none of the rule's sources has a URL and the engine opens no URL of its own.
  let portal: Portal?

  /// Looks for the login URL.
  ///
  /// - Parameters:
  ///   - rule: The rule, which names the sources.
  ///   - sets: The sets that it refers to; their probes that were not accepted are examined in order.
  ///   - capport: The response of the captive-portal API (RFC 8908), or nil if it was not queried.
  init(_ rule: DecisionRule, _ sets: [SetResult], _ capport: CapportResult?) {
    let intercepted = sets.flatMap(\.probes).filter { $0.outcome == .intercepted }
    let probes = intercepted.isEmpty ? sets.flatMap(\.probes).filter { $0.outcome == .failed } : intercepted
    func portal(_ url: ProbeURL, _ source: LoginURLSource) -> Portal {
      Portal(
        loginURL: url, source: source, wispr: probes.lazy.compactMap { $0.portal?.wispr }.first,
        kind: probes.lazy.compactMap { $0.shownPortal?.kind }.first ?? .login,
        confidence: probes.lazy.compactMap(\.shownPortal).first?.confidence)
    }
    let found = rule.loginURL.lazy.compactMap { source in
      Self.loginURL(source, probes, capport).map { portal($0, source) }
    }.first
    // Like a probed URL, it shows the portal's page, because the portal intercepts the request for it.
    self.portal = found ?? rule.opens.map { portal($0, .probeURL) }
  }

  private static func loginURL(
    _ source: LoginURLSource, _ probes: [ProbeResult], _ capport: CapportResult?
  ) -> ProbeURL? {
    switch source {
    case .capport: capport?.loginURL
    case .location: probes.lazy.compactMap(\.redirectTarget).first
    case .probeURL: probes.lazy.compactMap { (try? ProbeURL($0.url))?.openable }.first
    case .wispr: probes.lazy.compactMap(\.messageURL).first
    case .body511, .metaRefresh, .javascript, .form, .link:
      probes.lazy.compactMap { $0.portal?.source == source ? $0.portal?.loginURL : nil }.first
    }
  }
}

extension ProbeResult {
  /// The login URL of the WISPr message, even if the response has another URL that is more credible.
  fileprivate var messageURL: ProbeURL? {
    guard let portal, portal.source != .wispr else { return portal?.loginURL }
    guard let text = portal.wispr?.loginURL, let requestedURL = try? ProbeURL(url),
      let target = requestedURL.resolve(text)?.openable, requestedURL.mayRedirect(to: target)
    else { return nil }
    return target
  }

  /// The target of the last redirect that has one, unless it is not safe to open.
  fileprivate var redirectTarget: ProbeURL? {
    guard let target = response?.redirects.last(where: { $0.target != nil })?.target?.openable,
      let requestedURL = try? ProbeURL(url), requestedURL.mayRedirect(to: target)
    else { return nil }
    return target
  }
}

extension ProbeURL {
  /// The URL, or nil if browsers do not open its scheme.
  fileprivate var openable: ProbeURL? { [.http, .https].contains(scheme) ? self : nil }
}

extension DecisionCondition {
  /// Whether the condition refers to a set with this name.
  func names(_ set: String) -> Bool {
    switch self {
    case .met(let name, _), .outcome(let name, _, _), .reason(let name, _): name == set
    case .capport, .userPortalURL: false
    case .all(let parts), .any(let parts): parts.contains { $0.names(set) }
    case .not(let part): part.names(set)
    }
  }
}

/// The sets that have finished whenever the rules of `decide` give their verdict, in whatever order results arrive.
///
/// A run ends once its verdict is certain, so other sets may have finished or not. Evidence that has to be the same
/// for equal networks can use only these.
struct SettledSets {
  /// The names of the settled sets.
  private(set) var names: Set<String> = []
  private let tallies: [String: SetTally]

  /// Finds the sets.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - applying: The position of the rule that applies, or nil if none does.
  ///   - sets: The results of all sets.
  init(_ rules: [DecisionRule], applying: Int?, _ sets: [SetResult]) {
    tallies = Dictionary(sets.map { ($0.name, SetTally($0)) }, uniquingKeysWith: { first, _ in first })
    // What is known of these sets can show that further ones have finished.
    var count: Int
    repeat {
      count = names.count
      for (position, rule) in rules.enumerated().prefix((applying ?? rules.count - 1) + 1) {
        names.formUnion(finished(when: rule.condition, is: Truth(position == applying)))
      }
    } while names.count > count
  }

  /// The sets that have finished once a condition is known to have a value.
  private func finished(when condition: DecisionCondition, is truth: Truth) -> Set<String> {
    switch (condition, truth) {
    case (.not(let part), _): return finished(when: part, is: !truth)
    case (.all(let parts), .yes), (.any(let parts), .no):
      return parts.reduce(into: []) { $0.formUnion(finished(when: $1, is: truth)) }
    case (.all(let parts), _), (.any(let parts), _):
      // Any part with this value is enough, so only what all possible ones have in common is certain.
      let values = parts.map(value)
      guard !values.contains(truth) else { return [] }
      let possible = zip(parts, values).filter { $0.1 == .unknown }.map { finished(when: $0.0, is: truth) }
      return possible.dropFirst().reduce(possible.first ?? []) { $0.intersection($1) }
    default:
      guard let name = condition.set, let tally = tallies[name] else { return [] }
      return condition.needsEveryProbe(of: tally, toBe: truth) ? [name] : []
    }
  }

  /// The value of a condition as far as the sets found so far determine it.
  private func value(_ condition: DecisionCondition) -> Truth {
    switch condition {
    case .not(let part): return !value(part)
    case .all(let parts):
      let values = parts.map(value)
      return values.contains(.no) ? .no : values.contains(.unknown) ? .unknown : .yes
    case .any(let parts):
      let values = parts.map(value)
      return values.contains(.yes) ? .yes : values.contains(.unknown) ? .unknown : .no
    default:
      guard let name = condition.set, names.contains(name), let tally = tallies[name] else { return .unknown }
      return condition.truth(by: tally, reasons: tally.reasons)
    }
  }
}

extension DecisionCondition {
  /// Whether a condition on a set is known to have a value only after the last probe of the set.
  fileprivate func needsEveryProbe(of tally: SetTally, toBe truth: Truth) -> Bool {
    let least: Int
    var isReached = truth == .yes
    switch self {
    case .met(_, let isMet):
      least = tally.needed
      isReached = isReached == isMet
    case .outcome(_, _, .any), .reason: least = 1
    case .outcome(_, _, .all): least = tally.total
    case .outcome(_, _, .atLeast(let count)): least = count
    case .capport, .userPortalURL, .all, .any, .not: return false
    }
    // Only a count that is the total is reached by the last probe, and only a count of 1 is missed by it.
    return tally.total == 1 || least == (isReached ? tally.total : 1)
  }
}
