import ProbeCore
import ProbePipeline
import Testing
import TestTransports

@Suite struct ProbePlanTests {
  @Test func allErrorsAreReported() throws {
    let url = "https://a.example/"
    let sets = [
      PlannedSet(name: "a", start: .undecided, probes: []),
      PlannedSet(name: "b", threshold: try .count(2), probes: [try probe(url)]),
      PlannedSet(name: "b", probes: [try probe(url)]),
    ]
    let error = #expect(throws: InvalidPlan.self) {
      try ProbePlan(
        name: "test", sets: sets, success: .count(4),
        run: RunLimits(concurrency: 0, perHost: -1, deadline: .zero),
        capport: try ProbeURL("http://a.example/"))
    }
    #expect(error?.problems.map(\.set) == [0, 0, 1, 2, nil, nil, nil, nil, nil])
    let fields = [
      "run", "urls", "threshold", "name", "success.threshold", "run.concurrency", "run.perHost",
      "run.deadline",
      "policy.capport",
    ]
    #expect(error?.problems.map(\.field) == fields)
    #expect(
      error?.description == """
        the set "a" is a fallback, but no set precedes it: run it always, or put it after another set
        the set "a" has no URLs: add at least one, or remove the set
        the threshold 2 of the set "b" cannot be met with 1 URL: use at most 1, or a percentage
        two sets have the name "b": use a different name for each set
        the success threshold 4 cannot be met with 3 required sets: use at most 3, or a percentage
        with concurrency: 0 nothing would run: use at least 1
        with perHost: -1 nothing would run: use at least 1
        the deadline is zero: use a longer time
        the captive-portal API (RFC 8908) requires https, not http: use an https URL, or off
        """)
  }

  @Test func rulesWithUnknownReferencesAreReported() throws {
    var v4 = try probe("https://a.example/")
    var v6 = v4
    v4.family = .v4
    v6.family = .v6
    let conditions: [DecisionCondition] = [
      .met(set: "apple", true), .met(set: "appel", false),
      .all([
        .outcome(set: "apple", .failed, .atLeast(3)), .not(.reason(set: "x", try ReasonPattern("tls.*"))),
      ]),
      .any([.outcome(set: "both", .skipped, .atLeast(3)), .outcome(set: "both", .skipped, .atLeast(2))]),
      .outcome(set: "both", .failed, .atLeast(0)), .outcome(set: "zzz", .failed, .all), .capport(.open),
    ]
    let error = #expect(throws: InvalidPlan.self) {
      try ProbePlan(
        name: "test",
        sets: [
          PlannedSet(
            name: "apple", probes: [try probe("https://a.example/"), try probe("https://b.example/")]),
          PlannedSet(name: "both", probes: [v4, v6]),
        ], decide: conditions.map { DecisionRule(when: $0, .online) })
    }
    #expect(error?.problems.map(\.rule) == [1, 2, 2, 3, 4, 5, 6])
    #expect(error?.problems.allSatisfy { $0.field == "decide" && $0.set == nil } == true)
    #expect(
      error?.description == """
        rule 2 of decide uses the set "appel", which does not exist: did you mean "apple"?
        rule 3 of decide needs 3 probes of the set "apple", which has 2 URLs: use 1 to 2, any or all
        rule 3 of decide uses the set "x", which does not exist: use the name of a set
        rule 4 of decide needs 3 probes of the set "both", which has 2 probes: use 1 to 2, any or all
        rule 5 of decide needs 0 probes of the set "both", which has 2 probes: use 1 to 2, any or all
        rule 6 of decide uses the set "zzz", which does not exist: use the name of a set
        rule 7 of decide uses the captive-portal API (RFC 8908), but the policy has none: set capport in policy to its \
        https URL, or to announced
        """)
  }

  @Test func emptyRulesAndSkippingRulesAreRejected() throws {
    let url = try ProbeURL("https://a.example/")
    let request = ProbeRequest(url)
    let skipping = ClassifyRule(when: .redirect(.any), .skipped)
    let error = #expect(throws: InvalidPlan.self) {
      try ProbePlan(
        name: "test",
        sets: [
          PlannedSet(name: "a", probes: [PlannedProbe(url: url.string, request: request, classify: [])]),
          PlannedSet(
            name: "b", probes: [PlannedProbe(url: url.string, request: request, classify: [skipping])]),
        ], decide: [])
    }
    #expect(error?.problems.map(\.field) == ["classify", "classify", "decide"])
    #expect(error?.problems.map(\.rule) == [nil, 0, nil])
    #expect(
      error?.description == """
        classify of the set "a" has no rules, so every probe would fail: add at least one
        rule 1 of classify of the set "b" skips a probe that has been made: use accepted, intercepted or failed
        decide has no rules: add a rule, or omit decide
        """)
  }

  @Test func withRulesNoSetNeedsToBeRequired() throws {
    let sets = [PlannedSet(name: "a", required: false, probes: [try probe("https://a.example/")])]
    let plan = try ProbePlan(
      name: "test", sets: sets, decide: [DecisionRule(when: .met(set: "a", true), .online)])
    #expect(plan.stopsEarly)
  }

  @Test func aPlanNeedsARequiredSet() throws {
    let optional = PlannedSet(name: "a", required: false, probes: [try probe("https://a.example/")])
    for sets in [[], [optional]] {
      let error = #expect(throws: InvalidPlan.self) { try ProbePlan(name: "test", sets: sets) }
      #expect(error?.problems.count == 1)
    }
  }

  @Test func theDefaultsAreHTTPSOnlyAndAllProbes() throws {
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: [try probe("https://a.example/")])])
    #expect(plan.policy == .httpsOnly)
    #expect(plan.success == .all)
    #expect(plan.sets[0].threshold == .all)
    #expect(plan.run == RunLimits(concurrency: 64, perHost: 8, deadline: nil))
  }

  @Test func validatorsThatIgnoreTheStatusStillRequireSuccess() throws {
    let page = try fakeResponse("https://a.example/", 404, body: "x")
    #expect(try probe("https://a.example/", BodyIs(text: "x")).isAccepted(page) == false)
    let judging = ClosureValidator(judges: [.status, .content]) { _ in .accepted }
    #expect(try probe("https://a.example/", judging).isAccepted(page) == true)
    #expect(try probe("https://a.example/").isAccepted(page) == false)
  }
}

extension PlannedProbe {
  fileprivate func isAccepted(_ response: ProbeResponse) -> Bool? {
    guard case .validator(let validator) = judge else { return nil }
    return validator.validate(response).isAccepted
  }
}
