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
            "decide has no rules, so nothing would be decided", remedy: "give one, or leave it out"))
      ]
    }
    var check = RuleCheck(sets, asksCapport: capport != nil || asksAnnouncedCapport)
    return decide.enumerated().flatMap { index, rule in
      check.problems(of: rule.condition, "rule \(index + 1) of decide")
        .map { InvalidPlan.Problem(field: "decide", rule: index, $0) }
    }
  }
}

extension ProbePlan {
  /// Warnings: required sets that no rule refers to, so that they never affect the verdict.
  var warnings: [InvalidPlan.Problem] {
    guard let decide else { return [] }
    let named = Set(decide.flatMap(\.condition.sets))
    return sets.indices.filter { sets[$0].required && !named.contains(sets[$0].name) }.map { index in
      InvalidPlan.Problem(
        set: index, field: "name",
        InvalidInput(
          "no rule of decide asks for the set \(Excerpt(sets[index].name)), so it never counts",
          remedy: "name it in one, or write required: false"))
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
          "\(rule) asks what the API of RFC 8908 said, and none is asked",
          remedy: "give its https URL as capport of policy, or let policy have capport: announced")
      ]
    case .met(let name, _), .reason(let name, _), .outcome(let name, _, .any), .outcome(let name, _, .all):
      return sets[name] == nil ? [unknown(name, rule)] : []
    case .outcome(let name, _, .atLeast(let count)):
      guard let set = sets[name] else { return [unknown(name, rule)] }
      guard count < 1 || count > set.probes.count else { return [] }
      return [
        InvalidInput(
          "\(rule) asks for \(probeCount(count)) of the set \(Excerpt(name)), which has \(set.size)",
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
      "\(rule) asks for the set \(Excerpt(name)), and no set has that name",
      remedy: near.map { "did you mean \(Excerpt($0))?" } ?? "give the name of a set")
  }
}
