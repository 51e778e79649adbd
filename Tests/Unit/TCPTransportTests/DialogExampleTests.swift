import Foundation
import LoopbackServer
import ProbeCore
import Transports
import Testing
import TestSupport

/// Every dialog of Examples/dialogs, with servers that follow or violate its protocol.
@Suite struct DialogExampleTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var example: String
    var name: String
    var reason: ReasonCode?
    var captures: [String: String] = [:]
    var script: LoopbackServer.Script
    var testDescription: String { "\(example): \(name)" }
  }

  private static let folder = projectFile("Examples/dialogs")

  /// The start of a key exchange (RFC 4253 §7.1): length, padding, message 20, a cookie, lists of names.
  private static let keyExchange: [UInt8] = {
    let names = Array("curve25519-sha256,ecdh-sha2-nistp256".utf8)
    let payload: [UInt8] =
      [20] + (0..<16).map { 0xF0 + $0 } + [0, 0, 0, UInt8(names.count)] + names + [0, 0, 0, 0]
    return [0, 0, 0, UInt8(payload.count + 5), 4] + payload + [0, 0, 0, 0]
  }()

  /// A response (RFC 1035 §4.1) with a length prefix (RFC 7766 §8).
  private static func dns(code: UInt8, answerRecords: UInt8) -> [UInt8] {
    let question = [7] + Array("example".utf8) + [3] + Array("com".utf8) + [0, 0, 1, 0, 1]
    let answerRecord: [UInt8] = [0xC0, 0x0C, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1]
    let message =
      [0x12, 0x34, 0x81, 0x80 | code, 0, 1, 0, answerRecords, 0, 0, 0, 0] + question
      + (answerRecords > 0 ? answerRecord : [])
    return [0, UInt8(message.count)] + message
  }

  private static func dnsServer(_ response: [UInt8], piece: Int = 1000) -> LoopbackServer.Script {
    { connection in
      var query: [UInt8] = []
      while query.count < 31 {
        let more = try connection.read()
        if more.isEmpty { return }
        query += more
      }
      guard query.count == 31, Int(query[0]) << 8 | Int(query[1]) == 29 else { return connection.reset() }
      try connection.sendSlowly(response, piece: piece, every: .milliseconds(1))
      connection.hold()
    }
  }

  /// The initial handshake packet of the protocol: version, thread, random bytes, capabilities, plugin.
  private static let mysqlGreeting: [UInt8] = {
    let random = Array("abcd_password\u{1}zyxw".utf8)
    let payload =
      [10] + Array("8.0.36\0".utf8) + [9, 0, 0, 0] + random.prefix(8) + [
        0, 0xFF, 0xFF, 0xFF, 2, 0, 0xFF, 0xDF, 21,
      ]
      + [UInt8](repeating: 0, count: 10) + random.dropFirst(8) + Array("\0caching_sha2_password\0".utf8)
    return [UInt8(payload.count), 0, 0, 0] + payload
  }()

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
    Scene(example: "smtp-starttls", name: "goes on inside TLS", captures: ["server": "mx.test"]) {
      connection in
      try connection.send("220 mx.test ESMTP ready\r\n")
      guard try connection.readLine() == "EHLO probe.example\r\n" else { return connection.reset() }
      try connection.send("250-mx.test\r\n250-STARTTLS\r\n250 SIZE 1000\r\n")
      guard try connection.readLine() == "STARTTLS\r\n" else { return connection.reset() }
      try connection.send("220 2.0.0 ready\r\n")
      try connection.startTLS(SecureServers.shared.context())
      guard try connection.readLine() == "EHLO probe.example\r\n" else { return connection.reset() }
      try connection.send("250-mx.test\r\n250 AUTH PLAIN\r\n")
      guard try connection.readLine() == "QUIT\r\n" else { return connection.reset() }
      try connection.send("221 bye\r\n")
    },
    Scene(
      example: "smtp-starttls", name: "has no TLS", reason: .dialogRejected, captures: ["server": "mx.test"]
    ) { connection in
      try connection.send("220 mx.test ESMTP ready\r\n")
      _ = try connection.readLine()
      try connection.send("250-mx.test\r\n250 SIZE 1000\r\n")
      _ = try connection.readLine()
      try connection.send("502 5.5.1 command not implemented\r\n")
      connection.hold()
    },
    Scene(
      example: "smtp-starttls", name: "data arrives before TLS", reason: .tlsInjected,
      captures: ["server": "mx.test"]
    ) { connection in
      try connection.send("220 mx.test ESMTP ready\r\n")
      _ = try connection.readLine()
      try connection.send("250 STARTTLS\r\n")
      _ = try connection.readLine()
      try connection.send("220 ready\r\n250 mx.test\r\n")
      try connection.startTLS(SecureServers.shared.context())
    },
    Scene(
      example: "imap", name: "goes on inside TLS", captures: ["capabilities": "IMAP4rev1 AUTH=PLAIN"]
    ) { connection in
      try connection.send("* OK [CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED] ready\r\n")
      guard try connection.readLine() == "a1 STARTTLS\r\n" else { return connection.reset() }
      try connection.send("a1 OK begin\r\n")
      try connection.startTLS(SecureServers.shared.context())
      guard try connection.readLine() == "a2 CAPABILITY\r\n" else { return connection.reset() }
      try connection.send("* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\na2 OK done\r\n")
    },
    Scene(example: "imap", name: "is logged in already", reason: .dialogRejected) { connection in
      try connection.send("* PREAUTH hello\r\n")
      connection.hold()
    },
    Scene(example: "imap", name: "has no TLS", reason: .dialogRejected) { connection in
      try connection.send("* OK ready\r\n")
      _ = try connection.readLine()
      try connection.send("a1 BAD unknown command\r\n")
      connection.hold()
    },
    Scene(example: "ldap", name: "goes on inside TLS") { connection in
      guard try connection.read(count: 31).suffix(22) == Array("1.3.6.1.4.1.1466.20037".utf8)[...] else {
        return connection.reset()
      }
      try connection.send([0x30, 0x0C, 2, 1, 1, 0x78, 7, 10, 1, 0, 4, 0, 4, 0])
      try connection.startTLS(SecureServers.shared.context())
      guard try connection.read(count: 14)[5] == 0x60 else { return connection.reset() }
      // An anonymous bind may well be refused.
      try connection.send([0x30, 0x0C, 2, 1, 2, 0x61, 7, 10, 1, 48, 4, 0, 4, 0])
      connection.hold()
    },
    Scene(example: "ldap", name: "has no TLS", reason: .dialogRejected) { connection in
      _ = try connection.read(count: 31)
      try connection.send([0x30, 0x0F, 2, 1, 1, 0x78, 10, 10, 1, 2, 4, 0, 4, 3, 0x6E, 0x6F, 0x21])
      connection.hold()
    },
    Scene(example: "xmpp", name: "goes on inside TLS") { connection in
      let header = "<?xml version='1.0'?><stream:stream from='example.com' version='1.0'>"
      _ = try connection.read()
      try connection.send(
        header + "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls>"
          + "</stream:features>")
      _ = try connection.read()
      try connection.send("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
      try connection.startTLS(SecureServers.shared.context())
      _ = try connection.read()
      try connection.send(header + "<stream:features><mechanisms/></stream:features>")
      connection.hold()
    },
    Scene(example: "xmpp", name: "does not serve the name", reason: .dialogRejected) { connection in
      _ = try connection.read()
      try connection.send("<stream:stream><stream:error><host-unknown/></stream:error></stream:stream>")
    },
    Scene(example: "xmpp", name: "fails to start TLS", reason: .dialogRejected) { connection in
      _ = try connection.read()
      try connection.send(
        "<stream:stream><stream:features><starttls xmlns=\"urn:ietf:params:xml:ns:xmpp-tls\"/></stream:features>"
      )
      _ = try connection.read()
      try connection.send("<failure xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:stream>")
    },
    Scene(example: "postgresql", name: "starts TLS") { connection in
      guard try connection.read(count: 8) == [0, 0, 0, 8, 4, 0xD2, 0x16, 0x2F] else {
        return connection.reset()
      }
      try connection.send("S")
      try connection.startTLS(SecureServers.shared.context())
      connection.hold()
    },
    Scene(example: "postgresql", name: "has no TLS", reason: .dialogRejected) { connection in
      _ = try connection.read(count: 8)
      try connection.send("N")
      connection.hold()
    },
    Scene(example: "postgresql", name: "data arrives before TLS", reason: .tlsInjected) { connection in
      _ = try connection.read(count: 8)
      try connection.send("SR\0\0\0\u{8}\0\0\0\0")
      try connection.startTLS(SecureServers.shared.context())
    },
    Scene(example: "mysql", name: "starts TLS", captures: ["version": "8.0.36"]) { connection in
      try connection.send(mysqlGreeting)
      guard try connection.read(count: 36).prefix(4) == [32, 0, 0, 1] else { return connection.reset() }
      try connection.startTLS(SecureServers.shared.context())
      connection.hold()
    },
    Scene(example: "mysql", name: "has no TLS", reason: .notTLS, captures: ["version": "8.0.36"]) {
      connection in
      try connection.send(mysqlGreeting)
      _ = try connection.read(count: 36)
      try connection.send([0x15, 0, 0, 2, 0xFF, 0x13, 4] + Array("#08S01Bad handshake".utf8))
      connection.hold()
    },
    Scene(example: "mysql", name: "is full", reason: .dialogRejected) { connection in
      try connection.send([0x17, 0, 0, 0, 0xFF, 0x10, 4] + Array("Too many connections".utf8))
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
    Scene(example: "binary", name: "knows an address", script: dnsServer(dns(code: 0, answerRecords: 1))),
    Scene(
      example: "binary", name: "byte by byte", script: dnsServer(dns(code: 0, answerRecords: 1), piece: 1)),
    Scene(
      example: "binary", name: "no such name", reason: .dialogRejected,
      script: dnsServer(dns(code: 3, answerRecords: 0))),
    Scene(
      example: "binary", name: "refuses", reason: .dialogRejected,
      script: dnsServer(dns(code: 5, answerRecords: 0))
    ),
    Scene(example: "binary", name: "hangs up", reason: .bodyMismatch) { connection in
      _ = try connection.read()
    },
  ]

  @Test(arguments: scenes.indices)
  func theExampleHasTheExpectedResult(_ index: Int) async throws {
    let scene = Self.scenes[index]
    let server = try LoopbackServer(script: scene.script)
    let file = Self.folder.appending(path: "\(scene.example).json")
    var request = try SecureServers.shared.request(.tcp, server)
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
