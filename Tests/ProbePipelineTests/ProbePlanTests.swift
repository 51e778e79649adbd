import ProbeCore
import ProbePipeline
import Testing

@Suite struct ProbePlanTests {
  @Test func everythingThatIsWrongIsReported() throws {
    let url = "https://a.example/"
    let sets = [
      PlannedSet(name: "a", probes: []),
      PlannedSet(name: "b", threshold: try .count(2), probes: [try probe(url)]),
      PlannedSet(name: "b", probes: [try probe(url)]),
    ]
    let error = #expect(throws: InvalidPlan.self) {
      try ProbePlan(
        name: "test", sets: sets, success: .count(4),
        run: RunLimits(concurrency: 0, perHost: 1, deadline: .zero))
    }
    #expect(error?.problems.map(\.set) == [0, 1, 2, nil, nil, nil])
    #expect(
      error?.description == """
        the set "a" has no URLs: give it at least one, or remove it
        the threshold 2 of the set "b" cannot be met with 1 URL: use at most 1, or a percentage
        two sets have the name "b": give each set a name of its own
        the success threshold 4 cannot be met with 3 required sets: use at most 3, or a percentage
        a run without any probe at a time never ends: use at least 1 for concurrency and perHost
        the deadline leaves no time: give a time above zero
        """)
  }

  @Test func aPlanNeedsARequiredSet() throws {
    let optional = PlannedSet(name: "a", required: false, probes: [try probe("https://a.example/")])
    for sets in [[], [optional]] {
      let error = #expect(throws: InvalidPlan.self) { try ProbePlan(name: "test", sets: sets) }
      #expect(error?.problems.count == 1)
    }
  }

  @Test func aPlanIsHttpsOnlyAndWantsEverythingUnlessToldOtherwise() throws {
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: [try probe("https://a.example/")])])
    #expect(plan.policy == .httpsOnly)
    #expect(plan.success == .all)
    #expect(plan.sets[0].threshold == .all)
    #expect(plan.run == RunLimits(concurrency: 64, perHost: 8, deadline: nil))
  }

  @Test func aValidatorThatDoesNotJudgeTheStatusIsGuarded() throws {
    let page = try answer("https://a.example/", 404, body: "x")
    #expect(try probe("https://a.example/", BodyIs(text: "x")).isAccepted(page) == false)
    let judging = ClosureValidator(judgesStatus: true) { _ in .accepted }
    #expect(try probe("https://a.example/", judging).isAccepted(page) == true)
    #expect(try probe("https://a.example/").isAccepted(page) == false)
  }
}

extension PlannedProbe {
  fileprivate func isAccepted(_ answer: ProbeResponse) -> Bool? {
    guard case .validator(let validator) = judge else { return nil }
    return validator.validate(answer).isAccepted
  }
}
