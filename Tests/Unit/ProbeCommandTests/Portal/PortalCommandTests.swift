import BundledPlugins
import EngineProfiles
import Foundation
@testable import PortalSurvey
import ProbeCore
import ProbeBase
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// `probekit portal` in memory, in replayed networks.
struct PortalCommandTests {
  /// A portal with a permanent redirect, an API response that caches may share, and a page that loads a file
  /// from another host.
  static let portal = """
    version: 1
    name: hotel
    source: { kind: synthetic, reference: "made for a test" }
    capport: https://portal.example/api
    tls: { portal.example: valid, "*": rst }
    routes:
      - when: { listener: https, host: portal.example, path: /api }
        respond: { status: 200, headers: ["Content-Type: application/captive+json", "Cache-Control: public"], body: api.json }
      - when: { listener: https, host: portal.example }
        respond: { status: 200, headers: ["Content-Type: text/html"], body: login.html }
      - when: { listener: http, host: pass.example }
        respond: { status: 200, headers: ["Content-Type: text/plain"], body: api.json }
      - when: { listener: http }
        respond: { status: 301, headers: ["Location: https://portal.example/login"] }

    """

  static func folder(_ fixture: String = portal) throws -> TemporaryFolder {
    try TemporaryFolder([
      "hotel/fixture.yaml": fixture,
      "hotel/api.json": #"{ "captive": true, "user-portal-url": "https://portal.example/login" }"#,
      "hotel/login.html":
        "<title>Guest Wi-Fi</title><form method=post><input type=password name=p></form><img src=https://cdn.example/a.png>",
    ])
  }

  private static func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> FolderRun {
    try await FolderRun("portal", ["--replay", "DIR/hotel", "--timeout", "60s"] + arguments, in: folder)
  }

  @Test(arguments: [
    ("text", "txt"), ("json", "json"), ("html", "html"), ("markdown", "md"), ("junit", "xml"),
  ])
  func everyFormatHasTheEntireReport(_ format: String, _ suffix: String) async throws {
    let run = try await Self.run(["--format", format], in: Self.folder())
    #expect(run.code == .notOnline)
    #expect(run.errors.isEmpty)
    let text = run.output.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) { _ in "TIME" }
    #expect(try text == Snapshot("portal", is: text, extension: suffix).text)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }

  @Test(arguments: ["html", "markdown", "junit"])
  func hostileTextRemainsText(_ format: String) async throws {
    let fixture = Self.portal.replacing(
      "https://portal.example/login\"]",
      with: "http://portal.example/?<script>x</script><img src=x>&`|](x)\"]")
    let run = try await Self.run(["--format", format], in: Self.folder(fixture))
    #expect(run.output.contains("portal.example/?"), "\(run.output)")
    // In Markdown, a backslash precedes each of these characters.
    let text = run.output.replacing(/\\[<\]]/) { _ in "" }
    #expect(!text.contains("<script") && !text.contains("<img"), "\(run.output)")
    #expect(format != "markdown" || !text.contains("](x)"), "\(run.output)")
  }

  @Test func theJSONHasItsSpecifiedMembers() async throws {
    let run = try await Self.run(["--format", "json"], in: Self.folder())
    let report = try #require(run.json() as? [String: Any])
    #expect(report["schema"] as? Int == 1)
    #expect(report["verdict"] as? String == "captivePortal")
    #expect(report["loginURL"] as? String == "https://portal.example/login")
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(
      findings.compactMap { $0["id"] as? String } == [
        "api.perClient", "http.redirectPermanent", "engine.silent", "api.private", "login.outside",
      ])
    for finding in findings {
      #expect(
        Set(finding.keys) == ["id", "severity", "summary", "detail", "fix", "reference", "evidence"])
    }
    let engines = try #require(report["engines"] as? [[String: Any]])
    #expect(engines.count == EngineProfile.all.count - 1)
    #expect(Set(engines.flatMap(\.keys)) == ["profile", "system", "verdict", "opens", "shows"])
    #expect((report["stages"] as? [[String: Any]])?.count == 1)
  }

  @Test func aReportWithoutErrorsIsASuccess() async throws {
    let fixture = Self.portal.replacing("status: 301, headers: [", with: "status: 302, headers: [")
      .replacing("public", with: "private")
    let run = try await Self.run([], in: Self.folder(fixture))
    #expect(run.code == .success, "\(run.output)")
    #expect(run.output.contains("login.outside"))
  }

  @Test func namesAreReported() async throws {
    let folder = try Self.folder()
    try folder.write("names", "# the garden\npass.example\nBLOCKED.example\n\nblocked.example\n")
    let run = try await Self.run(["--names", "DIR/names", "--format", "json"], in: folder)
    let names = try #require((run.json() as? [String: Any])?["names"] as? [[String: String]])
    #expect(
      names == [
        ["name": "pass.example", "http": "passes", "https": "blocked", "dns": "unknown"],
        ["name": "blocked.example", "http": "intercepted", "https": "blocked", "dns": "unknown"],
      ])
  }

  @Test func aFileWithInvalidNamesIsAnError() async throws {
    let folder = try Self.folder()
    try folder.write("names", "good.example\nhttp://bad.example/\nbad.example:80\nworse example\n")
    let run = try await Self.run(["--names", "DIR/names"], in: folder)
    #expect(run.code == .badInput)
    #expect(run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 3, "\(run.errors)")
    #expect(run.errors.hasPrefix("DIR/names:2: \"http://bad.example/\" is not a host name"))
    let none = try await Self.run(["--names", "DIR/none"], in: folder)
    #expect(none.code == .badInput)
    #expect(none.errors.contains("DIR/none: cannot be read"))
  }

  @Test func aReplayRequiresOneValidFixture() async throws {
    let folder = try Self.folder()
    try folder.write("broken/fixture.yaml", "version: 1\n")
    for (path, words) in [("DIR/none", "none"), ("DIR", "fixture"), ("DIR/broken", "fixture.yaml:1")] {
      let run = try await FolderRun("portal", ["--replay", path], in: folder)
      #expect(run.code == .badInput)
      #expect(run.output.isEmpty && run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test func leaksAreNotProbedInAReplay() async throws {
    let run = try await Self.run(["--probe-leaks", "192.0.2.9"], in: Self.folder())
    #expect(run.code == .usage)
    #expect(run.errors.contains("--probe-leaks and --replay cannot be combined"))
    for server in ["", "a b", "http://x/", "x:80"] {
      let wrong = try await FolderRun("portal", ["--probe-leaks", server], in: Self.folder())
      #expect(wrong.code == .usage, "\(server)")
    }
  }

  @Test func theReportIsWrittenToAFile() async throws {
    let folder = try Self.folder()
    let run = try await Self.run(["--format", "junit", "-o", "DIR/report.xml"], in: folder)
    #expect(run.code == .notOnline)
    #expect(run.output.isEmpty)
    let text = try String(contentsOfFile: folder.path(of: "report.xml"), encoding: .utf8)
    #expect(text.hasPrefix("<?xml") && text.hasSuffix("</testsuites>\n"))
    let wrong = try await Self.run(["-o", "DIR/none/report.xml"], in: folder)
    #expect(wrong.code == .unavailable)
  }

  @Test(.patience(minutes: 1)) func aWatchReportsEachStageOfTheLogin() async throws {
    // The test logs in and out as soon as a stage is reported.
    let isOpen = Guarded(false)
    var plugins = try PluginRegistry.bundled
    plugins.transports = plugins.transports.wrapping { transport in
      RespondingTransport(transport) { request in
        try isOpen.withLock(\.self) ? Self.truth(request) : Self.login(request)
      }
    }
    let output = MemoryOutput()
    let reported = Guarded<[String]>([])
    let errors = OutputSink { bytes in
      let line = String(decoding: bytes, as: UTF8.self)
      reported.withLock { $0.append(String(line.prefix { $0 != ":" })) }
      isOpen.withLock { $0 = line.hasPrefix("before") }
    }
    let command = PortalCommand(
      plugins: plugins, machine: { _ in (MachineFacts(), []) }, interval: .milliseconds(1))
    let code = await CommandLineTool(commands: [command]).run(
      arguments: ["portal", "--watch", "--format", "json"].map { Array($0.utf8) }, output: output.sink(),
      errors: errors)
    #expect(code == .notOnline)
    #expect(reported.withLock(\.self) == ["before the login", "after the login", "end of the session"])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any])
    let stages = try #require(report["stages"] as? [[String: Any]])
    #expect(stages.compactMap { $0["stage"] as? String } == ["beforeLogin", "afterLogin", "sessionEnd"])
    #expect(stages.compactMap { $0["verdict"] as? String } == ["captivePortal", "online", "captivePortal"])
    // Even after the login, most systems do not get their expected responses in this network.
    #expect((stages[1]["findings"] as? [String])?.first == "after.endpoints")
  }

  private static func login(_ request: ProbeRequest) throws -> ProbeResponse {
    guard request.url.scheme == .http else { throw ProbeFailure(.connectRefused, "refused") }
    return ProbeResponse(
      url: request.url,
      head: HTTPResponseHead(status: 302, fields: ["Location": "http://login.example/hotel"]))
  }

  private static func truth(_ request: ProbeRequest) throws -> ProbeResponse {
    guard request.url.host.hasSuffix("apple.com") else {
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    return ProbeResponse(
      url: request.url, head: HTTPResponseHead(status: 200),
      body: Array("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>".utf8))
  }
}
