import ProbeCore
import ProbePipeline
import Testing

@testable import FixtureReplay

/// The results of runs that end in any order.
@Suite struct VerificationProgressTests {
  private static func plan(_ name: String) throws -> ProbePlan {
    let probe = PlannedProbe(url: "https://a/", request: ProbeRequest(try ProbeURL("https://a/")))
    return try ProbePlan(name: name, sets: [PlannedSet(name: "s", probes: [probe])])
  }

  private static func runs(_ names: [String], fixture: Int = 0) throws -> [VerificationProgress.Run] {
    try names.enumerated().map {
      VerificationProgress.Run(fixture: fixture, position: $0.offset, plan: try plan($0.element))
    }
  }

  private static func found(_ run: VerificationProgress.Run) -> VerificationProgress.Outcome {
    let result = RunResult(
      pipeline: run.plan.name, verdict: .online, portal: nil, evidence: [], sets: [], duration: .zero)
    return .found(VerifiedRun(result, against: nil))
  }

  /// The verifications that are returned as each of the runs ends.
  private static func verifications(
    of plans: [Int], _ ends: [(run: VerificationProgress.Run, outcome: VerificationProgress.Outcome)]
  ) -> [FixtureVerification?] {
    var progress = VerificationProgress()
    for (index, count) in plans.enumerated() {
      progress.add(FixtureVerification(path: "\(index)"), at: index, plans: count)
    }
    return ends.map { progress.end($0.run, with: $0.outcome) }
  }

  @Test func runsHaveTheOrderOfThePlans() throws {
    let runs = try Self.runs(["one", "two", "three"])
    let given = Self.verifications(of: [3], [runs[2], runs[0], runs[1]].map { ($0, Self.found($0)) })
    #expect(given.map { $0 == nil } == [true, true, false])
    #expect(given.last??.runs.map(\.pipeline) == ["one", "two", "three"])
    #expect(given.last??.hasPassed == true)
  }

  @Test func fixturesDoNotMix() throws {
    let (first, second) = (try Self.runs(["one", "two"]), try Self.runs(["one", "two"], fixture: 1))
    let given = Self.verifications(
      of: [2, 2], [first[0], second[1], second[0], first[1]].map { ($0, Self.found($0)) })
    #expect(given.map { $0?.path } == [nil, nil, "1", "0"])
  }

  @Test func missingResourcesAreReportedOnceWithTheOtherResults() throws {
    let runs = try Self.runs(["one", "two", "three"])
    let given = Self.verifications(
      of: [3],
      [
        (runs[2], .short("no memory is left")), (runs[1], .short("no descriptor is left")),
        (runs[0], Self.found(runs[0])),
      ])
    let verification = try #require(given.last ?? nil)
    #expect(verification.runs.map(\.pipeline) == ["one"])
    #expect(verification.shortage == "no descriptor is left")
    #expect(!verification.hasPassed)
  }
}
