import Foundation
import LoopbackServer
import ProbeCore
import TCPTransport
import Testing

/// Every dialog of Examples/dialogs, against servers that play its protocol well and badly.
@Suite struct DialogExampleTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var example: String
    var name: String
    var reason: ReasonCode?
    var captures: [String: String] = [:]
    var script: LoopbackServer.Script
    var testDescription: String { "\(example): \(name)" }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/dialogs")

  /// The start of a key exchange (RFC 4253 §7.1): length, padding, message 20, a cookie, lists of names.
  private static let keyExchange: [UInt8] = {
    let names = Array("curve25519-sha256,ecdh-sha2-nistp256".utf8)
    let payload: [UInt8] =
      [20] + (0..<16).map { 0xF0 + $0 } + [0, 0, 0, UInt8(names.count)] + names + [0, 0, 0, 0]
    return [0, 0, 0, UInt8(payload.count + 5), 4] + payload + [0, 0, 0, 0]
  }()

  /// A response (RFC 1035 §4.1) with its length in front (RFC 7766 §8).
  private static func dns(code: UInt8, answers: UInt8) -> [UInt8] {
    let question = [7] + Array("example".utf8) + [3] + Array("com".utf8) + [0, 0, 1, 0, 1]
    let answer: [UInt8] = [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1]
    let message =
      [0x12, 0x34, 0x81, 0x80 | code, 0, 1, 0, answers, 0, 0, 0, 0] + question + (answers > 0 ? answer : [])
    return [0, UInt8(message.count)] + message
  }

  private static func dnsServer(_ answer: [UInt8], piece: Int = 1000) -> LoopbackServer.Script {
    { connection in
      var query: [UInt8] = []
      while query.count < 31 {
        let more = try connection.read()
        if more.isEmpty { return }
        query += more
      }
      guard query.count == 31, Int(query[0]) << 8 | Int(query[1]) == 29 else { return connection.reset() }
      try connection.sendSlowly(answer, piece: piece, every: .milliseconds(1))
      connection.hold()
    }
  }

  static let scenes: [Scene] = [
    Scene(
      example: "ssh", name: "words before the version",
      captures: ["version": "2.0", "software": "Test_1.0", "keyExchange": "curve25519-sha256"]
    ) { connection in
      try connection.sendSlowly(
        Array("welcome\r\nto us\r\nSSH-2.0-Test_1.0 Debian\r\n".utf8), piece: 5, every: .milliseconds(1))
      guard try connection.readLine().hasPrefix("SSH-2.0-") else { return connection.reset() }
      try connection.send(keyExchange)
      connection.hold()
    },
    Scene(example: "ssh", name: "version 1", reason: .dialogRejected) { connection in
      try connection.send("SSH-1.5-Old\n")
      connection.hold()
    },
    Scene(
      example: "ssh", name: "no key exchange", reason: .dialogRejected,
      captures: ["version": "2.0", "software": "Test"]
    ) { connection in
      try connection.send("SSH-2.0-Test\r\n")
      _ = try connection.readLine()
      try connection.send("Protocol mismatch.\r\n")
    },
    Scene(example: "ssh", name: "a web server", reason: .bodyMismatch) {
      try $0.send("HTTP/1.0 400 Bad\r\n\r\n")
    },
    Scene(example: "smtp", name: "lines in one piece", captures: ["server": "mx.test"]) { connection in
      try connection.send("220-one moment\r\n220 mx.test ESMTP ready\r\n")
      guard try connection.readLine() == "EHLO probe.example\r\n" else { return connection.reset() }
      try connection.send("250-mx.test\r\n250-SIZE 1000\r\n250 STARTTLS\r\n")
      guard try connection.readLine() == "QUIT\r\n" else { return connection.reset() }
      try connection.send("221 bye\r\n")
    },
    Scene(example: "smtp", name: "full", reason: .dialogRejected) { connection in
      try connection.send("421 too many connections\r\n")
      connection.hold()
    },
    Scene(
      example: "smtp", name: "refuses EHLO", reason: .dialogRejected, captures: ["server": "mx.test"]
    ) { connection in
      try connection.send("220 mx.test\r\n")
      _ = try connection.readLine()
      try connection.send("502 what?\r\n")
      connection.hold()
    },
    Scene(example: "irc", name: "lets us in", captures: ["token": "é 42", "server": "irc.test"]) {
      connection in
      guard try connection.readLine().hasPrefix("NICK "), try connection.readLine().hasPrefix("USER ") else {
        return connection.reset()
      }
      try connection.send(":irc.test NOTICE * :*** Looking up\r\nPING :é 42\r\n")
      guard try connection.readLine() == "PONG :é 42\r\n" else { return connection.reset() }
      try connection.send(":irc.test NOTICE * :ok\r\n:irc.test 001 probekit :Welcome\r\n")
      _ = try connection.readLine()
    },
    Scene(example: "irc", name: "the name is taken", reason: .dialogRejected) { connection in
      try connection.send(":irc.test 433 * probekit :Nickname is already in use\r\n")
      connection.hold()
    },
    Scene(example: "irc", name: "closes the link", reason: .dialogRejected) { connection in
      try connection.send("ERROR :Closing Link\r\n")
    },
    Scene(example: "binary", name: "knows an address", script: dnsServer(dns(code: 0, answers: 1))),
    Scene(example: "binary", name: "byte by byte", script: dnsServer(dns(code: 0, answers: 1), piece: 1)),
    Scene(
      example: "binary", name: "no such name", reason: .dialogRejected,
      script: dnsServer(dns(code: 3, answers: 0))),
    Scene(
      example: "binary", name: "refuses", reason: .dialogRejected, script: dnsServer(dns(code: 5, answers: 0))
    ),
    Scene(example: "binary", name: "hangs up", reason: .bodyMismatch) { connection in
      _ = try connection.read()
    },
  ]

  @Test(arguments: scenes.indices)
  func plays(_ index: Int) async throws {
    let scene = Self.scenes[index]
    let server = try LoopbackServer(script: scene.script)
    let file = Self.folder.appending(path: "\(scene.example).json")
    var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(server.port)"))
    request.timeout = .seconds(300)
    request[Dialog.self] = try JSONDecoder().decode(Dialog.self, from: Data(contentsOf: file))
    let transport = TCPTransport()
    try transport.check(request)
    do {
      let response = try await transport.probe(request)
      #expect(scene.reason == nil, "\(scene)")
      #expect(response.captures == scene.captures, "\(scene)")
    } catch let failure as ProbeFailure {
      #expect(failure.reason == scene.reason, "\(scene): \(failure)")
      #expect(failure.partial?.captures == scene.captures, "\(scene)")
    }
  }

  @Test func everyExampleIsPlayed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let examples = Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
    #expect(examples == Set(Self.scenes.map(\.example)))
  }
}
