import BundledPlugins
import Foundation
import ProbeBase
import LoopbackServer
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// `probekit run`, over real sockets.
@Suite struct RunCommandTests {
  static let office = """
    version: 1
    name: office
    policy: { https: optional }
    sets:
      - name: apple
        validate: { contains: Success }
        urls: [http://captive.apple.com/hotspot-detect.html]
      - name: google
        validate: { status: 204 }
        urls: [http://connectivitycheck.gstatic.com/generate_204]

    """

  /// A pipeline with the verdict offline, because its connections are routed to a closed port.
  static func closed() throws -> String {
    """
    version: 1
    name: closed
    policy: { https: optional }
    request: { connectTo: "::127.0.0.1:\(try LoopbackServer.refusedPort())" }
    sets: [{ name: web, urls: [http://web.example/] }]

    """
  }

  private static func connectArguments(to world: World) -> [String] {
    ["--connect-to", "captive.apple.com:80:127.0.0.1:\(world.http.port)"]
      + ["--connect-to", "connectivitycheck.gstatic.com:80:127.0.0.1:\(world.http.port)"]
  }

  @Test func oneFile() async throws {
    let (world, folder) = (try World(), try TemporaryFolder(["office.yaml": Self.office]))
    let run = try await FolderRun("run", ["DIR/office.yaml"] + Self.connectArguments(to: world), in: folder)
    #expect(run.code == .success)
    let text = run.output.withoutTimesAndPorts
    #expect(try text == Snapshot("run-online", is: text).text)
    #expect(run.errors.isEmpty)
    #expect(world.http.requests.count == 2)
  }

  @Test func severalFilesHaveOneSummaryAndTheWorstCode() async throws {
    let world = try World(http: World.always(302, [(name: "Location", value: "http://login.example/")]))
    let folder = try TemporaryFolder(["a.yaml": try Self.closed(), "b.yaml": Self.office])
    let run = try await FolderRun(
      "run", ["DIR/a.yaml", "DIR/b.yaml"] + Self.connectArguments(to: world), in: folder)
    #expect(run.code == .captivePortal)
    let text = run.output.withoutTimesAndPorts
    #expect(try text == Snapshot("run-several", is: text).text)
    let json = try await FolderRun(
      "run",
      ["--format=json", "DIR/a.yaml", "DIR/b.yaml"] + Self.connectArguments(to: world), in: folder)
    let reports = try #require(try json.json() as? [[String: Any]])
    #expect(reports.map { $0["verdict"] as? String } == ["offline", "captivePortal"])
  }

  @Test func offlineExitsWithNotOnline() async throws {
    let folder = try TemporaryFolder(["a.yaml": try Self.closed()])
    let run = try await FolderRun("run", ["DIR/a.yaml", "--format=json"], in: folder)
    #expect(run.code == .notOnline)
    #expect((try run.json() as? [String: Any])?["verdict"] as? String == "offline")
  }

  @Test func allErrorsAreReportedAndNothingIsProbed() async throws {
    let world = try World()
    let folder = try TemporaryFolder([
      "good.yaml": Self.office, "bad.yaml": "version: 1\nname: x\nsets: [{ nme: s, urls: [https://h/] }]\n",
      "secret.yaml":
        "version: 1\nname: x\nrequest: { auth: { bearer: { env: NOT_SET } } }\nsets: [{ name: s, urls: [https://h/] }]\n",
    ])
    let files = ["DIR/good.yaml", "DIR/bad.yaml", "DIR/secret.yaml", "DIR/gone.yaml", "DIR"]
    let run = try await FolderRun(
      "run", files + ["--cacert", "DIR/gone.pem"] + Self.connectArguments(to: world), in: folder)
    #expect(run.code == .badInput)
    #expect(run.output.isEmpty)
    #expect(try run.errors == Snapshot("run-mistakes", is: run.errors).text)
    #expect(world.http.requests.isEmpty)
  }

  @Test func errorsMatchThoseOfLint() async throws {
    let folder = try TemporaryFolder(["bad.yaml": "version: 1\nname: x\nsets: 3\n"])
    let run = try await FolderRun("run", ["DIR/bad.yaml"], in: folder)
    let lint = try await FolderRun("lint", ["DIR/bad.yaml"], in: folder)
    #expect(!run.errors.isEmpty)
    #expect(lint.output.hasPrefix(run.errors))
  }

  @Test func standardInput() async throws {
    let (world, folder) = (try World(), try TemporaryFolder())
    let run = try await FolderRun(
      "run", ["-"] + Self.connectArguments(to: world), in: folder, input: Self.office)
    #expect(run.code == .success)
    let bad = try await FolderRun("run", ["-"], in: folder, input: "version: 2\n")
    #expect(bad.code == .badInput)
    #expect(bad.errors.hasPrefix("-:1:"))
    let twice = try await FolderRun("run", ["-", "-"], in: folder)
    #expect(twice.code == .usage)
    #expect(twice.errors.contains("standard input is named twice"))
    #expect(try await FolderRun("run", [], in: folder).code == .usage)
  }

  static let formats: [(name: String, start: String)] = [
    ("json", "{\"duration\":"), ("ndjson", "{\"attempts\":1,"), ("junit", "<?xml "),
    ("tap", "TAP version 13\n1..3\n"), ("prometheus", "# HELP probekit_verdict "),
  ]

  @Test(arguments: formats)
  func everyFormat(_ name: String, start: String) async throws {
    let (world, folder) = (try World(), try TemporaryFolder(["office.yaml": Self.office]))
    let run = try await FolderRun(
      "run",
      ["DIR/office.yaml", "--format", name] + Self.connectArguments(to: world), in: folder, isTerminal: true)
    #expect(run.code == .success)
    #expect(run.output.hasPrefix(start), "\(run.output)")
    #expect(run.output.hasSuffix("\n"))
    #expect(run.errors.isEmpty, "a short run shows no progress")
  }

  @Test func aURLInsteadOfAFileIsExplained() async throws {
    let folder = try TemporaryFolder()
    for command in ["run", "monitor"] {
      let run = try await FolderRun(command, ["https://user:s3cret@h.test/"], in: folder)
      #expect(run.code == .badInput)
      #expect(
        run.errors
          == "https://<redacted>@h.test/: this is a URL, not a pipeline file: to probe it, use probekit check\n"
      )
    }
  }

  @Test func aReportInAFile() async throws {
    let (world, folder) = (try World(), try TemporaryFolder(["office.yaml": Self.office]))
    let arguments = ["DIR/office.yaml", "--format=tap"] + Self.connectArguments(to: world)
    let run = try await FolderRun("run", arguments + ["-o", "DIR/report.tap"], in: folder)
    #expect(run.code == .success)
    #expect(run.output.isEmpty)
    #expect(readText("\(folder.path)/report.tap").hasPrefix("TAP version 13\n"))
    let requests = world.http.requests.count
    let unusable = try await FolderRun("run", arguments + ["-o", "DIR/no/report.tap"], in: folder)
    #expect(unusable.code == .unavailable)
    #expect(
      unusable.errors
        == "probekit run: --output: \"DIR/no/report.tap\": cannot be written: No such file or directory\n")
    #expect(world.http.requests.count == requests)
    let full = try await FolderRun("run", arguments + ["-o", "/dev/full"], in: folder)
    #expect(full.code == .unavailable)
    #expect(full.errors.contains("No space left on device"))
  }

  @Test func verbose() async throws {
    let (world, folder) = (try World(), try TemporaryFolder(["office.yaml": Self.office]))
    let run = try await FolderRun(
      "run", ["-v", "DIR/office.yaml"] + Self.connectArguments(to: world), in: folder)
    #expect(run.errors.contains("✓ accepted http://captive.apple.com/hotspot-detect.html\n"))
    #expect(run.errors.contains("< HTTP/1.1 204 No Content"))
    #expect(!run.output.contains("< HTTP"))
  }

  @Test func theGivenAuthorityIsTrusted() async throws {
    let (world, folder) = (
      try World(),
      try TemporaryFolder([
        "p.yaml": "version: 1\nname: p\nsets: [{ name: s, urls: [https://www.google.com/generate_204] }]\n"
      ])
    )
    let run = try await FolderRun("run", ["DIR/p.yaml"] + world.routes, in: folder)
    #expect(run.code == .success, "\(run.output)")
  }

  @Test func help() async throws {
    let help = try await FolderRun("run", ["--help"], in: try TemporaryFolder())
    #expect(help.code == .success)
    #expect(try help.output == Snapshot("help-run", is: help.output).text)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
