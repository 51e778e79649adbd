import LoopbackServer
import ProbeCore
import TestRequirements
import Testing

@testable import BlackboxExporter
import ProbePatterns

/// TCP modules: connections and dialogs.
@Suite struct TCPModuleTests {
  @Test func aConnectionSuffices() async throws {
    let server = try LoopbackServer { $0.close() }
    let report = try await probeTCP(server.hostAndPort)
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_failed_due_to_regex"] == 0)
    #expect(report.samples["probe_failed_due_to_bytes"] == 0)
    #expect(report.samples["probe_ip_protocol"] == 4)
  }

  @Test(arguments: [
    ":0", "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999", "a b:80", "a:80/b",
  ])
  func aTargetWithoutAValidHostAndPortIsAFailure(_ target: String) async throws {
    let report = try await probeTCP(target)
    #expect(!report.succeeded)
    #expect(report.failure?.reason == .invalidRequest, "\(report.story)")
  }

  @Test func aRefusedConnectionIsAFailure() async throws {
    let report = try await probeTCP("127.0.0.1:\(try LoopbackServer.refusedPort())")
    #expect(report.failure?.reason == .connectRefused, "\(report.story)")
    // Known only once there is a connection.
    #expect(report.samples["probe_failed_due_to_regex"] == nil)
    #expect(report.samples["probe_ip_protocol"] == 4)
  }

  /// The preference of a module, and the family of the address that it must use.
  @Test(arguments: [
    (AddressChoice.ipv4, IPFamily.v4), (AddressChoice(), .v6),
    (
      {
        var choice = AddressChoice()
        choice.fallsBack = false
        return choice
      }(), .v6
    ),
  ])
  func thePreferredFamilyIsUsed(_ choice: AddressChoice, _ family: IPFamily) async throws {
    guard hasIPv6 || family == .v4 else { try skipTest("this machine has no ::1") }
    // The server listens only on this address.
    let server = try LoopbackServer(on: family == .v4 ? .v4 : .v6) { $0.close() }
    let prober = try ExporterProber.forTests(names: ["both.example": ["127.0.0.1", "::1"]])
    let report = try await probeTCP("both.example:\(server.port)", by: prober) { $0.addresses = choice }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_ip_protocol"] == (family == .v4 ? 4 : 6))
  }

  @Test func theOtherFamilyIsUsedOnlyIfTheModuleFallsBack() async throws {
    let server = try LoopbackServer { $0.close() }
    let prober = try ExporterProber.forTests(names: ["four.example": ["127.0.0.1"]])
    for fallsBack in [true, false] {
      let report = try await probeTCP("four.example:\(server.port)", by: prober) {
        $0.addresses.fallsBack = fallsBack
      }
      #expect(report.succeeded == fallsBack, "\(report.story)")
      #expect(report.failure?.reason == (fallsBack ? nil : .noAddress))
      #expect(report.samples["probe_ip_protocol"] == (fallsBack ? 4 : 0))
    }
  }

  @Test func theHashIsCalculatedFromTheAddress() async throws {
    let server = try LoopbackServer { $0.close() }
    let report = try await probeTCP(server.hostAndPort)
    // FNV-1a of the bytes 127, 0, 0 and 1.
    let hash = [127, 0, 0, 1].reduce(0x811C_9DC5 as UInt32) { ($0 ^ $1) &* 16_777_619 }
    #expect(report.samples["probe_ip_addr_hash"] == Double(hash))
  }

  /// The steps of a registration with a chat server.
  private static func registration() throws -> [TCPModule.Step] {
    [
      .send("NICK watcher"), .send("USER watcher * * :watcher"),
      .expect(try GoPattern("^:[^ ]+ 001 ([a-z]+)")),
    ]
  }

  @Test(arguments: [(":chat.example 001 watcher :Hello", true), ("ERROR :Go away", false)])
  func theResponseDecidesAChatRegistration(_ response: String, _ succeeds: Bool) async throws {
    let server = try LoopbackServer { connection in
      try connection.send(":chat.example NOTICE * :*** Looking up your host\r\n")
      #expect(try connection.line() == "NICK watcher")
      #expect(try connection.line() == "USER watcher * * :watcher")
      try connection.send(":chat.example NOTICE * :*** No ident\r\n\(response)\r\n")
    }
    let report = try await probeTCP(server.hostAndPort) { $0.steps = try Self.registration() }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.samples["probe_failed_due_to_regex"] == (succeeds ? 0 : 1))
    #expect(report.failure?.reason == (succeeds ? nil : .bodyMismatch))
  }

  @Test func groupsAreUsedInSentTextsAndLabels() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("READY mail-1.2 (test build)\n")
      #expect(try connection.line() == "SEEN mail-1.2, $1")
    }
    let report = try await probeTCP(server.hostAndPort) {
      var step = TCPModule.Step.expect(try GoPattern(#"^READY (?P<name>[^ ]+)(?: \((.*)\))?$"#))
      step.send = Array("SEEN ${1}, $$1".utf8)
      step.labels = [
        .init(name: "software", value: "${name}"), .init(name: "note", value: "a ${2} of $name"),
      ]
      $0.steps = [step]
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_failed_due_to_regex"] == 0)
    #expect(report.samples["probe_expect_info"] == 1)
    #expect(
      report.samples.labels(of: "probe_expect_info")
        == ["software": "mail-1.2", "note": "a test build of mail-1.2"])
  }

  @Test(arguments: [("exact-bytes", true), ("other-bytes", false), ("exact", false), ("", false)])
  func expectedBytesMustMatch(_ sent: String, _ succeeds: Bool) async throws {
    let server = try LoopbackServer { try $0.send(sent) }
    let report = try await probeTCP(server.hostAndPort) { $0.steps = [.expectBytes("exact-bytes")] }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.samples["probe_failed_due_to_regex"] == 0)
    #expect(report.samples["probe_failed_due_to_bytes"] == (succeeds ? 0 : 1))
  }

  @Test func expectedBytesMayArriveInPieces() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("exact")
      #expect(try connection.line() == "more")
      try connection.send("-bytes")
      try connection.send("-then")
    }
    let report = try await probeTCP(server.hostAndPort) {
      $0.steps = [.expectBytes("exact"), .send("more"), .expectBytes("-bytes-then")]
    }
    #expect(report.succeeded, "\(report.story)")
  }

  @Test(arguments: ["", "something else\n", "no line end"])
  func anUnmetExpectationIsAFailure(_ sent: String) async throws {
    let server = try LoopbackServer { try $0.send(sent) }
    let report = try await probeTCP(server.hostAndPort) { $0.steps = [.expect(try GoPattern("^READY"))] }
    #expect(report.failure?.reason == .bodyMismatch, "\(report.story)")
    #expect(report.samples["probe_failed_due_to_regex"] == 1)
  }

  @Test func aLastLineWithoutAnEndIsMatched() async throws {
    let server = try LoopbackServer { try $0.send("first\nREADY") }
    let report = try await probeTCP(server.hostAndPort) { $0.steps = [.expect(try GoPattern("^READY$"))] }
    #expect(report.succeeded, "\(report.story)")
  }

  @Test func silenceEndsInATimeout() async throws {
    let server = try LoopbackServer.holding()
    let report = try await probeTCP(server.hostAndPort, timeout: .milliseconds(300)) {
      $0.steps = [.expect(try GoPattern("^READY"))]
    }
    #expect(report.failure?.reason.rawValue.hasPrefix("timeout.") == true, "\(report.story)")
    #expect(report.samples["probe_timeout_seconds"] == 0.3)
    #expect(report.samples["probe_duration_seconds"].map { $0 >= 0.3 } == true)
    // The expression is not the cause of the failure.
    #expect(report.samples["probe_failed_due_to_regex"] == 0)
  }

  @Test func theConfiguredSourceIsUsed() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("\(connection.peerHost ?? "")\n")
    }
    let report = try await probeTCP(server.hostAndPort) {
      $0.source = IPAddress("127.0.0.9")
      $0.steps = [.expect(try GoPattern("^127.0.0.9$"))]
    }
    #expect(report.succeeded, "\(report.story)")
  }
}
