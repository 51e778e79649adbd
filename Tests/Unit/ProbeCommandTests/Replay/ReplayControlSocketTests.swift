import Foundation
import Glibc
import ProbeCommand
import ProbeCore
import TestClients
import TestRequirements
import TestSupport
import Testing
@testable import CommandKit

/// `probekit replay --control`, with its sockets.
@Suite(.patience(minutes: 1)) struct ReplayControlSocketTests {
  private static let document = """
    version: 1
    name: small
    source: { kind: synthetic, reference: a test }
    initial: captive
    routes:
      - when: { state: captive }
        respond: { status: 511 }
      - respond: { status: 204 }
        goto: captive

    """

  /// The status and the text of the control's response.
  private static func exchange(
    _ announced: RunningReplay.Announcement, _ request: String, _ fields: [String] = [], body: String = ""
  ) async throws -> String {
    let control = try #require(announced.control)
    let port = try #require(control.address.split(separator: ":").last.flatMap { UInt16($0) })
    let head =
      (["\(request) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + fields).joined(
        separator: "\r\n")
    return try await onAThread {
      let client = try RawClient(port: port)
      try client.send(Array("\(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
      return String(try client.receiveText().dropFirst(9))
    }
  }

  @Test func aProgramControlsTheNetworkWithItsToken() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document])
    let replay = try RunningReplay([folder.path, "--format=json", "--control", "127.0.0.1:0"])
    let announcement = try await replay.announcement()
    let token = ["Authorization: Bearer \(try #require(announcement.control?.token))"]
    #expect(try await announcement.ask("http://www.example/").status == 511)
    #expect(
      try await Self.exchange(announcement, "PUT /v1/states/small", token, body: #"{"state":"captive"}"#)
        .hasPrefix("200 OK\r\n"))
    let missing = try await Self.exchange(announcement, "GET /v1/requests")
    #expect(missing.hasPrefix("401 Unauthorized\r\n") && missing.contains("\r\nWWW-Authenticate: Bearer\r\n"))
    #expect(!missing.contains("www.example"))
    #expect(
      try await Self.exchange(announcement, "GET /v1/requests", ["Authorization: Bearer 00000000"])
        .hasPrefix("401 "))
    #expect(try await Self.exchange(announcement, "GET /v1/requests", token).contains("www.example"))
    #expect(await replay.stop() == .success)
    await #expect(throws: RawClient.Failure.self) { try await Self.exchange(announcement, "GET /v1", token) }
  }

  @Test func aRequestForAnotherHostIsRefused() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document])
    let replay = try RunningReplay([folder.path, "--format=json", "--control", "127.0.0.1:0"])
    let announcement = try await replay.announcement()
    let control = try #require(announcement.control)
    let port = try #require(control.address.split(separator: ":").last.flatMap { UInt16($0) })
    let text = try await onAThread {
      let client = try RawClient(port: port)
      let token = try #require(control.token)
      let request =
        "GET /v1 HTTP/1.1\r\nHost: rebound.example:\(port)\r\nAuthorization: Bearer \(token)\r\nConnection: close\r\n\r\n"
      try client.send(Array(request.utf8))
      return try client.receiveText()
    }
    #expect(text.hasPrefix("HTTP/1.1 421 Misdirected Request\r\n"))
    _ = await replay.stop()
  }

  @Test func aWaitEndsWithTheCommand() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document])
    let replay = try RunningReplay([folder.path, "--format=json", "--control", "127.0.0.1:0"])
    let announcement = try await replay.announcement()
    let token = try #require(announcement.control?.token)
    async let waited = Self.exchange(
      announcement, "GET /v1/requests?wait=60", ["Authorization: Bearer \(token)"])
    // Once a later connection is served, the waiting request has most likely arrived.
    _ = try await Self.exchange(announcement, "GET /v1", ["Authorization: Bearer \(token)"])
    #expect(await replay.stop() == .success)
    _ = try? await waited
  }

  @Test func aTokenFromAFileIsNotPrinted() async throws {
    let folder = try TemporaryFolder(["world/fixture.yaml": Self.document, "token": "0123456789abcdef"])
    let replay = try RunningReplay([
      folder.path(of: "world"), "--format=json", "--control", "unix:\(folder.path(of: "control"))",
      "--control-token-file", folder.path(of: "token"),
    ])
    let announcement = try await replay.announcement()
    #expect(announcement.control?.address == "unix:\(folder.path(of: "control"))")
    #expect(announcement.control != nil && announcement.control?.token == nil)
    var facts = stat()
    #expect(unsafe stat(folder.path(of: "control"), &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
    #expect(await replay.stop() == .success)
    #expect(unsafe stat(folder.path(of: "control"), &facts) == -1)
  }

  @Test func itWarnsWhenOthersCanReachIt() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document])
    let replay = try RunningReplay([folder.path, "--format=json", "--control", "0.0.0.0:0"])
    let announcement = try await replay.announcement()
    let address = try #require(announcement.control?.address)
    #expect(
      await replay.nextError()
        == "probekit replay: --control \(address): other machines can reach the control, and see its token")
    _ = await replay.stop()
  }

  @Test func anUnusableSocketPathOrTokenFileEndsTheCommand() async throws {
    let folder = try TemporaryFolder(["world/fixture.yaml": Self.document, "control": "text"])
    let replay = try RunningReplay([
      folder.path(of: "world"), "--control", "unix:\(folder.path(of: "control"))",
    ])
    #expect(await replay.exitCode == .unavailable)
    #expect(
      await replay.nextError()
        == "probekit replay: --control: \(folder.path(of: "control")) exists and is not a socket: use another path"
    )
    let withoutToken = try RunningReplay([
      folder.path(of: "world"), "--control", "127.0.0.1:0", "--control-token-file",
      folder.path(of: "missing"),
    ])
    #expect(await withoutToken.exitCode == .unavailable)
  }

  /// A fixture that the control has replaced stays until its own files change.
  @Test func aReplacedFixtureStaysUntilItsFilesChange() async throws {
    func document(_ name: String, _ status: Int) -> String {
      """
      version: 1
      name: \(name)
      source: { kind: synthetic, reference: a test }
      routes: [{ when: { host: \(name).example }, respond: { status: \(status) } }]

      """
    }
    let folder = try TemporaryFolder([
      "a/fixture.yaml": document("a", 201), "b/fixture.yaml": document("b", 201),
    ])
    let replay = try RunningReplay([folder.path, "--format=json", "--control", "127.0.0.1:0"])
    let announcement = try await replay.announcement()
    let fields = [
      "Authorization: Bearer \(try #require(announcement.control?.token))", "Content-Type: application/yaml",
    ]
    let replaced = try await Self.exchange(
      announcement, "PUT /v1/fixtures/a", fields, body: document("a", 202))
    #expect(replaced.hasPrefix("200 "))
    #expect(try await announcement.ask("http://a.example/").status == 202)
    try folder.write("b/fixture.yaml", document("b", 203))
    #expect(await replay.nextError() == "probekit replay: the changed fixtures were reloaded")
    #expect(try await announcement.ask("http://b.example/").status == 203)
    #expect(try await announcement.ask("http://a.example/").status == 202)
    try folder.write("a/fixture.yaml", document("a", 204))
    #expect(await replay.nextError() == "probekit replay: the changed fixtures were reloaded")
    #expect(try await announcement.ask("http://a.example/").status == 204)
    _ = await replay.stop()
  }
}
