import ProbeTLS
import ProbeCore
import TestClients
import Testing

@testable import FixtureReplay

/// Every TLS mode on the wire: the bytes, the alert or the certificate.
@Suite struct TLSWireTests {
  private static func world(_ tls: HostRules<TLSMode>, _ response: ReplayResponse = Page.response)
    -> [Fixture]
  {
    [Fixture(name: "wire", routes: [ReplayRoute("page", response: response)], tls: tls)]
  }

  /// The response to a ClientHello without a handshake.
  private static let bare: [(mode: TLSMode, bytes: [UInt8], ending: RawClient.Ending)] = [
    (.alertHandshakeFailure, [0x15, 3, 3, 0, 2, 2, 40], .fin),
    (.alertProtocolVersion, [0x15, 3, 3, 0, 2, 2, 70], .fin),
    (.alertInternalError, [0x15, 3, 3, 0, 2, 2, 80], .fin),
    (.alertUnrecognizedName, [0x15, 3, 3, 0, 2, 2, 112], .fin),
    (
      .plainHTTP,
      Array(
        "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
          .utf8),
      .fin
    ),
    (.fin, [], .fin), (.rst, [], .reset), (.stall, [], .silence),
  ]

  /// The observations of a client in a handshake: OpenSSL's verification code and the depth in the chain, and
  /// the number of certificates sent.
  private static let handshakes:
    [(mode: TLSMode, problem: VerificationError?, code: Int, depth: Int, sent: Int)] = [
      (.valid, nil, 0, 0, 1), (.noCloseNotify, nil, 0, 0, 1), (.expired, .expired, 10, 0, 1),
      (.notYetValid, .notYetValid, 9, 0, 1), (.selfSigned, .selfSigned, 18, 0, 1),
      (.untrusted, .untrusted, 19, 1, 2), (.wrongHost, .wrongHost, 62, 0, 1),
      (.incompleteChain, .untrusted, 20, 0, 1), (.clientCertificate, nil, 0, 0, 1), (.tls1_0, nil, 0, 0, 1),
    ]

  @Test func everyModeIsInATable() {
    #expect(Set(Self.bare.map(\.mode) + Self.handshakes.map(\.mode)) == Set(TLSMode.allCases))
  }

  @Test(arguments: bare.indices, [Int.max, 1])
  func modesWithoutAHandshakeRespondToTheHello(_ index: Int, piece: Int) async throws {
    let (mode, bytes, ending) = Self.bare[index]
    let (reception, lines) = try await serving(Self.world(["*": mode])) { server in
      let client = try SecureClient(
        port: server.port(of: .https), trust: TestAuthority.trust, options: .init(host: "a.example"))
      _ = try client.tls.step()
      try client.raw.send(client.tls.takeOutput(), inPiecesOf: piece)
      let reception = client.raw.receive(within: ending == .silence ? .milliseconds(60) : RawClient.patience)
      return (reception, server.journal.entries.map(\.line))
    }
    #expect(reception == .init(bytes, ending))
    #expect(lines == ["1 https a.example → no TLS: the fixture's mode is \(mode.rawValue)"])
  }

  @Test(arguments: handshakes.indices)
  func aHandshakeShowsTheCertificateProblem(_ index: Int) async throws {
    let (mode, problem, code, depth, sent) = Self.handshakes[index]
    let (found, count) = try await serving(Self.world(["*": mode])) { server in
      let options = MemoryClient.Options(
        host: "a.example", versions: mode == .tls1_0 ? .v1_0 ... .v1_0 : .v1_2 ... .v1_3)
      let client = try SecureClient(
        port: server.port(of: .https), trust: TestAuthority.trust, options: options)
      try? client.handshake()
      return try (client.tls.observer.verification, Self.certificatesSent(server, options.versions))
    }
    let verification = try #require(found)
    #expect(verification.problem == problem)
    #expect(verification.code == code)
    #expect(verification.depth == depth)
    #expect(count == sent)
    let names = verification.session.chain.first?.alternativeNames
    #expect(names == (mode == .wrongHost ? ["wrong-host.invalid"] : ["a.example"]))
  }

  /// The number of certificates in the server's Certificate message (RFC 5246 §7.4.2), which is unencrypted
  /// up to TLS 1.2.
  private static func certificatesSent(
    _ server: ReplayServer, _ versions: ClosedRange<TLSVersion>
  ) throws -> Int {
    let client = try SecureClient(
      port: server.port(of: .https), trust: TestAuthority.trust,
      options: .init(host: "a.example", versions: versions.lowerBound...min(versions.upperBound, .v1_2)))
    _ = try client.tls.step()
    try client.raw.send(client.tls.takeOutput())
    var messages: [UInt8] = []
    while true {
      let header = client.raw.receive(upTo: 5).bytes
      guard header.count == 5, header[0] == 22 else { return -1 }
      messages += client.raw.receive(upTo: Int(header[3]) << 8 | Int(header[4])).bytes
      var rest = messages[...]
      while rest.count >= 4 {
        let (kind, length) = (rest[rest.startIndex], Self.number(rest.dropFirst().prefix(3)))
        guard rest.count >= 4 + length else { break }
        if kind == 11 { return count(inList: rest.dropFirst(7).prefix(length - 3)) }
        rest = rest.dropFirst(4 + length)
      }
    }
  }

  private static func count(inList list: ArraySlice<UInt8>) -> Int {
    var (rest, count) = (list, 0)
    while rest.count >= 3 {
      rest = rest.dropFirst(3 + number(rest.prefix(3)))
      count += 1
    }
    return count
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
