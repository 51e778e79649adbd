import Foundation
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeReporting
@testable import CommandKit
@testable import ProbeSystem

/// `probekit diff`.
@Suite struct DiffCommandTests {
  private static func run(
    _ arguments: [String], input: String = ""
  ) async throws -> (code: ExitCode, output: String, errors: String) {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let code = await CommandLineTool(commands: [DiffCommand()]).run(
      arguments: (["diff"] + arguments).map { Array($0.utf8) }, environment: ["LC_ALL": "C.UTF-8"],
      input: InputSource(input), output: output.sink(), errors: errors.sink())
    return (code, output.text, errors.text)
  }

  private static func diff(
    _ before: String, _ after: String, _ options: String...
  ) async throws -> (code: ExitCode, output: String, errors: String) {
    let folder = try TemporaryFolder(["before.json": before, "after.json": after])
    let run = try await run(options + ["\(folder.path)/before.json", "\(folder.path)/after.json"])
    return (run.code, run.output, run.errors.replacing(folder.path, with: "FOLDER"))
  }

  /// A report with one pipeline.
  private static func report(
    _ verdict: String, pipeline: String = "office", portal: String? = nil, _ sets: String...
  ) -> String {
    let portal = portal.map { #"{"loginURL":"\#($0)"}"# } ?? "null"
    return #"{"schema":1,"pipeline":"\#(pipeline)","verdict":"\#(verdict)","portal":\#(portal),"#
      + #""unknown":{},"sets":[\#(sets.joined(separator: ","))]}"#
  }

  private static func set(_ name: String, met: String = "true", _ probes: String...) -> String {
    #"{"name":"\#(name)","met":\#(met),"probes":[\#(probes.joined(separator: ","))]}"#
  }

  private static func probe(
    _ url: String, _ outcome: String = "accepted", _ reason: String? = nil, total: String = "0.1",
    certificate: String = "null", name: String? = nil
  ) -> String {
    let reason = reason.map { "\"\($0)\"" } ?? "null"
    let name = name.map { #""name":"\#($0)","# } ?? ""
    return #"{\#(name)"url":"\#(url)","outcome":"\#(outcome)","reason":\#(reason),"#
      + #""certificate":\#(certificate),"timings":{"total":\#(total)}}"#
  }

  private static let before = report(
    "online",
    set(
      "web",
      probe(
        "https://a.example/", certificate: #"{"notAfter":"2026-12-01T00:00:00Z","issuer":"CN=R10"}"#),
      probe("https://b.example/", "failed", "timeout.connect"),
      probe("https://c.example/", "failed", "dns.failure"), probe("https://d.example/", "skipped")),
    set("old", met: "false"), set("dual", met: "null", probe("https://x/"), probe("https://x/")))

  private static let after = report(
    "captivePortal", portal: "http://192.0.2.1/login",
    set(
      "web", met: "false",
      probe(
        "https://a.example/", "intercepted", "tls.untrusted",
        certificate: #"{"notAfter":"2027-01-01T00:00:00Z","issuer":"CN=Filter"}"#),
      probe("https://b.example/"), probe("https://c.example/", "failed", "dns.noSuchHost"),
      probe("https://d.example/", "failed", "cancelled"), probe("https://e.example/")),
    set("new", met: "true"), set("dual", probe("https://x/"), probe("https://x/", "failed", "dns.failure")))

  @Test func everyChangeIsReported() async throws {
    let run = try await Self.diff(Self.before, Self.after)
    #expect(run.code == .notOnline)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        office
          worse   online → captivePortal
          changed login URL none → http://192.0.2.1/login
          set web
            worse   met → not met
            worse   https://a.example/: accepted → intercepted, tls.untrusted
            changed https://a.example/: certificate valid until 2026-12-01T00:00:00Z → 2027-01-01T00:00:00Z
            changed https://a.example/: certificate issuer CN=R10 → CN=Filter
            better  https://b.example/: failed, timeout.connect → accepted
            changed https://c.example/: reason dns.failure → dns.noSuchHost
            changed https://e.example/: new probe: accepted
          set old
            changed set gone, was not met
          set dual
            changed not finished → met
            worse   https://x/: accepted → failed, dns.failure
          set new
            changed new set: met
        13 changes: 4 worse, 1 better, 8 other

        """)
  }

  @Test func aReversedComparisonReversesTheEffects() async throws {
    let run = try await Self.diff(Self.after, Self.before)
    #expect(run.output.contains("  better  captivePortal → online\n"))
    #expect(run.output.hasSuffix(": 1 worse, 4 better, 8 other\n"))
  }

  @Test func changesAreReportedInJSON() async throws {
    let run = try await Self.diff(Self.report("online"), Self.report("offline"), "--format", "json")
    #expect(run.code == .notOnline)
    #expect(
      run.output == #"{"better":0,"changes":[{"after":"offline","before":"online","effect":"worse","#
        + #""pipeline":"office","probe":null,"set":null,"what":"verdict"}],"neutral":0,"schema":1,"worse":1}"#
        + "\n")
  }

  @Test func changesAreReportedInMarkdown() async throws {
    let run = try await Self.diff(
      Self.report("online", Self.set("a|b", Self.probe("https://x/"))),
      Self.report("online", Self.set("a|b", Self.probe("https://x/", "failed", "dns.failure"))),
      "--format", "markdown")
    #expect(
      run.output == #"""
        | | pipeline | set | probe | change |
        | :-- | :-- | :-- | :-- | :-- |
        | **worse** | office | a\|b | https\://x/ | accepted → failed, dns.failure |

        1 change: 1 worse, 0 better, 0 other.

        """#)
    let same = try await Self.diff(Self.before, Self.before, "--format", "markdown")
    #expect(same.output == "No changes.\n")
  }

  @Test func aSkippedProbeIsNotCompared() async throws {
    let reports = ["accepted", "skipped"].map {
      Self.report("online", Self.set("s", Self.probe("https://x/", $0, $0 == "skipped" ? "cancelled" : nil)))
    }
    #expect(try await Self.diff(reports[0], reports[1]).output == "no changes\n")
    #expect(try await Self.diff(reports[1], reports[0]).output == "no changes\n")
  }

  @Test func equalReportsHaveNoChanges() async throws {
    let list = "[\(Self.before),\(Self.report("offline", pipeline: "home"))]"
    let run = try await Self.diff(list, list)
    #expect(run.code == .success)
    #expect(run.output == "no changes\n")
  }

  @Test(arguments: [
    ("online", "healthy", ReportChange.Effect.neutral), ("healthy", "degraded", .worse),
    ("degraded", "unhealthy", .worse), ("unhealthy", "healthy", .better), ("online", "partial", .worse),
    ("partial", "captivePortal", .worse), ("captivePortal", "intercepted", .worse),
    ("intercepted", "inconclusive", .worse), ("inconclusive", "offline", .worse),
    ("online", "excellent", .neutral),
  ])
  func verdictsAreOrdered(_ before: String, _ after: String, _ effect: ReportChange.Effect) {
    #expect(VerdictRank.effect(from: before, to: after) == effect)
    let back: [ReportChange.Effect: ReportChange.Effect] = [.worse: .better, .better: .worse]
    #expect(VerdictRank.effect(from: after, to: before) == back[effect] ?? .neutral)
  }

  @Test func pipelinesAreMatchedByName() async throws {
    let (office, home) = (Self.report("online"), Self.report("online", pipeline: "home"))
    let run = try await Self.diff(
      "[\(office),\(home)]", "[\(home),\(Self.report("partial", pipeline: "lab"))]")
    #expect(run.code == .success)
    #expect(
      run.output == """
        office
          changed pipeline gone, was online
        lab
          changed new pipeline: partial
        2 changes: 0 worse, 0 better, 2 other

        """)
  }

  @Test func probesOfOneURLAreMatchedByName() async throws {
    let probes = [
      Self.probe("https://x/", name: "a"), Self.probe("https://x/", "failed", "dns.failure", name: "b"),
    ]
    let run = try await Self.diff(
      Self.report("online", Self.set("s", probes[0], probes[1])),
      Self.report("online", Self.set("s", probes[1], probes[0])))
    #expect(run.output == "no changes\n")
  }

  @Test(arguments: [
    ("0.1", "0.2", "worse   https://x/: time 100 ms → 200 ms"), ("0.1", "0.199", nil),
    ("0.2", "0.1", "better  https://x/: time 200 ms → 100 ms"), ("0.001", "0.009", nil), ("null", "1", nil),
  ])
  func timesAreComparedOnRequest(_ before: String, _ after: String, _ line: String?) async throws {
    let reports = [before, after].map {
      Self.report("online", Self.set("s", Self.probe("https://x/", total: $0)))
    }
    let run = try await Self.diff(reports[0], reports[1], "--slower", "2x")
    #expect(run.code == (line?.hasPrefix("worse") == true ? .notOnline : .success))
    #expect(line.map(run.output.contains) ?? (run.output == "no changes\n"))
    let plain = try await Self.diff(reports[0], reports[1])
    #expect(plain.output == "no changes\n")
  }

  @Test(arguments: ["x", "1", "0.5x", "-2", "2xx", "inf", "1001", ""])
  func anInvalidFactorIsRefused(_ factor: String) async throws {
    let run = try await Self.run(["--slower", factor, "a", "b"])
    #expect(run.code == .usage)
    #expect(run.errors.contains("give a number above 1 and up to 1000, such as 2x"))
  }

  @Test(arguments: [
    ("", "it is not JSON: "), ("{\"a\":1,\n}", "at line 2, column 1"),
    ("{\"schema\":1,\"total\":2}", "it has no pipeline with a verdict: write it with run --format json"),
    ("7", "the report is not one of run or check"),
    (
      "[\(report("online")),{}]", "item 2 of the report is not one of run or check"
    ),
    (
      report("online").replacing("\"schema\":1", with: "\"schema\":2"),
      "the report has a schema other than 1: use the version of the program that wrote it"
    ),
    (report("online", "{}"), "set 1 of the report has no string name"),
    (report("online", "{\"name\":\"a\"}"), "set 1 of the report has no array probes"),
    (report("online", set("a", "{\"url\":\"x\"}")), "probe 1 of set 1 of the report has no string outcome"),
  ])
  func anInvalidReportIsExplained(_ report: String, _ words: String) async throws {
    let run = try await Self.diff(Self.before, report)
    #expect(run.code == .badInput)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("probekit diff: FOLDER/after.json: "))
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func anEmptyListOfReportsIsValid() async throws {
    let run = try await Self.diff(Self.before, "[]")
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("office"), "\(run.output)")
  }

  @Test func errorsInBothReportsAreExplained() async throws {
    let run = try await Self.diff("{", "[")
    #expect(run.errors.split(separator: "\n").count == 2)
    let missing = try await Self.run(["/nonexistent/a", "/nonexistent/b"])
    #expect(missing.code == .badInput)
    #expect(missing.errors.split(separator: "\n").count == 2)
  }

  @Test func oneReportMayComeFromStandardInput() async throws {
    let folder = try TemporaryFolder(["before.json": Self.before])
    let path = "\(folder.path)/before.json"
    #expect(try await Self.run([path, "-"], input: Self.after).code == .notOnline)
    #expect(try await Self.run(["-", path], input: Self.before).code == .success)
    let wrong = try await Self.run(["-", path], input: "x")
    #expect(wrong.code == .badInput)
    #expect(wrong.errors.hasPrefix("probekit diff: standard input: it is not JSON: "))
    let twice = try await Self.run(["-", "-"])
    #expect(twice.code == .usage)
    #expect(twice.errors.contains("both reports are -: read one of them from a file"))
  }

  @Test func textFromReportsIsEscaped() async throws {
    let hostile = #"x\u001b[2J\u202e"#
    let run = try await Self.diff(
      Self.report("online", pipeline: hostile),
      Self.report("online", pipeline: hostile, portal: "http://\(hostile)", Self.set(hostile)))
    #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }
}
