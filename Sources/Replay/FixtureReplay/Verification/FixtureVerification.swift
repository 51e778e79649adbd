public import PortalAnalysis
public import ProbeCore
public import ProbePipeline
public import SourceDocuments

/// The result of verifying a fixture: what each pipeline found in its network, compared with what the fixture
/// expects.
public struct FixtureVerification: Sendable {
  /// The fixture's folder, or the given path if there is no fixture.
  public var path: String
  /// The fixture's name, or nil when it could not be read.
  public var name: String?
  /// The expected result of a check of the network; nil if unspecified, or if the fixture could not be read.
  public var expectation: FixtureExpectation?
  /// What each pipeline found, in the pipelines' order; those that could not be run are missing.
  public var runs: [VerifiedRun]
  /// All errors in the fixture's files; if there are any, it was not replayed.
  public var findings: [SourceFinding]
  /// The resource that the machine lacked to replay it, as one line that is safe to print; nil if none.
  public var shortage: String?

  package init(
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

  /// Whether it was replayed, and every pipeline found what the fixture expects.
  ///
  /// A fixture without an expectation passes if it was replayed.
  public var hasPassed: Bool {
    findings.isEmpty && shortage == nil && runs.allSatisfy(\.hasPassed)
  }
}

/// What a pipeline found in the network of a fixture.
public struct VerifiedRun: Sendable {
  /// The pipeline's name.
  public var pipeline: String
  /// The verdict.
  public var verdict: Verdict
  /// The captive portal, or nil if it found none.
  public var portal: Portal?
  /// The interception, or nil if there is none.
  public var interception: Interception?
  /// The login URL, or nil if it found no captive portal.
  public var loginURL: ProbeURL? { portal?.loginURL }
  /// The facts that the verdict is based on.
  public var evidence: [Evidence]
  /// How long the run took.
  public var duration: Duration
  /// The differences from what the fixture expects.
  public var mismatches: [FixtureMismatch]

  /// Compares a run with the expectation of its fixture.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - expectation: What the fixture expects, or nil for nothing.
  ///   - comparesQueries: Whether the queries of login URLs must match too.
  package init(_ result: RunResult, against expectation: FixtureExpectation?, comparesQueries: Bool = false) {
    pipeline = result.pipeline
    verdict = result.verdict
    portal = result.portal
    interception = result.interception
    evidence = result.evidence
    duration = result.duration
    mismatches =
      expectation?.mismatches(
        verdict: result.verdict, loginURL: result.portal?.loginURL, comparesQueries: comparesQueries) ?? []
  }

  /// Whether it found what the fixture expects.
  public var hasPassed: Bool { mismatches.isEmpty }

  /// The run's verdict and evidence; its probes are not kept.
  package var result: RunResult {
    RunResult(
      pipeline: pipeline, verdict: verdict, portal: portal, evidence: evidence, sets: [], duration: duration,
      interception: interception)
  }
}

/// One way in which a run differs from what a fixture expects.
public struct FixtureMismatch: Hashable, Sendable {
  /// The property that differs.
  public enum Subject: String, Hashable, Sendable {
    /// The verdict is not one of those expected.
    case verdict
    /// The login URL is different or missing.
    case loginURL
  }

  /// The property that differs.
  public var subject: Subject
  /// The expected value, verdicts joined by ` or `; it is from a file and not escaped.
  public var expected: String
  /// The found value, or nil if there was none; it is from the network and not escaped.
  public var found: String?

  package init(_ subject: Subject, expected: String, found: String?) {
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension FixtureMismatch: CustomStringConvertible {
  /// The expected and the found value, as one line that is safe to print.
  public var description: String {
    switch subject {
    case .verdict: "expected \(expected.escapedForDisplay), found \((found ?? "nothing").escapedForDisplay)"
    case .loginURL:
      "expected the login URL \(expected.escapedForDisplay), found \((found ?? "no login URL").escapedForDisplay)"
    }
  }
}

extension FixtureExpectation {
  /// Compares findings with this expectation.
  ///
  /// Login URLs match if scheme, host, port and path do; an empty path equals `/` (RFC 9110 §4.2.3). An
  /// expected login URL must be found with any of the verdicts; without one, any is accepted.
  ///
  /// - Parameters:
  ///   - verdict: The verdict that was found.
  ///   - found: The login URL that was found, or nil.
  ///   - comparesQueries: Whether the queries of login URLs must match too.
  /// - Returns: The differences; empty if there are none.
  package func mismatches(
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
    // An expectation created in code may not be a valid URL; one from a file always is.
    guard let found, let expected = try? ProbeURL(expected) else { return false }
    func path(_ url: ProbeURL) -> String { url.path.isEmpty ? "/" : url.path }
    return expected.scheme == found.scheme && expected.host == found.host && expected.port == found.port
      && path(expected) == path(found) && (!comparesQueries || expected.query == found.query)
  }
}
