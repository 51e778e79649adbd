import ProbeBase
import ProbeCore

/// Validates a plan.
extension ProbePlan {
  /// All problems, in the order of ``InvalidPlan/problems``.
  var problems: [InvalidPlan.Problem] {
    var names: Set<String> = []
    var problems: [InvalidPlan.Problem] = []
    for (index, set) in sets.enumerated() {
      if !names.insert(set.name).inserted {
        problems.append(
          InvalidPlan.Problem(
            set: index, field: "name",
            InvalidInput(
              "two sets have the name \(Excerpt(set.name))", remedy: "use a different name for each set")))
      }
      if index == 0, set.start == .undecided {
        problems.append(
          InvalidPlan.Problem(
            set: index, field: "run",
            InvalidInput(
              "the set \(Excerpt(set.name)) is a fallback, but no set precedes it",
              remedy: "run it always, or put it after another set")))
      }
      problems += set.problems.map {
        InvalidPlan.Problem(set: index, field: $0.field, rule: $0.rule, $0.input)
      }
    }
    return problems + successProblems + limitProblems + capportProblems + ruleProblems
  }

  private var successProblems: [InvalidPlan.Problem] {
    let required = sets.count { $0.isRequired }
    let problem: (field: String, input: InvalidInput)
    if sets.isEmpty {
      problem = ("sets", InvalidInput("there is no set of URLs", remedy: "add at least one"))
    } else if decide != nil {
      // Only the rules determine the verdict.
      return []
    } else if required == 0 {
      problem = (
        "sets",
        InvalidInput(
          "no set is required, so success is not defined", remedy: "make at least one set required")
      )
    } else if !success.isReachable(of: required) {
      problem = (
        "success.threshold",
        InvalidInput(
          "the success threshold \(success) cannot be met with \(required) required "
            + (required == 1 ? "set" : "sets"), remedy: "use at most \(required), or a percentage")
      )
    } else {
      return []
    }
    return [InvalidPlan.Problem(field: problem.field, problem.input)]
  }

  private var limitProblems: [InvalidPlan.Problem] {
    var problems: [InvalidPlan.Problem] = []
    for (field, limit) in [("concurrency", run.concurrency), ("perHost", run.perHost)] where limit < 1 {
      problems.append(
        InvalidPlan.Problem(
          field: "run.\(field)",
          InvalidInput("with \(field): \(limit) nothing would run", remedy: "use at least 1")))
    }
    if let deadline = run.deadline, deadline <= .zero {
      problems.append(
        InvalidPlan.Problem(
          field: "run.deadline",
          InvalidInput("the deadline is zero", remedy: "use a longer time")))
    }
    return problems
  }

  private var capportProblems: [InvalidPlan.Problem] {
    guard let capport, capport.scheme != .https else { return [] }
    return [
      InvalidPlan.Problem(
        field: "policy.capport",
        InvalidInput(
          "the captive-portal API (RFC 8908) requires https, not \(capport.scheme)",
          remedy: "use an https URL, or off"))
    ]
  }
}

extension PlannedSet {
  /// The problems of the set itself.
  fileprivate var problems: [(field: String, rule: Int?, input: InvalidInput)] {
    let name = Excerpt(name)
    guard !probes.isEmpty else {
      return [
        (
          "urls", nil,
          InvalidInput("the set \(name) has no URLs", remedy: "add at least one, or remove the set")
        )
      ]
    }
    var problems: [(field: String, rule: Int?, input: InvalidInput)] = []
    if !threshold.isReachable(of: probes.count) {
      problems.append(
        (
          "threshold", nil,
          InvalidInput(
            "the threshold \(threshold) of the set \(name) cannot be met with \(size)",
            remedy: "use at most \(probes.count), or a percentage")
        ))
    }
    for case .rules(let rules) in probes.lazy.map(\.judge) {
      let skipping = rules.firstIndex { $0.outcome == .skipped }
      guard rules.isEmpty || skipping != nil else { continue }
      let message =
        skipping.map { "rule \($0 + 1) of classify of the set \(name) skips a probe that has been made" }
        ?? "classify of the set \(name) has no rules, so every probe would fail"
      let remedy = skipping == nil ? "add at least one" : "use accepted, intercepted or failed"
      problems.append(("classify", skipping, InvalidInput(message, remedy: remedy)))
      // The probes of a set mostly share their rules.
      break
    }
    return problems
  }

  /// The number of its probes, with the unit: URLs, unless each URL is probed with several families.
  var size: String {
    probes.count.counted(probes.contains { $0.family != nil } ? "probe" : "URL")
  }
}

/// Validates the rules of `decide`.
extension ProbePlan {
  /// The problems of the rules, in order.
  var ruleProblems: [InvalidPlan.Problem] {
    guard let decide else { return [] }
    guard !decide.isEmpty else {
      return [
        InvalidPlan.Problem(
          field: "decide",
          InvalidInput(
            "decide has no rules", remedy: "add a rule, or omit decide"))
      ]
    }
    var check = RuleCheck(sets, requestsCapport: capport != nil || asksAnnouncedCapport)
    return decide.enumerated().flatMap { index, rule in
      (problems(of: rule.verdict, "rule \(index + 1) of decide")
        + check.problems(of: rule.condition, "rule \(index + 1) of decide"))
        .map { InvalidPlan.Problem(field: "decide", rule: index, $0) }
    }
  }

  /// A verdict must answer the plan's question.
  private func problems(of verdict: Verdict, _ rule: String) -> [InvalidInput] {
    guard verdict.question != question else { return [] }
    let own = Verdict.allCases.filter { $0.question == question }.map(\.rawValue)
    return [
      InvalidInput(
        "\(rule) has the verdict \(verdict.rawValue), which does not answer question: \(question.rawValue)",
        remedy: "use \(own.alternatives), or set question: \(verdict.question.rawValue)")
    ]
  }
}

extension ProbePlan {
  /// Warnings: required sets that no rule refers to, so that they never affect the verdict.
  var warnings: [InvalidPlan.Problem] {
    guard let decide else { return [] }
    let named = Set(decide.flatMap(\.condition.sets))
    return sets.indices.filter { sets[$0].isRequired && !named.contains(sets[$0].name) }.map { index in
      InvalidPlan.Problem(
        set: index, field: "name",
        InvalidInput(
          "no rule of decide uses the set \(Excerpt(sets[index].name)), so it never counts",
          remedy: "use it in a rule, or set required: false"))
    }
  }
}

extension DecisionCondition {
  /// The names of the sets it refers to.
  fileprivate var sets: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.sets)
    case .not(let part): part.sets
    case .met(let name, _), .reason(let name, _), .outcome(let name, _, _): [name]
    case .capport, .userPortalURL: []
    }
  }
}

/// Checks the rules one by one.
private struct RuleCheck {
  private let sets: [String: PlannedSet]
  private let names: [String]
  private let requestsCapport: Bool
  /// Finding the nearest name is slow, and a hostile file can contain many unknown ones.
  private var remainingSearches = 20

  init(_ sets: [PlannedSet], requestsCapport: Bool) {
    self.sets = Dictionary(sets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    names = sets.map(\.name)
    self.requestsCapport = requestsCapport
  }

  mutating func problems(of condition: DecisionCondition, _ rule: String) -> [InvalidInput] {
    switch condition {
    case .all(let parts), .any(let parts):
      var problems: [InvalidInput] = []
      for part in parts { problems += self.problems(of: part, rule) }
      return problems
    case .not(let part): return problems(of: part, rule)
    case .capport, .userPortalURL:
      if requestsCapport { return [] }
      return [
        InvalidInput(
          "\(rule) uses the captive-portal API (RFC 8908), but the policy has none",
          remedy: "set capport in policy to its https URL, or to announced")
      ]
    case .met(let name, _), .reason(let name, _), .outcome(let name, _, .any), .outcome(let name, _, .all):
      return sets[name] == nil ? [unknown(name, rule)] : []
    case .outcome(let name, _, .atLeast(let count)):
      guard let set = sets[name] else { return [unknown(name, rule)] }
      guard count < 1 || count > set.probes.count else { return [] }
      return [
        InvalidInput(
          "\(rule) needs \(probeCount(count)) of the set \(Excerpt(name)), which has \(set.size)",
          remedy: "use 1 to \(set.probes.count), any or all")
      ]
    }
  }

  private mutating func unknown(_ name: String, _ rule: String) -> InvalidInput {
    var near: String?
    if remainingSearches > 0, names.count <= 100 {
      remainingSearches -= 1
      near = nearestName(to: name, among: names)
    }
    return InvalidInput(
      "\(rule) uses the set \(Excerpt(name)), which does not exist",
      remedy: near.map { "did you mean \(Excerpt($0))?" } ?? "use the name of a set")
  }
}
