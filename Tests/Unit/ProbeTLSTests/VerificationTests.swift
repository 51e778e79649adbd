import ProbeTLS
import ProbeCore
import TestClients
import Testing

/// Real handshakes between the server side and a client that verifies through the observer.
@Suite struct VerificationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var options = LeafOptions(hosts: ["portal.example", "*.wild.example", "192.0.2.7"])
    var host: String? = "portal.example"
    var isTrusted = true
    var problem: VerificationError?
    var code = 0
    var depth = 0
    var chainLength = 1

    init(
      _ name: String, problem: VerificationError? = nil, code: Int = 0,
      _ change: (inout Case) -> Void = { _ in }
    ) {
      self.name = name
      self.problem = problem
      self.code = code
      change(&self)
    }

    var testDescription: String { name }
  }

  static let cases = [
    Case("valid"),
    Case("valid for an address") { $0.host = "192.0.2.7" },
    Case("valid for a wildcard") { $0.host = "a.wild.example" },
    Case("any host") { $0.host = nil },
    Case("through an intermediate") {
      $0.options.signer = .intermediate
      $0.chainLength = 2
    },
    Case("expired", problem: .expired, code: 10) { $0.options.validity = .expired },
    Case("not yet valid", problem: .notYetValid, code: 9) { $0.options.validity = .notYetValid },
    Case("self-signed", problem: .selfSigned, code: 18) { $0.options.signer = .itself },
    Case("self-signed and expired", problem: .selfSigned, code: 18) {
      $0.options.signer = .itself
      $0.options.validity = .expired
    },
    Case("untrusted root", problem: .untrusted, code: 20) { $0.isTrusted = false },
    Case("incomplete chain", problem: .untrusted, code: 20) { $0.options.signer = .missingIntermediate },
    Case("untrusted root through an intermediate", problem: .untrusted, code: 20) {
      $0.isTrusted = false
      $0.depth = 1
      $0.options.signer = .intermediate
      $0.chainLength = 2
    },
    Case("untrusted root that is sent along", problem: .untrusted, code: 19) {
      $0.isTrusted = false
      $0.depth = 1
      $0.options.sendsAuthority = true
      $0.chainLength = 2
    },
    Case("trusted root that is sent along") {
      $0.options.sendsAuthority = true
      $0.chainLength = 2
    },
    Case("another name", problem: .wrongHost, code: 62) { $0.host = "bank.example" },
    Case("two levels below a wildcard", problem: .wrongHost, code: 62) { $0.host = "a.b.wild.example" },
    Case("another address", problem: .wrongHost, code: 64) { $0.host = "192.0.2.8" },
    Case("a client's certificate", problem: .other, code: 26) { $0.options.purposes = .client },
  ]

  static let authority = Result { try CertificateAuthority() }

  @Test(arguments: cases, [TLSVersion.v1_2, .v1_3])
  func everyVerificationProblemIsReported(example: Case, version: TLSVersion) throws {
    let authority = try Self.authority.get()
    let trusted = try example.isTrusted ? authority : CertificateAuthority(name: "Another")
    let identity = try authority.issue(example.options)
    let session = try TLSSession(ServerContext(identity, versions: version...version))
    let client = try MemoryClient(
      trust: TrustStore(authorities: [trusted]), options: MemoryClient.Options(host: example.host))
    #expect(client.observer.verification == nil)

    var serverFailure: HandshakeFailure?
    var clientFailure: HandshakeFailure?
    do {
      try client.handshake(with: session)
    } catch let error as TLSError {
      serverFailure = error.handshakeFailure
    } catch let error as MemoryClient.Failure {
      clientFailure = error.handshakeFailure
      // The server receives an alert.
      session.receive(client.takeOutput())
      serverFailure = #expect(throws: TLSError.self) { try session.handshake() }?.handshakeFailure
    }
    #expect((clientFailure?.isCertificateRefused == true) == (example.problem != nil))
    #expect((serverFailure?.alert != nil) == (example.problem != nil))

    let verification = try #require(client.observer.verification)
    #expect(verification.problem == example.problem)
    #expect(verification.code == example.code)
    #expect(verification.depth == example.depth)
    #expect(verification.session.chain == identity.chain)
    #expect(verification.session.chain.count == example.chainLength)
    #expect(verification.session.version == (version == .v1_3 ? "TLSv1.3" : "TLSv1.2"))
    #expect(verification.session.cipher?.contains("AES") == true)
    #expect((verification.text == "ok") == (example.code == 0))
  }

  @Test func anExpiredAuthorityIsFoundAtItsDepth() throws {
    let authority = try CertificateAuthority(validity: .expired)
    let session = try TLSSession(ServerContext(authority.issue(LeafOptions(hosts: ["a"]))))
    let client = try MemoryClient(trust: TrustStore(authorities: [authority]))
    #expect(throws: (any Error).self) { try client.handshake(with: session) }
    let verification = try #require(client.observer.verification)
    #expect(verification.problem == .expired)
    #expect(verification.depth == 1)
    #expect(verification.text == "certificate has expired")
  }

  @Test func onlyTheStoreOfTheObserverIsUsed() throws {
    let (authority, other) = (try Self.authority.get(), try CertificateAuthority())
    let session = try TLSSession(ServerContext(other.issue(LeafOptions(hosts: ["a"]))))
    let client = try MemoryClient(
      trust: TrustStore(authorities: [authority]), options: MemoryClient.Options(otherAuthority: other))
    #expect(throws: (any Error).self) { try client.handshake(with: session) }
    #expect(client.observer.verification?.problem == .untrusted)
  }

  @Test func repeatedConnectionsWithOneStoreAreVerified() throws {
    let authority = try Self.authority.get()
    let context = try ServerContext(authority.issue(LeafOptions(hosts: ["a"])))
    let store = try TrustStore(authorities: [authority])
    for _ in 0..<3 {
      let client = try MemoryClient(trust: store)
      try client.handshake(with: TLSSession(context))
      #expect(client.observer.verification?.code == 0)
    }
  }

  @Test(
    arguments: [
      (0, nil), (2, .untrusted), (9, .notYetValid), (10, .expired), (18, .selfSigned), (19, .untrusted),
      (20, .untrusted), (21, .untrusted), (27, .untrusted), (28, .untrusted), (3, .other), (26, .other),
      (62, .wrongHost), (63, .other), (64, .wrongHost), (-1, .other), (Int.max, .other),
    ] as [(Int, VerificationError?)])
  func verifyCodesAreMappedToProblems(code: Int, problem: VerificationError?) {
    #expect(VerificationError(code: code) == problem)
  }
}
