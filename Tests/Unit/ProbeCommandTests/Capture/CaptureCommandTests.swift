import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// `probekit capture` in memory, against replayed networks.
@Suite struct CaptureCommandTests {
  /// A gateway that redirects to its login page.
  private static let portal = Fixture(
    name: "portal",
    routes: [
      ReplayRoute(
        "page", when: RouteCondition(host: "10.0.0.1"),
        response: .send(Array("HTTP/1.1 200 Fine\r\ncontent-length:5\r\n\r\nlogin".utf8))),
      ReplayRoute(
        "redirect", when: RouteCondition(listener: .http),
        response: .send(
          Array("HTTP/1.0 302 Off\nX-A:\t b \r\nLOCATION:  http://10.0.0.1/in?token=4fb81c9d\r\n\r\n".utf8)),
        end: .fin),
      ReplayRoute("encrypted", when: RouteCondition(listener: .https), end: .rst),
    ])

  private static let apple = "http://captive.apple.com/hotspot-detect.html"

  @Test func writesAFixtureThatVerifies() async throws {
    let folder = try TemporaryFolder()
    let run = try await CaptureRun(
      ["-o", "DIR/lobby", "--vendor", "ACME", Self.apple], Self.portal, in: folder)
    #expect(run.errors == "")
    #expect(run.code == .success)
    #expect(
      run.output == """
        captured DIR/lobby: 5 files
          verdict: captivePortal
          login URL: http://10.0.0.1/in?token=00000001
          redacted: token in the query field token, now 00000001
          replayed: the same verdict
          verify it with: probekit verify DIR/lobby

        """)
    #expect(
      readText("\(folder.path)/lobby/fixture.yaml").replacing(/"\d{4}-\d\d-\d\d"/, with: "DAY") == """
        version: 1
        name: "lobby"
        vendor: "ACME"
        source:
          kind: captured
          reference: "probekit capture, by the pipeline lobby"
          date: DAY
        expect:
          verdict: captivePortal
          loginURL: "http://10.0.0.1/in?token=00000001"
        routes:
          - id: "02-10.0.0.1-in"
            when: { listener: http, host: "10.0.0.1", path: "/in?token=00000001" }
            send: "02-10.0.0.1-in.resp"
            end: keep
          - id: "01-captive.apple.com-hotspot-detect.html"
            when: { listener: http, host: "captive.apple.com", path: "/hotspot-detect.html" }
            send: "01-captive.apple.com-hotspot-detect.html.resp"
            end: fin

        """)
    #expect(
      readText("\(folder.path)/lobby/01-captive.apple.com-hotspot-detect.html.resp")
        == "HTTP/1.0 302 Off\nX-A:\t b \r\nLOCATION:  http://10.0.0.1/in?token=00000001\r\n\r\n")
    let verify = try await VerifyRun(["--strict", "DIR/lobby"], in: folder)
    #expect(verify.code == .success, "\(verify.output)\(verify.errors)")
    let lint = try await FolderRun("lint", ["DIR/lobby"], in: folder)
    #expect(lint.code == .success, "\(lint.output)")
  }

  @Test func theBuiltInPipelineIsUsedWithoutURLs() async throws {
    let folder = try TemporaryFolder()
    let run = try await CaptureRun(
      ["--output=DIR/net", "--no-redact", "--no-page", "--format=json"], Self.portal, in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
    let record = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(record?["verdict"] as? String == "captivePortal")
    #expect(record?["loginURL"] as? String == "http://10.0.0.1/in?token=4fb81c9d")
    #expect(record?["replays"] as? Bool == true)
    #expect((record?["redacted"] as? [Any])?.count == 0)
    // Four responses over http; an empty encrypted response has no file.
    let files = try #require(record?["files"] as? [String])
    #expect(files.filter { $0.hasSuffix(".resp") }.count == 4)
    #expect(!files.contains("pipeline.yaml"))
    #expect(try await VerifyRun(["DIR/net"], in: folder).code == .success)
  }

  @Test func allErrorsAreReportedAndNothingIsProbed() async throws {
    let folder = try TemporaryFolder(["full/file": "x", "file": "x"])
    let wrong = try await CaptureRun(["tcp://192.0.2.1:22", "--import", "x.har"], Self.portal, in: folder)
    #expect(wrong.code == .usage)
    #expect(
      wrong.errors == """
        probekit capture: "tcp://192.0.2.1:22": tcp probes cannot be recorded: use http and https URLs
        probekit capture: the output folder is missing: add -o DIR
        probekit capture: URLs and --import cannot be combined: keep one of them
        probekit capture: --import probes nothing: omit --cacert, --connect-to, --timeout

        """)
    for name in ["full", "file"] {
      let run = try await CaptureRun(["-o", "DIR/\(name)", Self.apple], Self.portal, in: folder)
      #expect(run.code == .badInput)
      #expect(
        run.errors == """
          probekit capture: --output: "DIR/\(name)" exists and is not an empty folder: use a folder that does \
          not exist

          """)
    }
    let lost = try await CaptureRun(["-o", "DIR/no/such", Self.apple], Self.portal, in: folder)
    #expect(lost.code == .unavailable)
    #expect(lost.errors.contains("cannot be created: No such file or directory"))
    #expect(readText("\(folder.path)/full/file") == "x")
  }

  @Test func aRecordingBecomesAFixture() async throws {
    let har = """
      {"log": {"version": "1.2", "creator": {"name": "Browser", "version": "1"}, "entries": [
        {"startedDateTime": "2026-11-21T10:00:00Z", "time": 5,
         "request": {"method": "GET", "url": "\(Self.apple)", "httpVersion": "HTTP/1.1", "headers": []},
         "response": {"status": 302, "statusText": "Found", "httpVersion": "HTTP/1.1",
           "headers": [{"name": "Location", "value": "http://login.example/?sid=9d8c7b6a5f4e"}],
           "content": {"size": 0, "mimeType": "text/html", "text": ""}},
         "timings": {"send": 0, "wait": 4, "receive": 1}}]}}
      """
    let folder = try TemporaryFolder(["lobby.har": har])
    let run = try await CaptureRun(["-o", "DIR/lobby", "--import", "DIR/lobby.har"], nil, in: folder)
    #expect(run.code == .success, "\(run.errors)")
    #expect(run.output.contains("  verdict: captivePortal\n"))
    #expect(run.output.contains("  lost: "))
    #expect(run.output.contains("login URL: http://login.example/?sid=000000000001"))
    #expect(try await VerifyRun(["--strict", "DIR/lobby"], in: folder).code == .success)
    let broken = try await CaptureRun(["-o", "DIR/other", "--import", "DIR/lobby.har/none"], nil, in: folder)
    #expect(broken.code == .badInput)
    #expect(broken.errors.contains("there is no such file or folder"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/other"))
  }

  @Test func help() async throws {
    let run = try await CaptureRun(["--help"], nil, in: try TemporaryFolder())
    #expect(run.code == .success)
    #expect(try run.output == Snapshot("help-capture", is: run.output).text)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func anOutageIsCapturedAsAFixture() async throws {
    let folder = try TemporaryFolder()
    let closed = Fixture(name: "closed", listeners: [.http: .refused, .https: .refused], routes: [])
    let run = try await CaptureRun(["-o", "DIR/net"], closed, in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
    #expect(run.output.contains("  verdict: offline\n"))
    #expect(
      readText("\(folder.path)/net/fixture.yaml").contains("listeners: { http: refused, https: refused }"))
    #expect(try await VerifyRun(["DIR/net"], in: folder).code == .success)
  }
}

/// `probekit capture` in memory, with its connections routed to a replay server by `--connect-to`.
struct CaptureRun {
  let code: ExitCode
  let output: String
  let errors: String

  init(_ arguments: [String], _ fixture: Fixture?, in folder: TemporaryFolder) async throws {
    let server = try fixture.map { try ReplayServer([$0]) }
    defer { server?.stop() }
    var all = arguments
    if let server {
      try Data(server.authorityPEM.utf8).write(to: URL(filePath: "\(folder.path)/.ca.pem"))
      let (http, https) = (server.port(of: .http), server.port(of: .https))
      all += ["--connect-to", ":443:127.0.0.1:\(https)", "--connect-to", "::127.0.0.1:\(http)"]
      all += ["--cacert", "\(folder.path)/.ca.pem"]
    }
    let run = try await FolderRun("capture", all, in: folder)
    (code, output, errors) = (run.code, run.output, run.errors)
  }
}
