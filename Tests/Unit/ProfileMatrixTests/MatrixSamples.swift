import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import SourceDocuments

@testable import ProfileMatrix

/// Fixtures with the results of several profiles, with every kind of cell.
enum MatrixSamples {
  static let profiles = ["default", "apple", "networkmanager"]
  /// Text that would have an effect in a page, on a terminal or in a table if it were not escaped.
  static let hostile = "</ul><script>alert('1')</script>\u{202E}\u{1B}[2J|**`\"&"

  static func run(
    _ profile: String, _ verdict: Verdict, _ loginURL: String? = nil, _ facts: [String] = [],
    against expectation: FixtureExpectation?
  ) throws -> VerifiedRun {
    let portal = try loginURL.map { Portal(loginURL: try ProbeURL($0), source: .location) }
    let result = RunResult(
      pipeline: profile, verdict: verdict, portal: portal,
      evidence: facts.map { Evidence(.failed, $0, probes: []) }, sets: [], duration: .zero)
    return VerifiedRun(result, against: expectation)
  }

  private static func verification(
    _ path: String, _ expectation: FixtureExpectation?, _ verdicts: [(verdict: Verdict, loginURL: String?)]
  ) throws -> FixtureVerification {
    let runs = try zip(profiles, verdicts).map { profile, found in
      try run(
        profile, found.verdict, found.loginURL, ["what \(profile) saw", "seen by all"], against: expectation)
    }
    return FixtureVerification(path: path, name: path, expectation: expectation, runs: runs)
  }

  static func verifications() throws -> [FixtureVerification] {
    let login = "http://login.example/"
    let portal = FixtureExpectation([.captivePortal], loginURL: login)
    var short = try verification("fixtures/worlds/short", portal, [(.captivePortal, login)])
    short.shortage = "no descriptor is left"
    var evil = try verification(
      "fixtures/worlds/\(hostile)", nil, [(.inconclusive, nil), (.offline, nil), (.partial, nil)])
    evil.runs[0].evidence = [Evidence(.sign, hostile, probes: [])]
    return [
      try verification(
        "fixtures/portals/hotel", portal,
        [(.captivePortal, "\(login)?room=1"), (.captivePortal, nil), (.online, nil)]),
      try verification(
        "fixtures/blocked/page", FixtureExpectation([.intercepted, .offline, .inconclusive]),
        [(.intercepted, nil), (.captivePortal, login), (.offline, nil)]),
      try verification(
        "fixtures/worlds/open", FixtureExpectation([.online]),
        [(.online, nil), (.online, nil), (.partial, nil)]),
      FixtureVerification(
        path: "fixtures/worlds/wrong",
        findings: [SourceFinding(path: "fixtures/worlds/wrong/fixture.yaml", message: "it is wrong")]),
      short, evil,
    ]
  }

  static func matrix() throws -> VerdictMatrix {
    VerdictMatrix(try verifications(), profiles: profiles)
  }
}
