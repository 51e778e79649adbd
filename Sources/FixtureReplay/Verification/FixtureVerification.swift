internal import PortalAnalysis
public import ProbeCore
public import ProbePipeline
public import SourceDocuments

/// What came of verifying a fixture: what pipelines say of the network it replays, and whether that is what it expects.
public struct FixtureVerification: Sendable {
  /// The fixture's folder, as it was named, or what was named when there is no fixture.
  public var path: String
  /// The fixture's name, or nil when it could not be read.
  public var name: String?
  /// What a check of the network should find, or nil when the fixture does not say, or could not be read.
  public var expectation: FixtureExpectation?
  /// What each pipeline found, in their order; those that could not be run are missing.
  public var runs: [VerifiedRun]
  /// Everything that is wrong with the fixture's files; it was not replayed when there is something.
  public var findings: [SourceFinding]
  /// What the machine lacked to replay it, in words: one line, safe to print; nil when it lacked nothing.
  public var shortage: String?

  /// What came of verifying a fixture.
  public init(
    path: String, name: String? = nil, expectation: FixtureExpectation? = nil, runs: [VerifiedRun] = [],
    findings: [SourceFinding] = [], shortage: String? = nil
  ) {
    self.path = path
    self.name = name
    self.expectation = expectation
    self.runs = runs
    self.findings = findings
    self.shortage = shortage
  }

  /// Whether it was replayed, and every pipeline found what it expects.
  ///
  /// A fixture that expects nothing passes when it replays.
  public var hasPassed: Bool {
    findings.isEmpty && shortage == nil && runs.allSatisfy(\.hasPassed)
  }
}

/// What a pipeline found in the network that a fixture replays.
public struct VerifiedRun: Sendable {
  /// The pipeline's name.
  public var pipeline: String
  /// What it says of the network.
  public var verdict: Verdict
  /// Where it says to log in, or nil when it found no captive portal.
  public var loginURL: ProbeURL?
  /// The facts the verdict rests on.
  public var evidence: [Evidence]
  /// How long the run took.
  public var duration: Duration
  /// In what it differs from what the fixture expects; empty when in nothing.
  public var mismatches: [FixtureMismatch]

  /// A run held against what is expected.
  ///
  /// - Parameters:
  ///   - result: What came of the run.
  ///   - expectation: What the fixture expects, or nil for nothing.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  public init(_ result: RunResult, against expectation: FixtureExpectation?, comparesQueries: Bool = false) {
    pipeline = result.pipeline
    verdict = result.verdict
    loginURL = result.portal?.loginURL
    evidence = result.evidence
    duration = result.duration
    mismatches =
      expectation?.mismatches(
        verdict: result.verdict, loginURL: result.portal?.loginURL, comparesQueries: comparesQueries) ?? []
  }

  /// Whether it is what the fixture expects.
  public var hasPassed: Bool { mismatches.isEmpty }

  /// The verdict of the run and what it rests on, without its probes, which are not kept.
  package var result: RunResult {
    RunResult(
      pipeline: pipeline, verdict: verdict, portal: nil, evidence: evidence, sets: [], duration: duration)
  }
}
