import Foundation
import ProbeTLS
import ProbeCore
import TestSupport
import Testing

/// A client session's verification of the server's certificates.
@Suite struct ClientVerificationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var options = LeafOptions(hosts: ["portal.example", "*.wild.example", "192.0.2.7", "2001:db8::7"])
    var host = "portal.example"
    var isTrusted = true
    var problem: VerificationError?
    var code = 0
    var depth = 0

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
    Case("valid for an address of version 6") { $0.host = "2001:DB8:0::7" },
    Case("valid for a wildcard") { $0.host = "a.wild.example" },
    Case("valid for a name with a dot at its end") { $0.host = "portal.example." },
    Case("through an intermediate") { $0.options.signer = .intermediate },
    Case("expired", problem: .expired, code: 10) { $0.options.validity = .expired },
    Case("expired, and for another name", problem: .expired, code: 10) {
      $0.options.validity = .expired
      $0.host = "bank.example"
    },
    Case("not yet valid", problem: .notYetValid, code: 9) { $0.options.validity = .notYetValid },
    Case("self-signed", problem: .selfSigned, code: 18) { $0.options.signer = .itself },
    Case("self-signed, and for another name", problem: .selfSigned, code: 18) {
      $0.options.signer = .itself
      $0.host = "bank.example"
    },
    Case("untrusted root", problem: .untrusted, code: 20) { $0.isTrusted = false },
    Case("incomplete chain", problem: .untrusted, code: 20) { $0.options.signer = .missingIntermediate },
    Case("untrusted root that is sent along", problem: .untrusted, code: 19) {
      $0.isTrusted = false
      $0.depth = 1
      $0.options.sendsAuthority = true
    },
    Case("another name", problem: .wrongHost, code: 62) { $0.host = "bank.example" },
    Case("another name, through an intermediate", problem: .wrongHost, code: 62) {
      $0.options.signer = .intermediate
      $0.host = "bank.example"
    },
    Case("another address", problem: .wrongHost, code: 64) { $0.host = "192.0.2.8" },
    Case("another address of version 6", problem: .wrongHost, code: 64) { $0.host = "2001:db8::8" },
    Case("an address in the other family", problem: .wrongHost, code: 64) { $0.host = "::ffff:192.0.2.7" },
    Case("a client's certificate", problem: .other, code: 26) { $0.options.purposes = .client },
  ]

  static let authority = Result { try CertificateAuthority() }

  @Test(arguments: cases, [TLSVersion.v1_2, .v1_3])
  func everyVerificationProblemIsReported(example: Case, version: TLSVersion) throws {
    let authority = try Self.authority.get()
    let trusted = try example.isTrusted ? authority : CertificateAuthority(name: "Another")
    let context = try ClientContext(trust: TrustStore(authorities: [trusted]))
    let identity = try authority.issue(example.options)
    let serverContext = try ServerContext(identity, versions: version...version)
    for piece in [Int.max, 1] {
      let pair = try SessionPair(
        TLSSession(context, host: example.host), TLSSession(serverContext), piece: piece)
      let outcome = pair.performHandshake()
      #expect(outcome.client.isDone == (example.problem == nil))
      #expect(
        (outcome.client.error?.handshakeFailure?.isCertificateRefused == true) == (example.problem != nil))
      #expect((outcome.client.error?.code == .handshakeFailed) == (example.problem != nil))
      // The server receives an alert.
      #expect((outcome.server.error?.handshakeFailure?.alert != nil) == (example.problem != nil))

      let verification = try #require(pair.client.verification)
      #expect(verification.problem == example.problem)
      #expect(verification.code == example.code)
      #expect(verification.depth == example.depth)
      #expect(verification.session.chain == identity.chain)
      #expect(verification.session.version == (version == .v1_3 ? "TLSv1.3" : "TLSv1.2"))
      #expect(verification.session.cipher?.contains("AES") == true)
    }
  }

  /// The hosts of a certificate, according to its alternative names.
  @Test(
    arguments: [
      ("a.example", ["a.example"], true), ("a.example", ["A.EXAMPLE"], true),
      ("A.example", ["a.example"], true),
      ("a.example", ["b.example", "a.example"], true), ("a.example", ["a.example."], true),
      ("a.example.", ["a.example"], true), ("a.example..", ["a.example"], false),
      ("a.example", ["example"], false), ("example", ["a.example"], false),
      ("aa.example", ["a.example"], false),
      ("b.a.example", ["a.example"], false), ("a", ["a"], true),
      // Wildcards.
      ("x.a.example", ["*.a.example"], true), ("x.a.example.", ["*.A.example."], true),
      ("a.example", ["*.a.example"], false), ("y.x.a.example", ["*.a.example"], false),
      ("x_y.a_b.example", ["*.a_b.example"], true), ("xn--4ca.a.example", ["*.a.example"], true),
      ("x.a.example", ["x*.a.example", "*x.a.example", "x.*.example", "*", "**.a.example"], false),
      ("a.example", ["*.example", "*.example.", "*"], false), ("a", ["*"], false),
      ("x.a.example", ["*.*.example", "*.example", "*.a.*", "*a.example"], false),
      // Addresses and names are distinct.
      ("192.0.2.7", ["192.0.2.7"], true), ("192.0.2.7.", ["192.0.2.7"], true),
      ("192.0.2.7", ["*.0.2.7", "192.0.2.7."], false), ("192.0.2", ["192.0.2.7"], false),
      ("2001:db8::1", ["2001:0db8::0001"], true),
      // The common name is the first host, or this text.
      ("ProbeKit test certificate", [], false),
    ] as [(String, [String], Bool)])
  func hostsAreMatchedWithAlternativeNames(host: String, names: [String], isNamed: Bool) throws {
    let authority = try Self.authority.get()
    let context = try ClientContext(trust: TrustStore(authorities: [authority]))
    let server = try ServerContext(authority.issue(LeafOptions(hosts: names)))
    let pair = try SessionPair(TLSSession(context, host: host), TLSSession(server))
    _ = pair.performHandshake()
    #expect(pair.client.verification?.problem == (isNamed ? nil : .wrongHost))
  }

  @Test func onlyTheTrustStoreOfTheContextIsUsed() throws {
    let (authority, other) = (try Self.authority.get(), try CertificateAuthority())
    let server = try ServerContext(other.issue(LeafOptions(hosts: ["a.example"])))
    for (trusted, problem) in [(authority, VerificationError.untrusted), (other, nil)] {
      let context = try ClientContext(trust: TrustStore(authorities: [trusted]))
      let pair = try SessionPair(TLSSession(context, host: "a.example"), TLSSession(server))
      #expect(pair.performHandshake().isDone == (problem == nil))
      #expect(pair.client.verification?.problem == problem)
    }
  }

  /// Errors in OpenSSL's queue must not hide their consequence.
  @Test func aBrokenSignatureIsARefusedCertificate() throws {
    let authority = try Self.authority.get()
    let identity = try authority.issue(LeafOptions(hosts: ["a.example"]))
    var der = try identity.certificateDER()
    der[der.count - 1] ^= 1
    let pem = "-----BEGIN CERTIFICATE-----\n\(Data(der).base64EncodedString())\n-----END CERTIFICATE-----\n"
    let folder = try TemporaryFolder()
    let files = try (folder.write("leaf.pem", pem), folder.write("key.pem", identity.privateKeyPEM()))
    let broken = try Identity(certificateFile: files.0, keyFile: files.1)
    let context = try ClientContext(trust: TrustStore(authorities: [authority]))
    let pair = try SessionPair(
      TLSSession(context, host: "a.example"), TLSSession(ServerContext(broken)))
    let outcome = pair.performHandshake()
    #expect(outcome.client.error?.handshakeFailure?.isCertificateRefused == true)
    #expect(pair.client.verification?.code == 7)
    #expect(pair.client.verification?.problem == .other)
  }

  /// Two connections of one context, with interleaved handshakes.
  @Test(arguments: [TLSVersion.v1_2, .v1_3])
  func connectionsOfOneContextAreIndependent(version: TLSVersion) throws {
    let authority = try Self.authority.get()
    let context = try ClientContext(
      trust: TrustStore(authorities: [authority]), applicationProtocols: ["http/1.1"])
    var options = LeafOptions(hosts: ["bad.example"])
    options.validity = .expired
    let identities = try [authority.issue(LeafOptions(hosts: ["good.example"])), authority.issue(options)]
    let pairs = try zip(["good.example", "bad.example"], identities).map { host, identity in
      try SessionPair(
        TLSSession(context, host: host), TLSSession(ServerContext(identity, versions: version...version)),
        piece: 100)
    }
    var outcomes = [SessionPair.Outcome(), SessionPair.Outcome()]
    for index in pairs.indices {
      pairs[index].start(&outcomes[index])
    }
    var isGoing = true
    while isGoing {
      isGoing = false
      for index in pairs.indices where pairs[index].turn(&outcomes[index]) { isGoing = true }
    }
    #expect(outcomes[0].isDone)
    #expect(pairs[0].client.verification?.problem == nil)
    #expect(pairs[0].client.verification?.session.chain == identities[0].chain)
    #expect(pairs[0].client.verification?.applicationProtocol == "http/1.1")
    #expect(outcomes[1].client.error?.handshakeFailure?.isCertificateRefused == true)
    #expect(pairs[1].client.verification?.problem == .expired)
    #expect(pairs[1].client.verification?.session.chain == identities[1].chain)
    #expect(try pairs[0].send([1, 2], from: pairs[0].client, to: pairs[0].server) == [1, 2])
  }

  @Test func threadsShareAContext() async throws {
    let authority = try Self.authority.get()
    let context = try ClientContext(trust: TrustStore(authorities: [authority]))
    let server = try ServerContext(authority.issue(LeafOptions(hosts: ["a.example"])))
    try await withThrowingTaskGroup { group in
      for index in 0..<16 {
        group.addTask {
          let host = index.isMultiple(of: 2) ? "a.example" : "b.example"
          let pair = try SessionPair(TLSSession(context, host: host), TLSSession(server))
          #expect(pair.performHandshake().isDone == (host == "a.example"))
          #expect(pair.client.verification?.problem == (host == "a.example" ? nil : .wrongHost))
        }
      }
      try await group.waitForAll()
    }
  }

  /// No session is resumed: every connection sees the certificates.
  @Test func everyConnectionSeesTheCertificates() throws {
    let authority = try Self.authority.get()
    let context = try ClientContext(trust: TrustStore(authorities: [authority]))
    let identity = try authority.issue(LeafOptions(hosts: ["a.example"]))
    let server = try ServerContext(identity)
    for _ in 0..<3 {
      let pair = try SessionPair(TLSSession(context, host: "a.example"), TLSSession(server))
      #expect(pair.performHandshake().isDone)
      #expect(pair.client.verification?.session.chain == identity.chain)
    }
  }
}
