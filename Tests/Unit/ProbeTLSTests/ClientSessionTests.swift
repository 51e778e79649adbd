import ProbeTLS
import ProbeCore
import TestRequirements
import Testing

/// A client session with a server session, and with bytes that no server sends.
@Suite struct ClientSessionTests {
  static let authority = Result { try CertificateAuthority() }
  static let pieces = [Int.max, 1]

  private func client(
    _ host: String = "a.example", identity: Identity? = nil, protocols: [String] = []
  ) throws -> TLSSession {
    let trust = try TrustStore(authorities: [Self.authority.get()])
    return try TLSSession(
      ClientContext(trust: trust, identity: identity, applicationProtocols: protocols), host: host)
  }

  private func server(
    versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3, supportsHTTP2: Bool = false,
    clientAuthorities: TrustStore? = nil
  ) throws -> TLSSession {
    let identity = try Self.authority.get().issue(LeafOptions(hosts: ["a.example", "192.0.2.7"]))
    return try TLSSession(
      ServerContext(
        identity, versions: versions, supportsHTTP2: supportsHTTP2, clientAuthorities: clientAuthorities))
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3], pieces)
  func bytesAreSentBothWaysUntilCloseNotify(version: TLSVersion, piece: Int) throws {
    let pair = SessionPair(try client(), try server(versions: version...version), piece: piece)
    #expect(pair.client.verification == nil)
    #expect(pair.performHandshake().isDone)
    let name = version == .v1_3 ? "TLSv1.3" : "TLSv1.2"
    #expect(pair.client.version == name)
    #expect(pair.server.serverName == "a.example")
    #expect(pair.client.clientCertificate == nil)
    #expect(pair.server.verification == nil)
    let verification = try #require(pair.client.verification)
    #expect(verification.problem == nil)
    #expect(verification.session.version == name)
    #expect(verification.session.cipher?.contains("AES") == true)
    #expect(verification.applicationProtocol == nil)

    #expect(try pair.client.read(upTo: 10) == .needsInput)
    #expect(try pair.send(Array("hello".utf8), from: pair.client, to: pair.server) == Array("hello".utf8))
    #expect(try pair.send(Array("hi".utf8), from: pair.server, to: pair.client) == Array("hi".utf8))

    pair.server.close()
    pair.deliver(from: pair.server, to: pair.client)
    #expect(try pair.client.read(upTo: 10) == .end(notified: true))
    // Its own side is still open.
    #expect(try pair.send([7], from: pair.client, to: pair.server) == [7])
    pair.client.close()
    pair.deliver(from: pair.client, to: pair.server)
    #expect(try pair.server.read(upTo: 10) == .end(notified: true))
    #expect(throws: TLSError.self) { try pair.client.write([1]) }
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3])
  func anEndWithoutCloseNotifyIsDistinguished(version: TLSVersion) throws {
    let pair = SessionPair(try client(), try server(versions: version...version))
    #expect(pair.performHandshake().isDone)
    try pair.server.write([1, 2])
    pair.deliver(from: pair.server, to: pair.client)
    pair.client.receiveEnd()
    #expect(try pair.client.read(upTo: 10) == .bytes([1, 2]))
    #expect(try pair.client.read(upTo: 10) == .end(notified: false))
  }

  @Test(.heavy, arguments: [TLSVersion.v1_2, .v1_3], [Int.max, 1000])
  func largeDataIsSentBothWays(version: TLSVersion, piece: Int) throws {
    let pair = SessionPair(try client(), try server(versions: version...version), piece: piece)
    #expect(pair.performHandshake().isDone)
    let long = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    // Twice, because the buffers in between are recreated.
    for _ in 0..<2 {
      #expect(try pair.send(long, from: pair.client, to: pair.server) == long)
      #expect(try pair.send(long, from: pair.server, to: pair.client) == long)
    }
    pair.client.receiveEnd()
    #expect(try pair.client.read(upTo: 10) == .end(notified: false))
  }

  @Test func callerProvidedBuffersCanBeUsed() throws {
    let pair = SessionPair(try client(), try server())
    #expect(pair.performHandshake().isDone)
    try pair.client.write(Array("hello".utf8).span)
    var buffer = [UInt8](repeating: 0, count: 7)
    while pair.client.outputCount > 0 {
      var span = buffer.mutableSpan
      let count = pair.client.takeOutput(into: &span)
      pair.server.receive(buffer.span.extracting(0..<count))
    }
    var span = buffer.mutableSpan
    #expect(try pair.server.read(into: &span) == .bytes(5))
    #expect(buffer.prefix(5) == Array("hello".utf8)[...])
  }

  @Test(
    arguments: [
      ([], false, nil), (["http/1.1"], false, "http/1.1"), (["h2", "http/1.1"], false, "http/1.1"),
      (["h2", "http/1.1"], true, "h2"), (["h2"], false, nil), (["http/1.1"], true, nil),
    ] as [([String], Bool, String?)])
  func theApplicationProtocolIsNegotiated(offered: [String], supportsHTTP2: Bool, agreed: String?) throws {
    for version in [TLSVersion.v1_2, .v1_3] {
      let server = try server(versions: version...version, supportsHTTP2: supportsHTTP2)
      let pair = SessionPair(try client(protocols: offered), server)
      #expect(pair.performHandshake().isDone)
      #expect(pair.client.verification?.applicationProtocol == agreed)
    }
  }

  @Test(arguments: ["", String(repeating: "a", count: 256)])
  func invalidProtocolNamesAreRefused(name: String) throws {
    let error = #expect(throws: TLSError.self) { try client(protocols: ["h2", name]) }
    #expect(error?.code == .cannotConfigure)
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3], pieces)
  func aClientCertificateIsSentOnRequest(version: TLSVersion, piece: Int) throws {
    let authority = try Self.authority.get()
    var options = LeafOptions(hosts: [])
    options.purposes = .client
    options.signer = .intermediate
    let identity = try authority.issue(options)
    let server = try server(
      versions: version...version, clientAuthorities: TrustStore(authorities: [authority]))
    let pair = SessionPair(try client(identity: identity), server, piece: piece)
    #expect(pair.performHandshake().isDone)
    #expect(pair.server.clientCertificate == identity.chain.first)
    #expect(try pair.send([1], from: pair.client, to: pair.server) == [1])

    // A server that requests no certificate receives none.
    let other = SessionPair(try client(identity: identity), try self.server(versions: version...version))
    #expect(other.performHandshake().isDone)
    #expect(other.server.clientCertificate == nil)
  }

  @Test(arguments: [false, true])
  func aMissingOrUntrustedClientCertificateCausesAnAlert(isShown: Bool) throws {
    let store = try TrustStore(authorities: [Self.authority.get()])
    var options = LeafOptions(hosts: [])
    options.purposes = .client
    let identity = try isShown ? CertificateAuthority().issue(options) : nil

    let old = SessionPair(
      try client(identity: identity), try server(versions: .v1_2 ... .v1_2, clientAuthorities: store))
    let outcome = old.performHandshake()
    #expect(outcome.server.error != nil)
    #expect(outcome.client.error?.code == .handshakeFailed)
    #expect(
      outcome.client.error?.handshakeFailure?.alertName == (isShown ? "unknown CA" : "handshake failure"))

    // In TLS 1.3 the client finishes first, and receives the alert when it reads.
    let new = SessionPair(
      try client(identity: identity), try server(versions: .v1_3 ... .v1_3, clientAuthorities: store))
    let late = new.performHandshake()
    #expect(late.server.error != nil)
    #expect(late.client.isDone)
    let error = #expect(throws: TLSError.self) { try new.client.read(upTo: 10) }
    #expect(error?.code == .protocolViolation)
    #expect(error?.handshakeFailure?.alertName == (isShown ? "unknown CA" : "certificate required"))
  }

  @Test(arguments: pieces) func aServerWithOnlyOldVersionsIsRefused(piece: Int) throws {
    let pair = SessionPair(try client(), try server(versions: .v1_0 ... .v1_1), piece: piece)
    let outcome = pair.performHandshake()
    #expect(outcome.server.error?.handshakeFailure?.isUnsupportedVersion == true)
    #expect(outcome.client.error?.code == .handshakeFailed)
    #expect(outcome.client.error?.handshakeFailure?.alert == 70)
    #expect(outcome.client.error?.handshakeFailure?.isNotTLS == false)
    #expect(pair.client.verification == nil)
  }

  /// A server that does not know the supported_versions extension (RFC 8446 §4.2.1) responds with its highest
  /// version.
  @Test(arguments: pieces) func aTLS10ServerHelloIsRefused(piece: Int) throws {
    let client = try client()
    #expect(try client.handshake() == .needsInput)
    _ = client.takeOutput()
    let body = [3, 1] + [UInt8](repeating: 7, count: 32) + [0, 0xC0, 0x13, 0]
    let message = [2] + HelloBytes.number(body.count, bytes: 3) + body
    let error = failure(
      of: client, [22, 3, 1] + HelloBytes.number(message.count, bytes: 2) + message, piece: piece)
    #expect(error?.code == .handshakeFailed)
    #expect(error?.handshakeFailure?.isUnsupportedVersion == true)
    #expect(client.takeOutput().suffix(2) == [2, 70], "protocol_version, fatal")
  }

  /// The failure of a client's handshake with these bytes from a server.
  private func failure(of client: TLSSession, _ bytes: [UInt8], piece: Int) -> TLSError? {
    var rest = bytes[...]
    while !rest.isEmpty {
      client.receive(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
      do {
        guard try client.handshake() == .needsInput else { return nil }
      } catch {
        return error
      }
    }
    return nil
  }

  @Test(
    arguments: [
      "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
      "220 mail.example ESMTP\r\n", "<html></html>", "\0\0\0\0\0\0\0\0\0\0", "\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}",
    ], pieces)
  func aServerWithoutTLSIsReported(response: String, piece: Int) throws {
    let client = try client()
    #expect(try client.handshake() == .needsInput)
    let error = failure(of: client, Array(response.utf8), piece: piece)
    #expect(error?.code == .handshakeFailed)
    #expect(error?.handshakeFailure?.isNotTLS == true)
    #expect(error?.handshakeFailure?.alert == nil)
  }

  @Test(arguments: [(40, "handshake failure"), (112, "unrecognized name"), (120, "no application protocol")])
  func alertsOfTheServerAreReported(alert: UInt8, name: String) throws {
    for piece in Self.pieces {
      let client = try client()
      #expect(try client.handshake() == .needsInput)
      let error = failure(of: client, [21, 3, 3, 0, 2, 2, alert], piece: piece)
      #expect(error?.code == .handshakeFailed)
      #expect(error?.handshakeFailure?.alert == alert)
      #expect(error?.handshakeFailure?.alertName == name)
    }
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3], [0, 1, 4, 5, 6, 50, 200, -1])
  func anEndDuringTheHandshakeIsReported(version: TLSVersion, cut: Int) throws {
    let pair = SessionPair(try client(), try server(versions: version...version))
    #expect(try pair.client.handshake() == .needsInput)
    pair.deliver(from: pair.client, to: pair.server)
    #expect(try pair.server.handshake() == .needsInput)
    let flight = pair.server.takeOutput()
    pair.client.receive(Array(flight.prefix(cut < 0 ? flight.count + cut : cut)))
    pair.client.receiveEnd()
    let error = #expect(throws: TLSError.self) { try pair.client.handshake() }
    #expect(error?.code == .handshakeFailed)
    #expect(error?.handshakeFailure?.isUnexpectedEnd == true)
  }

  @Test func aCloseNotifyDuringTheHandshakeIsReported() throws {
    let client = try client()
    #expect(try client.handshake() == .needsInput)
    client.receive([21, 3, 3, 0, 2, 1, 0])
    client.receiveEnd()
    let error = #expect(throws: TLSError.self) { try client.handshake() }
    #expect(error?.code == .connectionLost)
    #expect(error?.handshakeFailure == nil)
  }

  @Test func tamperedRecordsAreRejected() throws {
    let pair = SessionPair(try client(), try server())
    #expect(pair.performHandshake().isDone)
    try pair.server.write(Array("hello".utf8))
    var bytes = pair.server.takeOutput()
    bytes[bytes.count - 1] ^= 1
    pair.client.receive(bytes)
    let error = #expect(throws: TLSError.self) { try pair.client.read(upTo: 10) }
    #expect(error?.code == .protocolViolation)
    #expect(pair.client.outputCount > 0, "the alert")
  }

  @Test func endlessHandshakeMessagesAreBounded() throws {
    // A record full of HelloRequests (RFC 5246 §7.4.1.1), which a client skips.
    let record = [22, 3, 3, 0x40, 0] + [UInt8](repeating: 0, count: 16384)
    let client = try client()
    #expect(try client.handshake() == .needsInput)
    var count = 0
    let error = #expect(throws: TLSError.self) {
      while count < 64 {
        client.receive(record)
        _ = try client.handshake()
        count += 1
      }
    }
    #expect((30...40).contains(count))
    #expect(error?.code == .protocolViolation)
    #expect(error?.handshakeFailure == nil)
  }

  @Test(arguments: ["", ".", ".a.example", "a\0.example", String(repeating: "a", count: 256)])
  func malformedHostsAreRefused(host: String) throws {
    let error = #expect(throws: TLSError.self) { try client(host) }
    #expect(error?.code == .malformedHost)
  }

  @Test(
    arguments: [
      ("a.example", "a.example"), ("A.Example.", "a.example"), ("localhost", "localhost"),
      (String(repeating: "a", count: 255), String(repeating: "a", count: 255)),
      ("192.0.2.7", nil), ("192.0.2.7.", nil), ("2001:db8::1", nil), ("::ffff:192.0.2.7", nil),
    ] as [(String, String?)])
  func namesAreSentInSNIAndAddressesAreNot(host: String, name: String?) throws {
    let client = try client(host)
    #expect(try client.handshake() == .needsInput)
    let server = try server()
    server.receive(client.takeOutput())
    #expect(try server.handshake() == .needsInput)
    #expect(server.serverName == name)
    #expect(client.serverName == name)
  }
}
