import ProbeCore
import ProbeTLS
import TestClients
import Testing

/// A server's TLS settings other than the defaults; those for client certificates are tested with
/// HTTPService.
@Suite struct ServerSettingsTests {
  private static func handshake(_ settings: ServerSettings) throws -> Bool {
    let authority = try ServerTests.authority.get()
    // With an elliptic curve key.
    let identity = try authority.issue(LeafOptions(hosts: ["a.example"]))
    let client = try MemoryClient(
      trust: TrustStore(authorities: [authority]), options: .init(host: "a.example"))
    let session = try TLSSession(ServerContext(identity, settings))
    do {
      try client.handshake(with: session)
      return true
    } catch let error as TLSError {
      #expect(error.code == .handshakeFailed)
      return false
    }
  }

  @Test(arguments: [
    ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"),
    ("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"),
    ("TLS_NOT_REAL", nil), ("", nil), ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256\0", nil),
  ])
  func cipherSuitesHaveRegisteredNames(_ name: String, _ expected: String?) {
    #expect(ServerSettings.CipherSuite(registeredName: name)?.rawValue == expected)
  }

  @Test(arguments: [
    (["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"], true), (["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"], false),
    (["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"], true),
  ])
  func onlyConfiguredSuitesAreAccepted(_ names: [String], _ isAccepted: Bool) throws {
    var settings = ServerSettings()
    settings.versions = .v1_2 ... .v1_2
    settings.cipherSuites = try names.map { try #require(.init(registeredName: $0)) }
    #expect(try Self.handshake(settings) == isAccepted)
    // Those of TLS 1.3 are always accepted.
    settings.versions = .v1_2 ... .v1_3
    #expect(try Self.handshake(settings))
  }

  @Test(arguments: [ServerSettings.Group.p256, .p384, .p521, .x25519])
  func eachGroupCanBeTheOnlyOne(_ group: ServerSettings.Group) throws {
    var settings = ServerSettings()
    settings.groups = [group]
    settings.prefersOwnOrder = true
    #expect(try Self.handshake(settings))
  }

  @Test func unknownOpenSSLSettingsAreErrors() throws {
    var settings = ServerSettings()
    settings.groups = [ServerSettings.Group(rawValue: "P-1")]
    #expect(throws: TLSError.self) { try Self.handshake(settings) }
    settings.groups = []
    settings.cipherSuites = [ServerSettings.CipherSuite(rawValue: "NOT-REAL")]
    #expect(throws: TLSError.self) { try Self.handshake(settings) }
  }
}
