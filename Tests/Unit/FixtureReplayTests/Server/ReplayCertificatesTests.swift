import ProbeTLS
import ProbeCore
import TestClients
import Testing

@testable import FixtureReplay

@Suite struct ReplayCertificatesTests {
  static let authority = Result { try CertificateAuthority(name: "ProbeKit Replay") }

  private func certificates() throws -> ReplayCertificates {
    ReplayCertificates(authority: try Self.authority.get())
  }

  /// The result of verification for a host, by a client that trusts only the replay authority.
  private func verification(
    _ mode: TLSMode, host: String, by certificates: ReplayCertificates
  ) throws -> Verification {
    let trust = try TrustStore(authorities: [certificates.authority])
    let versions = mode == .tls1_0 ? TLSVersion.v1_0 ... .v1_3 : .v1_2 ... .v1_3
    let client = try MemoryClient(trust: trust, options: .init(host: host, versions: versions))
    let context = try #require(try certificates.context(for: mode, host: host))
    // A refused certificate ends the handshake on either side.
    try? client.handshake(with: TLSSession(context))
    return try #require(client.observer.verification)
  }

  @Test(
    arguments: [
      (.valid, nil, 0), (.noCloseNotify, nil, 0), (.expired, .expired, 10), (.notYetValid, .notYetValid, 9),
      (.selfSigned, .selfSigned, 18),
      (.untrusted, .untrusted, 19), (.wrongHost, .wrongHost, 62),
      (.incompleteChain, .untrusted, 20), (.tls1_0, nil, 0), (.clientCertificate, nil, 0),
    ] as [(TLSMode, VerificationError?, Int)])
  func everyModeHasItsOwnProblem(mode: TLSMode, problem: VerificationError?, code: Int) throws {
    let certificates = try certificates()
    for host in ["login.example", "wrong-host.invalid"] {
      let found = try verification(mode, host: host, by: certificates)
      #expect(found.problem == problem)
      #expect(found.code == code)
      #expect(found.depth == (mode == .untrusted ? 1 : 0))
      #expect(found.session.chain.count == (mode == .untrusted ? 2 : 1))
      let leaf = try #require(found.session.chain.first)
      if mode != .wrongHost { #expect(leaf.alternativeNames == [host]) }
      switch mode {
      case .selfSigned: #expect(leaf.subject == leaf.issuer)
      case .untrusted: #expect(leaf.issuer == "CN=ProbeKit Replay\\, an Authority Nobody Trusts")
      case .incompleteChain: #expect(leaf.issuer == "CN=ProbeKit Replay\\, Intermediate")
      default: #expect(leaf.issuer == "CN=ProbeKit Replay")
      }
      #expect(found.session.version == (mode == .tls1_0 ? "TLSv1" : "TLSv1.3"))
    }
  }

  @Test func aModeHasAHandshakeOrBytesOrNeither() throws {
    let certificates = try certificates()
    let silent: Set<TLSMode> = [.fin, .rst, .stall]
    for mode in TLSMode.allCases {
      let hasContext = try certificates.context(for: mode, host: "a.example") != nil
      let ways = [hasContext, mode.helloResponse != nil, silent.contains(mode)]
      #expect(ways.count { $0 } == 1, "\(mode)")
    }
  }

  @Test(arguments: [
    (TLSMode.alertHandshakeFailure, UInt8(0x28)), (.alertProtocolVersion, 0x46), (.alertInternalError, 0x50),
    (.alertUnrecognizedName, 0x70),
  ])
  func alertsAreTheseBytes(mode: TLSMode, number: UInt8) throws {
    #expect(mode.helloResponse == [0x15, 3, 3, 0, 2, 2, number])
    let client = try MemoryClient(trust: TrustStore(authorities: []))
    _ = try client.step()
    client.receive(try #require(mode.helloResponse))
    let handshakeFailure = #expect(throws: MemoryClient.Failure.self) { try client.step() }?.handshakeFailure
    #expect(handshakeFailure?.alert == number)
  }

  @Test func plainHTTPIsACompleteRedirect() throws {
    let response = try #require(TLSMode.plainHTTP.helloResponse)
    #expect(
      String(decoding: response, as: UTF8.self) == """
        HTTP/1.1 302 Found\r
        Location: http://192.0.2.1/\r
        Content-Length: 0\r
        Connection: close\r
        \r

        """)
    let client = try MemoryClient(trust: TrustStore(authorities: []))
    _ = try client.step()
    client.receive(response)
    let handshakeFailure = #expect(throws: MemoryClient.Failure.self) { try client.step() }?.handshakeFailure
    #expect(handshakeFailure?.isNotTLS == true)
  }

  @Test(arguments: [
    ("Login.EXAMPLE", ["login.example"]), ("192.0.2.7", ["192.0.2.7", "localhost", "127.0.0.1", "::1"]),
    ("2001:DB8::7", ["2001:db8::7", "localhost", "127.0.0.1", "::1"]),
    (nil, ["localhost", "127.0.0.1", "::1"]),
    ("127.0.0.1", ["localhost", "127.0.0.1", "::1"]), ("*.example", ["localhost", "127.0.0.1", "::1"]),
    ("a b", ["localhost", "127.0.0.1", "::1"]), ("", ["localhost", "127.0.0.1", "::1"]),
    (String(repeating: "a.", count: 126) + "a", [String(repeating: "a.", count: 126) + "a"]),
  ])
  func theAlternativeNamesOfACertificate(host: String?, names: [String]) throws {
    let certificates = try certificates()
    let context = try #require(try certificates.context(for: .valid, host: host))
    let trust = try TrustStore(authorities: [certificates.authority])
    for name in names {
      let client = try MemoryClient(trust: trust, options: .init(host: name))
      try client.handshake(with: TLSSession(context))
      #expect(client.observer.verification?.problem == nil)
      #expect(client.observer.verification?.session.chain.first?.alternativeNames == names)
    }
  }

  @Test func aCertificateIsCreatedOncePerHost() throws {
    let certificates = try certificates()
    let first = try certificates.context(for: .valid, host: "a.example")
    #expect(try certificates.context(for: .valid, host: "A.example") === first)
    #expect(try certificates.context(for: .noCloseNotify, host: "a.example") === first)
    #expect(try certificates.context(for: .expired, host: "a.example") !== first)
    #expect(try certificates.context(for: .valid, host: "b.example") !== first)
    #expect(certificates.count == 3)
    _ = try certificates.context(for: .wrongHost, host: "a.example")
    _ = try certificates.context(for: .wrongHost, host: "b.example")
    for odd in ["*", "a b", "ä.example", "a..b"] { _ = try certificates.context(for: .valid, host: odd) }
    #expect(certificates.count == 5)
  }

  @Test func theNumberOfCachedCertificatesIsLimited() throws {
    let certificates = try ReplayCertificates(authority: Self.authority.get(), capacity: 8)
    let first = try #require(try certificates.context(for: .valid, host: "0.names.example"))
    for number in 1..<100 {
      _ = try certificates.context(for: .valid, host: "\(number).names.example")
      #expect(certificates.count <= 8)
    }
    // An evicted certificate is created again, and one in use stays valid.
    #expect(try certificates.context(for: .valid, host: "0.names.example") !== first)
    let client = try MemoryClient(trust: TrustStore(authorities: [Self.authority.get()]))
    try client.handshake(with: TLSSession(first))
  }

  @Test func clientsMustPresentACertificateOfTheAuthority() throws {
    let certificates = try certificates()
    let context = try #require(try certificates.context(for: .clientCertificate, host: "a.example"))
    let trust = try TrustStore(authorities: [certificates.authority])
    let identity = try certificates.clientIdentity()
    let session = try TLSSession(context)
    try MemoryClient(trust: trust, options: .init(host: "a.example", identity: identity))
      .handshake(with: session)
    #expect(session.clientCertificate == identity.chain.first)

    #expect(throws: TLSError.self) {
      try MemoryClient(trust: trust, options: .init(host: "a.example")).handshake(
        with: TLSSession(context))
    }
    let stranger = try ReplayCertificates(authority: CertificateAuthority()).clientIdentity()
    #expect(throws: TLSError.self) {
      try MemoryClient(trust: trust, options: .init(identity: stranger)).handshake(
        with: TLSSession(context))
    }
  }

  @Test func concurrentRequestsShareCertificates() async throws {
    let certificates = try certificates()
    let modes: [TLSMode] = [.valid, .untrusted, .clientCertificate, .selfSigned]
    let names = try await withThrowingTaskGroup(of: (String, ObjectIdentifier).self) { group in
      for number in 0..<64 {
        group.addTask {
          let (mode, host) = (modes[number % 4], "\(number % 8).example")
          let context = try #require(try certificates.context(for: mode, host: host))
          return ("\(mode) \(host)", ObjectIdentifier(context))
        }
      }
      return try await group.reduce(into: [String: Set<ObjectIdentifier>]()) {
        $0[$1.0, default: []].insert($1.1)
      }
    }
    #expect(names.count == 8)
    #expect(names.values.allSatisfy { $0.count == 1 })
  }
}
