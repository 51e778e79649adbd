import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments
import TestSupport
import Testing

@testable import ProbeCommand

/// The reports on verified fixtures for people and programs.
@Suite struct VerifyReportTests {
  private static func result(_ verdict: Verdict, _ loginURL: String? = nil, _ evidence: [String] = []) throws
    -> RunResult
  {
    let portal = try loginURL.map { Portal(loginURL: try ProbeURL($0), source: .location) }
    return RunResult(
      pipeline: "default", verdict: verdict, portal: portal,
      evidence: evidence.map { Evidence(.failed, $0, probes: []) }, sets: [], duration: .zero)
  }

  private static func verification(
    _ path: String, _ expectation: FixtureExpectation?, _ result: RunResult
  ) -> FixtureVerification {
    FixtureVerification(
      path: path, name: String(path.split(separator: "/").last ?? ""), expectation: expectation,
      runs: [VerifiedRun(result, against: expectation)])
  }

  private static func all() throws -> [FixtureVerification] {
    let long = String(repeating: "long/", count: 20)
    return [
      verification(
        "fixtures/hotel", FixtureExpectation([.captivePortal], loginURL: "http://login.example/"),
        try result(.captivePortal, "http://login.example/?room=1", ["seen and not shown"])),
      verification(
        "fixtures/lobby",
        FixtureExpectation([.captivePortal, .intercepted], loginURL: "http://login.example/"),
        try result(.offline, nil, ["2 probes failed: \u{1B}[2Jclever", "3 probes failed"])),
      verification("fixtures/plain", nil, try result(.inconclusive)),
      verification(
        "\(long)end", FixtureExpectation(Verdict.allCases),
        try result(.captivePortal, "http://login.example/\(long)?a=1")),
      FixtureVerification(
        path: "fixtures/\u{202E}wrong",
        findings: [SourceFinding(path: "fixtures/wrong", message: "it is wrong")]),
      FixtureVerification(
        path: "fixtures/short", name: "short", expectation: FixtureExpectation([.online]),
        shortage: "no descriptor is left"),
      verification(
        "fixtures/many", FixtureExpectation([.online]),
        try result(.partial, nil, (1...25).map { "fact \($0)" })),
    ]
  }

  @Test func text() throws {
    let text = VerifyReport(try Self.all(), duration: .milliseconds(1500)).text
    #expect(try text == Snapshot("verify", is: text).text)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }

  @Test func allEvidenceIsShownOnRequest() throws {
    let text = VerifyReport(try Self.all(), duration: .zero, showsAllEvidence: true).text
    #expect(text.contains("\n    seen and not shown\n"))
  }

  @Test func colour() throws {
    let report = VerifyReport(
      Array(try Self.all().prefix(2)), duration: .zero, style: TextStyle(usesColor: true))
    #expect(report.text.contains("\n\u{1B}[32m✓\u{1B}[0m fixtures/hotel"))
    #expect(report.text.contains("\n\u{1B}[31m✗\u{1B}[0m fixtures/lobby"))
    #expect(report.text.contains("\u{1B}[31m2 fixtures, 1 passed, 1 failed\u{1B}[0m"))
  }

  @Test func json() throws {
    let json = try VerifyReport(try Self.all(), duration: .zero).json()
    #expect(try json == Snapshot("verify", is: json, extension: "json").text)
    #expect(json.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }

  @Test func anEmptyReport() throws {
    let report = VerifyReport([], duration: .zero)
    #expect(report.text == "0 fixtures, 0 passed, 0 failed, 0.0 ms\n")
    #expect(try report.json() == "{\"failed\":0,\"fixtures\":[],\"passed\":0,\"schema\":1,\"total\":0}\n")
  }
}
