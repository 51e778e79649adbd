import FixtureReplay
import ProbeTLS
import ProbeCore
import TestClients
import Testing

/// TLS sessions: names, versions, certificates of clients, and how sessions end.
@Suite struct TLSSessionTests {
  private static func world(_ tls: HostRules<TLSMode>, _ response: ReplayResponse = Page.response)
    -> [Fixture]
  {
    [Fixture(name: "wire", routes: [ReplayRoute("page", response: response)], tls: tls)]
  }

  private static func client(_ server: ReplayServer, _ options: MemoryClient.Options) throws -> SecureClient {
    try SecureClient(port: server.port(of: .https), trust: TestAuthority.trust, options: options)
  }

  @Test func everyHostHasItsCertificateAndItsMode() async throws {
    let modes: HostRules<TLSMode> = [
      "old.example": .expired, "*.shut.example": .alertInternalError, "*": .valid,
    ]
    let hosts = ["a.example", "Old.Example", "b.example", "x.shut.example", nil]
    let seen = try await serving(Self.world(modes)) { server in
      try hosts.map { host in
        let client = try Self.client(server, .init(host: host))
        let result = Result { try client.handshake() }
        let verification = client.tls.observer.verification
        let handshakeFailure = (Self.error(result) as? MemoryClient.Failure)?.handshakeFailure
        return [
          verification?.session.chain.first?.alternativeNames.first ?? "none",
          verification?.problem.map { "\($0)" } ?? "right", handshakeFailure?.alertName ?? "no alert",
        ]
      }
    }
    #expect(
      seen == [
        ["a.example", "right", "no alert"], ["old.example", "expired", "no alert"],
        ["b.example", "right", "no alert"], ["none", "right", "internal error"],
        ["localhost", "right", "no alert"],
      ])
  }

  private static func error(_ result: Result<Void, any Error>) -> (any Error)? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test func onlyTLS1_0IsSpokenInItsMode() async throws {
    let (old, handshakeFailure, bytes) = try await serving(Self.world(["*": .tls1_0])) { server in
      let old = try Self.client(server, .init(host: "a.example", versions: .v1_0 ... .v1_3))
      try old.handshake()
      try old.send(plainRequest)
      let modern = try Self.client(server, .init(host: "a.example"))
      let handshakeFailure = (Self.error(Result { try modern.handshake() }) as? MemoryClient.Failure)?
        .handshakeFailure
      let raw = try Self.client(server, .init(host: "a.example"))
      _ = try raw.tls.step()
      try raw.raw.send(raw.tls.takeOutput())
      return (old.receive(upTo: Page.count), handshakeFailure, raw.raw.receive())
    }
    #expect(old.text == Page.text)
    #expect(handshakeFailure?.alertName == "protocol version")
    #expect(bytes.bytes.last == 70)
    #expect(bytes.ending == .fin)
  }

  @Test func aClientMustPresentItsCertificate() async throws {
    let (page, handshakeFailures) = try await serving(Self.world(["*": .clientCertificate])) { server in
      let certificates = try ReplayCertificates(authority: TestAuthority.shared)
      let known = try Self.client(
        server, .init(host: "a.example", identity: certificates.clientIdentity()))
      try known.handshake()
      try known.send(plainRequest)
      let page = known.receive(upTo: Page.count)
      let handshakeFailures = try [TLSVersion.v1_2, .v1_3].map { version in
        let client = try Self.client(server, .init(host: "a.example", versions: version...version))
        // In TLS 1.3, the client completes the handshake before the server checks for a certificate.
        let result = Result { try client.handshake() }
        _ = client.receive()
        return client.handshakeFailure ?? (Self.error(result) as? MemoryClient.Failure)?.handshakeFailure
      }
      return (page, handshakeFailures)
    }
    #expect(page.text == Page.text)
    #expect(handshakeFailures.map { $0?.alertName } == ["handshake failure", "certificate required"])
  }

  @Test(arguments: [(TLSMode.valid, true), (.noCloseNotify, false)])
  func closeNotifyDependsOnTheMode(mode: TLSMode, isNotified: Bool) async throws {
    let open = "HTTP/1.1 200 OK\r\n\r\nup to the end"
    let seen = try await serving(Self.world(["*": mode], .send(Array(open.utf8)))) { server in
      try [TLSVersion.v1_2, .v1_3].map { version in
        let client = try Self.client(server, .init(host: "a.example", versions: version...version))
        try client.handshake()
        try client.send(plainRequest)
        return (client.receive(), client.hasCloseNotice, client.handshakeFailure == nil)
      }
    }
    for (reception, hasCloseNotice, isClean) in seen {
      #expect(reception == .init(Array(open.utf8), .fin))
      #expect(hasCloseNotice == isNotified)
      #expect(isClean)
    }
  }

  @Test func withoutCloseNotifyTheResponseIsTheLastRecord() async throws {
    let tail = try await serving(Self.world(["*": .noCloseNotify], .send(Array("hi".utf8)))) { server in
      let client = try Self.client(server, .init(host: "a.example", versions: .v1_2 ... .v1_2))
      try client.handshake()
      try client.send(plainRequest)
      return client.raw.receive()
    }
    // One record of application data and no alert (RFC 5246 §6.2.1, §7.2).
    #expect(tail.bytes.first == 23)
    #expect(tail.bytes.count == 5 + (Int(tail.bytes[3]) << 8 | Int(tail.bytes[4])))
    #expect(tail.ending == .fin)
  }

  @Test func http11IsSelectedByALPN() async throws {
    let picked = try await serving(Self.world(["*": .valid])) { server in
      try [["h2", "http/1.1"], ["h2"], []].map { protocols in
        let client = try Self.client(server, .init(host: "a.example", protocols: protocols))
        try client.handshake()
        return client.tls.selectedProtocol
      }
    }
    #expect(picked == ["http/1.1", "", ""])
  }

  @Test(arguments: [1, 100])
  func recordsMayComeInPieces(piece: Int) async throws {
    let reception = try await serving(Self.world(["*": .valid])) { server in
      let client = try Self.client(server, .init(host: "a.example"))
      while try !client.tls.step() {
        try client.raw.send(client.tls.takeOutput(), inPiecesOf: piece)
        client.tls.receive(client.raw.receivePart().bytes)
      }
      client.tls.send(Array(plainRequest.utf8))
      try client.raw.send(client.tls.takeOutput(), inPiecesOf: piece)
      return client.receive(upTo: Page.count)
    }
    #expect(reception.text == Page.text)
  }

  @Test func theJournalHasTheNameAndTheFailure() async throws {
    let lines = try await serving(Self.world(["*": .valid])) { server in
      let good = try server.secureClient("a.example")
      try good.send("GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n")
      _ = good.receive(upTo: Page.count)
      let bad = try SecureClient(
        port: server.port(of: .https), trust: TrustStore(authorities: []), options: .init(host: "b.example"))
      try? bad.handshake()
      bad.raw.shutdownWrite()
      _ = bad.raw.receive()
      let gone = try server.client(.https)
      try gone.send([0x16])
      gone.shutdownWrite()
      _ = gone.receive()
      return server.journal.entries.map(\.line)
    }
    #expect(
      lines == [
        "1 https GET a.example:443 /x → wire/page",
        "2 https b.example → no TLS: the TLS handshake failed: tlsv1 alert unknown ca",
        "3 https - → no TLS: the client closed the connection during the handshake",
      ])
  }
}
