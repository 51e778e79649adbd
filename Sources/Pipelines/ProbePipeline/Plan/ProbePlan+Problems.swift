import ProbeCore
import ProbeBase

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
