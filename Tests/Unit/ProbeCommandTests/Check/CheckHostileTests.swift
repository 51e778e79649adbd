import Foundation
import LoopbackServer
import ProbeCommand
import ProbeCore
import TestSupport
import Testing
@testable import CommandKit

/// Deliberately hostile servers: the limits of `probekit check` apply to them, and nothing that they send
/// reaches a terminal unescaped.
@Suite struct CheckHostileTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var reason: String
    var script: @Sendable (LoopbackConnection) throws -> Void
  }

  static let faults: [Fault] = [
    Fault(testDescription: "garbage", reason: "http.protocol") {
      try $0.send("\u{1}\u{2}\u{3} what\r\n\r\n")
    },
    Fault(testDescription: "endless head", reason: "http.headTooLarge") { connection in
      try connection.send("HTTP/1.1 200 OK\r\n")
      while true { try connection.send("X-More: \(String(repeating: "y", count: 500))\r\n") }
    },
    Fault(testDescription: "1xx for ever", reason: "http.headTooLarge") { connection in
      while true { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
    },
    Fault(testDescription: "endless body", reason: "body.tooLarge") { connection in
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while true { try connection.send(String(repeating: "z", count: 1000)) }
    },
    Fault(testDescription: "gzip bomb", reason: "body.tooLarge") { connection in
      // 1 MiB of zeros in gzip format (RFC 1952).
      let bomb = ZerosInGzip.bytes
      try connection.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      try connection.send(bomb)
    },
    Fault(testDescription: "silence", reason: "timeout.response") { $0.hold() },
    Fault(testDescription: "a stalled body", reason: "timeout.body") { connection in
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")
      connection.hold()
    },
    Fault(testDescription: "nothing", reason: "http.noResponse") { _ in },
  ]

  @Test(arguments: faults)
  func everyFaultIsReportedWithItsReason(_ fault: Fault) async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try fault.script(connection)
    }
    // The head of the stalled response must arrive in time, while other servers send endlessly.
    let isSlow = fault.reason.hasPrefix("timeout")
    let check = try await withGrowingLimit(
      from: isSlow ? .seconds(1) : .seconds(60),
      while: { (check: Check) in (try? check.reason()) != fault.reason }
    ) { limit in
      try await Check([
        "--allow-http", "--timeout", "\(limit.components.seconds)s", "--contains=never there",
        "--max-body=4KiB", "--format=json", "--verbose", server.url(),
      ])
    }
    #expect(check.code == .notOnline)
    #expect(try check.reason() == fault.reason, "\(check.output)")
    // The output is short, however much the server sent.
    #expect(check.output.utf8.count + check.errors.utf8.count < 100_000)
  }

  /// The server repeatedly sends a record full of HelloRequests (RFC 5246 §7.4.1.1), which a client skips.
  @Test func endlessHandshakeMessagesFailTheHandshake() async throws {
    let record: [UInt8] = [0x16, 0x03, 0x03, 0x40, 0x00] + [UInt8](repeating: 0, count: 0x4000)
    let server = try LoopbackServer { connection in
      _ = try connection.read()
      while true { try connection.send(record) }
    }
    let check = try await Check([
      "--timeout=60s", "--format=json", "https://127.0.0.1:\(server.port)/",
    ])
    #expect(try check.reason() == "tls.handshake", "\(check.output)")
  }

  /// ESC, C1 (as UTF-8 and as a bare byte), NUL, DEL, bidirectional override and isolate, line separator.
  static let active: [UInt8] = Array(
    "\u{1B}]0;x\u{7}\u{1B}[2J\u{9B}31m\u{7F}\u{202E}abc\u{2066}\u{2028}".utf8)

  static let forms: [[String]] = [[], ["--verbose"], ["--format=json"], ["--format=json", "--verbose"]]

  @Test(arguments: forms)
  func unsafeCharactersNeverReachATerminal(_ form: [String]) async throws {
    let head =
      Array("HTTP/1.1 302 ".utf8) + Self.active + Array("\r\nLocation: http://portal.test/".utf8)
      + Self.active
    let body =
      Array("\r\nX-Odd: ".utf8) + Self.active + Array("\r\nContent-Length: 50\r\n\r\n<a href='/".utf8)
    let rest = Array((Self.active + [0x9B, 0xFF] + Array(repeating: 0x1B, count: 50)).prefix(40))
    let server = try LoopbackServer.responding(with: head + body + rest)
    let check = try await Check(["--allow-http", "--matches=(?<word>x)"] + form + [server.url()])
    for text in [check.output, check.errors] {
      let active = text.unicodeScalars.filter { $0 != "\n" && $0.mustBeEscapedForDisplay }
      #expect(active.isEmpty, "\(text.escapedForDisplay)")
    }
  }
}
