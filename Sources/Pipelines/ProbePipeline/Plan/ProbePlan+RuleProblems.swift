import ProbeCore

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
    var check = RuleCheck(sets, asksCapport: capport != nil || asksAnnouncedCapport)
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
  private let asksCapport: Bool
  /// Finding the nearest name is slow, and a hostile file can contain many unknown ones.
  private var remainingSearches = 20

  init(_ sets: [PlannedSet], asksCapport: Bool) {
    self.sets = Dictionary(sets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    names = sets.map(\.name)
    self.asksCapport = asksCapport
  }

  mutating func problems(of condition: DecisionCondition, _ rule: String) -> [InvalidInput] {
    switch condition {
    case .all(let parts), .any(let parts):
      var problems: [InvalidInput] = []
      for part in parts { problems += self.problems(of: part, rule) }
      return problems
    case .not(let part): return problems(of: part, rule)
    case .capport, .userPortalURL:
      if asksCapport { return [] }
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
