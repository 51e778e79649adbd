public import PortalAnalysis
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
  /// The captive portal that it found, or nil.
  public var portal: Portal?
  /// Where the portal says to log in, or nil.
  public var loginURL: ProbeURL? { portal?.loginURL }
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
    portal = result.portal
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
      pipeline: pipeline, verdict: verdict, portal: portal, evidence: evidence, sets: [], duration: duration)
  }
}

/// One way in which a run differs from what a fixture expects.
public struct FixtureMismatch: Hashable, Sendable {
  /// What differs.
  public enum Subject: String, Hashable, Sendable {
    /// The verdict is none of those expected.
    case verdict
    /// The login URL is another one, or there is none.
    case loginURL
  }

  /// What differs.
  public var subject: Subject
  /// What was expected, verdicts with ` or ` between them; it comes from a file, and is not escaped.
  public var expected: String
  /// What was found, or nil when nothing was; it comes from the network, and is not escaped.
  public var found: String?

  /// A difference.
  public init(_ subject: Subject, expected: String, found: String?) {
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension FixtureMismatch: CustomStringConvertible {
  /// What was expected and what was found, in one line that is safe to print.
  public var description: String {
    switch subject {
    case .verdict: "expected \(expected.escapedForDisplay), found \((found ?? "nothing").escapedForDisplay)"
    case .loginURL:
      "expected to log in at \(expected.escapedForDisplay), found \((found ?? "no login URL").escapedForDisplay)"
    }
  }
}

extension FixtureExpectation {
  /// In what a check's answer differs from this.
  ///
  /// Login URLs are the same when scheme, host, port and path are, an empty path being `/` (RFC 9110 §4.2.3). A login URL
  /// that is expected must be found, whichever of the verdicts was; where none is expected, any is right.
  ///
  /// - Parameters:
  ///   - verdict: The verdict that was found.
  ///   - found: The login URL that was found, or nil.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  /// - Returns: The differences; none when the answer is right.
  public func mismatches(
    verdict: Verdict, loginURL found: ProbeURL?, comparesQueries: Bool = false
  ) -> [FixtureMismatch] {
    var mismatches: [FixtureMismatch] = []
    if !verdicts.contains(verdict) {
      let expected = verdicts.map(\.rawValue).joined(separator: " or ")
      mismatches.append(FixtureMismatch(.verdict, expected: expected, found: verdict.rawValue))
    }
    if let loginURL, !Self.isSame(loginURL, found, comparesQueries: comparesQueries) {
      mismatches.append(FixtureMismatch(.loginURL, expected: loginURL, found: found?.string))
    }
    return mismatches
  }

  private static func isSame(_ expected: String, _ found: ProbeURL?, comparesQueries: Bool) -> Bool {
    // An expectation made in code may be no URL; one from a file always is.
    guard let found, let expected = try? ProbeURL(expected) else { return false }
    func path(_ url: ProbeURL) -> String { url.path.isEmpty ? "/" : url.path }
    return expected.scheme == found.scheme && expected.host == found.host && expected.port == found.port
      && path(expected) == path(found) && (!comparesQueries || expected.query == found.query)
  }
}
