import BundledPlugins
import Foundation
import FixtureReplay
import LoopbackServer
import ProbeCore
import ProbeBase
import ProbePipeline
import ProbeReporting
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// Every command that probes supports every report format, and writes the report to a file on request.
@Suite struct EveryFormatTests {
  /// The beginning of a report in each format.
  static let beginnings = [
    "text": "", "json": "{", "ndjson": "{", "junit": "<?xml", "tap": "TAP version 13\n1..",
    "prometheus": "# HELP probekit_verdict ",
  ]

  @Test func everyFormatIsTested() {
    #expect(Set(ReportFormat.all.map(\.name)) == Set(Self.beginnings.keys))
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func check(_ format: String) async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let folder = try TemporaryFolder()
    let arguments = ["--allow-http", "--format=\(format)", server.url()]
    let check = try await Check(arguments)
    #expect(check.code == .success, "\(check.errors)")
    #expect(check.output.hasPrefix(Self.beginnings[format] ?? "?"), "\(check.output)")
    let file = try await Check(arguments + ["-o", "\(folder.path)/report"])
    #expect(file.code == .success && file.output.isEmpty, "\(file.errors)")
    #expect(readText("\(folder.path)/report").hasPrefix(Self.beginnings[format] ?? "?"))
  }

  @Test func checkReportsProbesAsTheyFinish() async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let check = try await Check([
      "--allow-http", "--format=ndjson", server.url("/1"), server.url("/2"),
    ])
    let types = check.output.split(separator: "\n").map { $0.contains("\"type\":\"run\"") ? "run" : "probe" }
    #expect(types == ["probe", "probe", "run"])
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func verify(_ format: String) async throws {
    let folder = try VerifyRun.folder([
      "a": VerifyRun.open, "b": VerifyRun.captive.replacing("captivePortal", with: "offline"),
    ])
    let arguments = ["--pipeline", "DIR/office.yaml", "--format=\(format)", "DIR/a", "DIR/b"]
    let run = try await VerifyRun(arguments, in: folder)
    #expect(run.code == .notOnline, "\(run.errors)")
    #expect(run.output.hasPrefix(Self.beginnings[format] ?? "?"), "\(run.output)")
    let file = try await VerifyRun(arguments + ["-o", "DIR/report"], in: folder)
    #expect(file.code == .notOnline && file.output.isEmpty, "\(file.errors)")
    #expect(readText("\(folder.path)/report").hasPrefix(Self.beginnings[format] ?? "?"))
  }

  @Test func verifyReportsTheLoginURL() async throws {
    let folder = try VerifyRun.folder(["b": VerifyRun.captive])
    let run = try await VerifyRun(["--pipeline", "DIR/office.yaml", "--format=ndjson", "DIR/b"], in: folder)
    #expect(run.code == .success, "\(run.errors)")
    #expect(run.output.contains(#""portal":{"#), "\(run.output)")
    #expect(run.output.contains(#""loginURL":"http://login.example/"#), "\(run.output)")
  }

  @Test func verifyReportsEachFixtureAsATest() async throws {
    let folder = try VerifyRun.folder([
      "a": VerifyRun.open, "b": VerifyRun.captive.replacing("captivePortal", with: "offline"),
      "c": "version: 2\n",
    ])
    let base = ["--pipeline", "DIR/office.yaml", "DIR/a", "DIR/b", "DIR/c"]
    let tap = try await VerifyRun(["--format=tap"] + base, in: folder).output
    #expect(
      tap.hasPrefix(
        "TAP version 13\n1..3\nok 1 - DIR/a: office: verdict\nnot ok 2 - DIR/b: office: verdict\n"))
    #expect(tap.contains("not ok 3 - DIR/c"))
    let junit = try await VerifyRun(["--format=junit"] + base, in: folder).output
    #expect(junit.contains("tests=\"3\" failures=\"2\""))
    let metrics = try await VerifyRun(["--format=prometheus"] + base, in: folder).output
    #expect(
      metrics.contains("probekit_verdict_expected{pipeline=\"office\",source=\"DIR/a\"} 1"), "\(metrics)")
    #expect(metrics.contains("probekit_verdict_expected{pipeline=\"office\",source=\"DIR/b\"} 0"))
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func capture(_ format: String) async throws {
    let network = Fixture(
      name: "open",
      routes: [
        ReplayRoute(
          "all", response: .respond(ComposedResponse(status: 200, headers: [], body: Array("x".utf8))))
      ])
    let folder = try TemporaryFolder()
    let run = try await CaptureRun(
      ["-o", "DIR/one", "--format=\(format)", "http://web.example/"], network, in: folder)
    #expect(run.code == .success, "\(run.errors)")
    let beginning = format == "text" ? "captured" : Self.beginnings[format] ?? "?"
    #expect(run.output.hasPrefix(beginning), "\(run.output)")
    let file = try await CaptureRun(
      ["-o", "DIR/two", "--format=\(format)", "--report", "DIR/report", "http://web.example/"], network,
      in: folder)
    #expect(file.code == .success && file.output.isEmpty, "\(file.errors)")
    #expect(readText("\(folder.path)/report").hasPrefix(beginning))
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func monitor(_ format: String) async throws {
    let check = MonitorSamples.check(MonitorSamples.online)
    let beginning = Self.beginnings[format] ?? "?"
    let run = try await MonitorRun(["--format=\(format)", "--verbose"]) { monitor in
      monitor.send(.checked(check))
      await monitor.output(contains: "\n")
    }
    #expect(run.output.hasPrefix(beginning), "\(run.output)")
    let folder = try TemporaryFolder()
    let file = try await MonitorRun(
      ["--format=\(format)", "--verbose", "-o", "DIR/report"], in: folder
    ) { monitor in
      for _ in 1...2 { monitor.send(.checked(check)) }
      while readText("\(folder.path)/report").isEmpty { await Task.yield() }
    }
    #expect(file.output.isEmpty)
    let text = readText("\(folder.path)/report")
    #expect(text.hasPrefix(beginning))
    // A Prometheus file contains only the newest report.
    #expect(format != "prometheus" || text.components(separatedBy: beginning).count == 2)
  }

  @Test func anUnwritableFileIsReportedBeforeAnyWork() async throws {
    let network = Fixture(name: "none", routes: [])
    let folder = try VerifyRun.folder(["a": VerifyRun.open])
    let count = Guarded(0)
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.wrapping { CountedTransport(transport: $0, count: count) }
    let verify = try await VerifyRun(["-o", "/nonexistent/report", "DIR/a"], in: folder, plugins: plugins)
    #expect(verify.code == .unavailable)
    #expect(count.withLock(\.self) == 0)
    let cause = "\"/nonexistent/report\": cannot be written: "
    #expect(verify.errors.hasPrefix("probekit verify: --output: \(cause)"))
    let capture = try await CaptureRun(
      ["-o", "DIR/one", "--report", "/nonexistent/report", "http://web.example/"], network, in: folder)
    #expect(capture.code == .unavailable)
    #expect(capture.errors.hasPrefix("probekit capture: --report: \(cause)"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/one"))
  }

  @Test func aMonitorReportsAnUnwritableFile() async throws {
    let run = try await MonitorRun(["-o", "/nonexistent/report"]) { await $0.ended() }
    #expect(run.code == .unavailable)
    #expect(run.errors.hasPrefix("probekit monitor: --output: \"/nonexistent/report\": cannot be written: "))
  }
}
