import TestSupport
import Foundation
import LoopbackServer
import ProbeCommand
import Testing
@testable import CommandKit

/// The verdicts as text, as JSON and as exit codes.
@Suite struct CheckVerdictTests {
  static let login = "http://login.hotel.example/welcome?room=7"

  @Test func online() async throws {
    let world = try World()
    let check = try await Check(world.arguments)
    #expect(check.code == .success)
    let text = check.output.withoutTimesAndPorts
    #expect(try text == Snapshot("check-online", is: text).text)
    #expect(check.errors.isEmpty)
    #expect(world.http.requests.count == 4)
    #expect(world.https.requests.count == 2)
  }

  @Test func aRedirectToAPortal() async throws {
    let world = try World(http: World.always(302, [(name: "Location", value: Self.login)]))
    let check = try await Check(try world.withoutHTTPS())
    #expect(check.code == .captivePortal)
    let text = check.output.withoutTimesAndPorts
    #expect(try text == Snapshot("check-portal", is: text).text)
    let report = try await Check(try world.withoutHTTPS() + ["--format", "json"])
    let portal = try report.json()["portal"] as? [String: Any]
    #expect(portal?["loginURL"] as? String == Self.login)
    #expect(portal?["source"] as? String == "location")
  }

  struct Portal511: Sendable {
    var source: String
    var headers: [String] = []
    var body = ""
  }

  static let portals511: [Portal511] = [
    Portal511(source: "location", headers: [login]),
    Portal511(source: "body511", body: "<a href=\"\(login)\">log in</a>"),
    Portal511(source: "body511", body: "<meta http-equiv=refresh content=\"0; url=\(login)\">"),
  ]

  @Test(arguments: portals511)
  func status511(_ portal: Portal511) async throws {
    let headers = portal.headers.map { (name: "Location", value: $0) }
    let world = try World(http: World.always(511, headers, portal.body))
    let check = try await Check(try world.withoutHTTPS() + ["--format=json"])
    #expect(check.code == .captivePortal)
    let found = try check.json()["portal"] as? [String: Any]
    #expect(found?["loginURL"] as? String == Self.login, "\(check.output)")
    #expect(try check.json()["verdict"] as? String == "captivePortal")
  }

  @Test func intercepted() async throws {
    let world = try World(http: World.always(200, [], "<html>This page is blocked.</html>"))
    let check = try await Check(try world.withoutHTTPS())
    #expect(check.code == .notOnline)
    let text = check.output.withoutTimesAndPorts
    #expect(try text == Snapshot("check-intercepted", is: text).text)
  }

  @Test func offline() async throws {
    let port = try LoopbackServer.refusedPort()
    let check = try await Check(["--connect-to", "::127.0.0.1:\(port)"])
    #expect(check.code == .notOnline)
    let text = check.output.withoutTimesAndPorts
    #expect(try text == Snapshot("check-offline", is: text).text)
    let probes = try await Check(["--connect-to", "::127.0.0.1:\(port)", "--format=json"]).probes()
    #expect(probes.count == 6)
    #expect(probes.allSatisfy { $0["finalURL"] is NSNull && $0["reason"] as? String == "connect.refused" })
  }

  @Test func partial() async throws {
    let world = try World()
    let check = try await Check(try world.withoutHTTPS())
    #expect(check.code == .notOnline)
    let text = check.output.withoutTimesAndPorts
    #expect(try text == Snapshot("check-partial", is: text).text)
  }

  @Test func severalURLsShareOneThreshold() async throws {
    let world = try World()
    let urls = ["https://www.google.com/generate_204", "https://www.apple.com/nothing"]
    #expect(try await Check(world.arguments + urls).code == .notOnline)
    #expect(try await Check(world.arguments + ["--threshold=50%"] + urls).code == .success)
    #expect(try await Check(world.arguments + ["--threshold=2"] + urls).code == .notOnline)
    #expect(try await Check(world.arguments + ["--status=204,404"] + urls).code == .success)
    #expect(
      try await Check(world.arguments + ["--status=2xx, 404", "--contains=x"] + urls).code == .notOnline)
  }

  @Test func tcp() async throws {
    let server = try LoopbackServer { connection in try connection.send("SSH-2.0-test\r\n") }
    let url = "tcp://127.0.0.1:\(server.port)"
    let check = try await Check(["--allow-http", "--contains=SSH-2.0", "--format=json", url])
    #expect(check.code == .success)
    #expect(try check.probes().first?["finalURL"] as? String == url)
    let other = try await Check(["--allow-http", "--contains=SMTP", "--timeout=1s", "--format=json", url])
    #expect(other.code == .notOnline)
    #expect(try other.probes().first?["finalURL"] as? String == url)
  }
}
