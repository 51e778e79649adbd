import ProbeTLS
import ProbeCore
import TestClients
import Testing

@Suite struct ServerTests {
  static let authority = Result { try CertificateAuthority() }

  private func session(
    versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3, clientAuthorities: TrustStore? = nil
  ) throws -> TLSSession {
    let identity = try Self.authority.get().issue(LeafOptions(hosts: ["a.example"]))
    return try TLSSession(
      ServerContext(identity, versions: versions, clientAuthorities: clientAuthorities))
  }

  private func client(_ options: MemoryClient.Options = MemoryClient.Options()) throws -> MemoryClient {
    try MemoryClient(trust: TrustStore(authorities: [Self.authority.get()]), options: options)
  }

  @Test func bytesAreSentBothWaysUntilCloseNotify() throws {
    let (client, session) = (try client(.init(host: "a.example")), try session())
    try client.handshake(with: session)
    #expect(session.serverName == "a.example")
    #expect(session.version == "TLSv1.3")
    #expect(try session.read(upTo: 10) == .needsInput)

    client.send(Array("hello".utf8))
    session.receive(client.takeOutput())
    #expect(try session.read(upTo: 3) == .bytes(Array("hel".utf8)))
    #expect(try session.read(upTo: 100) == .bytes(Array("lo".utf8)))

    let long = (0..<60_000).map { UInt8(truncatingIfNeeded: $0) }
    try session.write(long)
    client.receive(session.takeOutput())
    var received: [UInt8] = []
    while received.count < long.count { received += try client.read() }
    #expect(received == long)

    session.close()
    client.receive(session.takeOutput())
    #expect(try client.read().isEmpty)
    client.close()
    session.receive(client.takeOutput())
    #expect(try session.read(upTo: 10) == .end(notified: true))
    #expect(throws: TLSError.self) { try session.write([1]) }
  }

  @Test func callerProvidedBuffersCanBeUsed() throws {
    let (client, session) = (try client(), try session())
    try client.handshake(with: session)
    let long = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    // Twice, because the buffer in between is recreated.
    for _ in 0..<2 {
      try session.write(long.span)
      var buffer = [UInt8](repeating: 0, count: 1000)
      var received: [UInt8] = []
      while session.outputCount > 0 {
        var span = buffer.mutableSpan
        let count = session.takeOutput(into: &span)
        client.receive(Array(buffer.prefix(count)))
      }
      while received.count < long.count { received += try client.read() }
      #expect(received == long)
      var span = buffer.mutableSpan
      #expect(session.takeOutput(into: &span) == 0)
    }

    var small: [UInt8] = [0, 0, 0]
    func read() throws -> TLSSession.Filling {
      var span = small.mutableSpan
      return try session.read(into: &span)
    }
    #expect(try read() == .needsInput)
    client.send(Array("hello".utf8))
    session.receive(client.takeOutput().span)
    #expect(try read() == .bytes(3))
    #expect(small == Array("hel".utf8))
    #expect(try read() == .bytes(2))
    #expect(small.prefix(2) == Array("lo".utf8)[...])
    client.close()
    session.receive(client.takeOutput().span)
    #expect(try read() == .end(notified: true))
  }

  @Test func anEndWithoutCloseNotifyIsDistinguished() throws {
    let (client, session) = (try client(), try session())
    try client.handshake(with: session)
    session.receiveEnd()
    #expect(try session.read(upTo: 10) == .end(notified: false))
  }

  @Test(arguments: [
    (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"), (["h2"], ""), ([], ""),
  ])
  func theApplicationProtocolIsChosen(offered: [String], chosen: String) throws {
    let (client, session) = (try client(.init(protocols: offered)), try session())
    try client.handshake(with: session)
    #expect(client.selectedProtocol == chosen)
  }

  @Test(arguments: [TLSVersion.v1_0, .v1_1, .v1_2, .v1_3])
  func everyVersionIsSupported(version: TLSVersion) throws {
    let client = try client(.init(versions: .v1_0 ... .v1_3))
    let session = try session(versions: version...version)
    try client.handshake(with: session)
    let names = [TLSVersion.v1_0: "TLSv1", .v1_1: "TLSv1.1", .v1_2: "TLSv1.2", .v1_3: "TLSv1.3"]
    #expect(session.version == names[version])
    #expect(client.observer.verification?.session.version == names[version])
  }

  @Test(arguments: [TLSVersion.v1_0 ... .v1_0, .v1_3 ... .v1_3])
  func aMissingCommonVersionIsAnError(server: ClosedRange<TLSVersion>) throws {
    let client = try client(.init(versions: .v1_2 ... .v1_2))
    let session = try session(versions: server)
    // The side that detects it first reports it: the client if the server's offer is too old, else the
    // server.
    let error = #expect(throws: (any Error).self) { try client.handshake(with: session) }
    let handshakeFailure =
      (error as? TLSError)?.handshakeFailure ?? (error as? MemoryClient.Failure)?.handshakeFailure
    #expect(handshakeFailure?.isUnsupportedVersion == true)
    #expect(client.observer.verification == nil)
  }

  @Test func theClientReceivesTheAlert() throws {
    let client = try client(.init(versions: .v1_2 ... .v1_2))
    let session = try session(versions: .v1_3 ... .v1_3)
    _ = try client.step()
    session.receive(client.takeOutput())
    #expect(throws: TLSError.self) { try session.handshake() }
    client.receive(session.takeOutput())
    let handshakeFailure = #expect(throws: MemoryClient.Failure.self) { try client.step() }?.handshakeFailure
    #expect(handshakeFailure?.alert == 70)
    #expect(handshakeFailure?.alertName == "protocol version")
    #expect(handshakeFailure?.isNotTLS == false)
  }

  @Test(arguments: [
    "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
    "220 mail.example ESMTP\r\n", "\0\0\0\0\0\0\0\0\0\0",
  ])
  func aServerWithoutTLSIsReported(response: String) throws {
    let client = try client()
    _ = try client.step()
    client.receive(Array(response.utf8))
    let handshakeFailure = #expect(throws: MemoryClient.Failure.self) { try client.step() }?.handshakeFailure
    #expect(handshakeFailure?.isNotTLS == true)
    #expect(handshakeFailure?.alert == nil)
  }

  @Test func clientCertificatesAreVerified() throws {
    let authority = try Self.authority.get()
    let store = try TrustStore(authorities: [authority])
    var options = LeafOptions(hosts: [])
    options.purposes = .client
    let identity = try authority.issue(options)
    let session = try session(clientAuthorities: store)
    try client(.init(identity: identity)).handshake(with: session)
    #expect(session.clientCertificate == identity.chain.first)

    let without = try self.session(clientAuthorities: store)
    #expect(throws: TLSError.self) { try client().handshake(with: without) }
    #expect(without.clientCertificate == nil)

    let stranger = try CertificateAuthority().issue(options)
    #expect(throws: TLSError.self) {
      try client(.init(identity: stranger)).handshake(with: self.session(clientAuthorities: store))
    }
  }

  @Test(
    arguments: [
      (
        "OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", "wrong version number", true, nil
      ),
      (
        "error:0A000410:SSL routines::sslv3 alert handshake failure", "sslv3 alert handshake failure", false,
        40
      ),
      ("error:error:0A00042E:x", "tlsv1 alert protocol version", false, 70),
      (
        "error:0A000126:SSL routines::unexpected eof while reading", "unexpected eof while reading", false,
        nil
      ),
    ] as [(String, String, Bool, UInt8?)])
  func errorsInMessagesAreParsed(message: String, text: String, isNotTLS: Bool, alert: UInt8?) throws {
    let handshakeFailure = try #require(HandshakeFailure(message: message))
    #expect(handshakeFailure.text == text)
    #expect(handshakeFailure.isNotTLS == isNotTLS)
    #expect(handshakeFailure.alert == alert)
  }

  @Test(arguments: ["", "error:", "error:0A0001", "error:0A0001zz:", "connection reset", "terror:12"])
  func messagesWithoutAnErrorAreIgnored(message: String) {
    #expect(HandshakeFailure(message: message) == nil)
  }
}
