import LoopbackServer
import ProbeTLS
import ProbeCore
import Transports
import TestSupport
import Testing

private let transport = TCPTransport()

/// `tls://` URLs: the handshake, the certificate, and the data received inside TLS.
@Suite struct TLSConnectionTests {
  private func failure(of request: ProbeRequest) async throws -> ProbeFailure {
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await transport.probe(request) }
    return try #require(failure)
  }

  private static func expecting(_ text: String) -> any ResponseValidator {
    ClosureValidator { response in
      response.body == Array(text.utf8)
        ? .accepted : .rejected(.bodyMismatch, expected: text, found: "\(Excerpt(response.body))")
    }
  }

  @Test func aVerifiedCertificateIsAResponse() async throws {
    let (greeted, hasGreeted) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer(tls: SecureServers.shared.context()) { connection in
      hasGreeted.yield()
      connection.hold()
    }
    let response = try await transport.probe(try SecureServers.shared.request(.tls, server))
    #expect(response.body.isEmpty && response.head == nil)
    #expect(response.tls?.chain.first?.alternativeNames == ["localhost"])
    #expect(response.timings.tls.map { $0 > .zero } == true)
    #expect(response.timings.total.map { $0 >= response.timings.tls ?? .zero } == true)
    // In TLS 1.3 the client is done before the server.
    for await _ in greeted { break }
    #expect(server.serverNames == ["localhost"])
  }

  @Test(arguments: RefusedCertificate.all)
  func aRefusedCertificateHasTheSameReasonAsInHTTPS(_ refused: RefusedCertificate) async throws {
    let server = try LoopbackServer(tls: SecureServers.shared.context(refused.leaf)) { $0.hold() }
    let failure = try await failure(of: try SecureServers.shared.request(.tls, server, [.send("secret")]))
    #expect(failure.reason == refused.reason)
    #expect(failure.partial?.tls?.chain.isEmpty == false)
    #expect(failure.partial?.timings.tls == nil)
  }

  @Test func aPlaintextGreetingIsReported() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("220 mail.example ESMTP\r\n")
      connection.hold()
    }
    #expect(try await failure(of: try SecureServers.shared.request(.tls, server)).reason == .notTLS)
  }

  @Test func silenceDuringTheHandshakeIsATimeout() async throws {
    let server = try LoopbackServer { $0.hold() }
    let failure = try await withGrowingLimit(
      from: .milliseconds(600), while: { (failure: ProbeFailure) in failure.reason == .connectTimeout }
    ) { limit in
      var request = try SecureServers.shared.request(.tls, server)
      request.timeout = limit
      return try await self.failure(of: request)
    }
    #expect(failure.reason == .tlsTimeout)
  }

  @Test func validatorsReadTheDecryptedBytes() async throws {
    let server = try LoopbackServer(tls: SecureServers.shared.context()) { connection in
      try connection.sendSlowly(Array("* OK ready\r\n".utf8), piece: 3, every: .milliseconds(1))
      connection.hold()
    }
    var request = try SecureServers.shared.request(.tls, server)
    request.expectation = Self.expecting("* OK ready\r\n")
    let response = try await transport.probe(request)
    #expect(response.body == Array("* OK ready\r\n".utf8))
    #expect(response.timings.firstByte != nil)
  }

  @Test func aDialogRunsInsideTLS() async throws {
    let server = try LoopbackServer(tls: SecureServers.shared.context()) { connection in
      try connection.send("* OK imap.test ready\r\n")
      guard try connection.readLine() == "a1 LOGOUT imap.test\r\n" else { return connection.reset() }
      try connection.send("* BYE\r\na1 OK done\r\n")
    }
    let request = try SecureServers.shared.request(
      .tls, server,
      [
        .expect(.matches("^\\* OK (?<host>\\S+) .*\r\n")), .send("a1 LOGOUT ${host}\\r\\n"),
        .expect(.matches("(?m)^a1 OK")),
      ])
    try transport.check(request)
    #expect(try await transport.probe(request).captures == ["host": "imap.test"])
  }

  /// Without a close_notify alert, anyone on the path may have ended the connection.
  @Test(arguments: [true, false]) func anEndWithoutCloseNotifyIsReported(_ hasDialog: Bool) async throws {
    let server = try LoopbackServer(tls: SecureServers.shared.context()) { connection in
      try connection.send("* OK rea")
      connection.shutdownWrite(notify: false)
    }
    var request = try SecureServers.shared.request(
      .tls, server, hasDialog ? [.expect(.matches("^\\* OK .*\r\n"))] : nil)
    request.expectation = Self.expecting("* OK ready\r\n")
    let failure = try await failure(of: request)
    #expect(failure.reason == .bodyShort)
    #expect(failure.detail.contains("the connection ended without TLS close_notify"))
    #expect(failure.partial?.body == Array("* OK rea".utf8))
  }

  @Test func anEndWithCloseNotifyIsAResponse() async throws {
    let server = try LoopbackServer(tls: SecureServers.shared.context()) { try $0.send("* BYE\r\n") }
    var request = try SecureServers.shared.request(.tls, server)
    request.expectation = Self.expecting("* OK ready\r\n")
    #expect(try await transport.probe(request).body == Array("* BYE\r\n".utf8))
  }

  @Test func aServerThatRequiresACertificateIsReported() async throws {
    let server = try LoopbackServer(tls: SecureServers.shared.context(demandingClients: true)) { connection in
      try connection.send("welcome\n")
      connection.hold()
    }
    let request = try SecureServers.shared.request(.tls, server, [.expect("welcome\n")])
    #expect(try await failure(of: request).reason == .tlsHandshake)
  }

  @Test func aTLSConnectionWorksThroughATunnel() async throws {
    let proxy = try ScriptedProxy.tunnel(origin: SecureServers.shared.context()) { connection in
      try connection.send("inside\n")
      connection.hold()
    }
    var request = try SecureServers.shared.request(.tls, proxy, [.expect("inside\n")])
    request.connectTo = []
    request.proxy = try ProbeProxy("http://127.0.0.1:\(proxy.port)")
    #expect(try await transport.probe(request).tls?.chain.isEmpty == false)
  }

  static let unusable = [
    (
      "tls://mail.example",
      "a tls URL needs a port: write it as tls://mail.example:993; common ports are 443 (HTTPS), 465 (SMTP), 636 "
        + "(LDAP), 853 (DNS), 993 (IMAP) and 995 (POP3)"
    ),
    ("tcp://[2001:db8::1]", "a tcp URL needs a port: write it as tcp://[2001:db8::1]:22"),
    ("tls://mail.example:993/inbox", "a tls URL has no path or query: write it as tls://host:port"),
    ("tls://mail.example:993?x", "a tls URL has no path or query: write it as tls://host:port"),
  ]

  @Test(arguments: unusable) func unusableURLsAreRefused(_ url: String, error: String) throws {
    let request = ProbeRequest(try ProbeURL(url))
    let found = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(found?.description == error)
  }

  @Test func filesAreCheckedForBothSchemes() throws {
    for scheme in [URLScheme.tcp, .tls] {
      var request = ProbeRequest(try ProbeURL("\(scheme)://mail.example:25"))
      request.tls.additionalAuthorities = "/nonexistent/ca.pem"
      #expect(throws: InvalidInput.self, "\(scheme)") { try transport.checkFiles(of: request) }
      let keys = Set(transport.requestKeys(for: scheme).map(\.name))
      #expect(keys.isSuperset(of: ["ca", "clientCertificate", "dialog", "proxy", "connectTo", "family"]))
      #expect(keys.isDisjoint(with: ["redirects", "headers"]))
    }
  }
}
