import FoundationEssentials
import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter
@testable import ProbeTLS
import ProbePatterns

/// TCP modules with TLS.
@Suite struct TCPModuleTLSTests {
  /// A target, the settings of a module, and the result.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var host = "localhost"
    var serverName: String?
    var hostname: String?
    var requested: String? = "localhost"
    var reason: ReasonCode?
  }

  @Test(arguments: [
    Case(
      testDescription: "an address that the certificate lacks", host: "127.0.0.1",
      reason: .certificateWrongHost),
    Case(testDescription: "the name of the target"),
    Case(testDescription: "the name of the settings", host: "127.0.0.1", serverName: "localhost"),
    Case(testDescription: "the name of the parameter", host: "127.0.0.1", hostname: "localhost"),
    Case(
      testDescription: "the settings before the parameter", serverName: "other.example",
      hostname: "localhost", reason: .certificateWrongHost),
  ])
  func theCertificateMustMatchTheServerName(_ given: Case) async throws {
    let identity = try TestAuthority.identity()
    let context = try ServerContext(identity, versions: .v1_2 ... .v1_2)
    let server = try LoopbackServer(tls: context) { try $0.send("hello\n") }
    let report = try await probeTCP("\(given.host):\(server.port)", hostname: given.hostname) { module in
      module.addresses = .ipv4
      module.usesTLS = true
      module.tls.authorities = try TestAuthority.pem
      module.tls.serverName = given.serverName
    }
    #expect(report.failure?.reason == given.reason, "\(report.story)")
    let samples = report.samples
    #expect(samples["probe_ssl_earliest_cert_expiry"] == identity.chain[0].notAfter.timeIntervalSince1970)
    #expect(samples["probe_ssl_last_chain_info"] == 1)
    guard given.reason == nil else { return #expect(samples["probe_tls_version_info"] == nil) }
    #expect(server.serverNames == [given.requested])
    #expect(samples.labels(of: "probe_tls_version_info") == ["version": "TLS 1.2"])
    // Only HTTP modules have this sample.
    #expect(samples["probe_tls_cipher_info"] == nil)
  }

  @Test func theExpiryIsThatOfTheVerifiedChain() async throws {
    let day = 86_400
    func authority(_ days: Int, _ key: PrivateKey) throws -> CertificateBuilder.Issuer {
      let builder = try CertificateBuilder(
        commonName: "Two Roots", key: key, validity: .init(from: -day, until: days * day), issuer: nil)
      try builder.addAuthorityExtensions(pathLength: nil)
      return CertificateBuilder.Issuer(certificate: try builder.sign(), key: key)
    }
    // The same authority twice: the server sends the certificate that expires first.
    let key = try PrivateKey()
    let (longer, shorter) = (try authority(3, key), try authority(1, key))
    let leafKey = try PrivateKey()
    let builder = try CertificateBuilder(
      commonName: "localhost", key: leafKey, validity: .init(from: -day, until: 2 * day), issuer: shorter)
    try builder.addLeafExtensions(.server, hosts: ["localhost"])
    let identity = try Identity(certificates: [try builder.sign(), shorter.certificate], key: leafKey)
    let server = try LoopbackServer(tls: try ServerContext(identity)) { try $0.send("hello\n") }
    let report = try await probeTCP("localhost:\(server.port)") { module in
      module.addresses = .ipv4
      module.usesTLS = true
      module.tls.authorities = .text(
        Secret(try longer.certificate.pem() + shorter.certificate.pem()))
    }
    #expect(report.succeeded, "\(report.story)")
    let expiry = identity.chain.map(\.notAfter.timeIntervalSince1970)
    #expect(report.samples["probe_ssl_earliest_cert_expiry"] == expiry[1])
    #expect(report.samples["probe_ssl_last_chain_expiry_timestamp_seconds"] == expiry[0])
  }

  /// The steps of a dialog with a mail server.
  private static func mail() throws -> [TCPModule.Step] {
    [
      .expect(try GoPattern("^220[ -].*ESMTP")), .send("EHLO watcher"),
      .expect(try GoPattern("^250[ -]STARTTLS")), .send("STARTTLS"), .expect(try GoPattern("^220")),
      .startTLS,
      .send("EHLO watcher"), .expect(try GoPattern("^250[ -]AUTH")), .send("QUIT"),
    ]
  }

  private static func mailServer(_ context: ServerContext) throws -> LoopbackServer {
    try LoopbackServer { connection in
      try connection.send("220 mail.example ESMTP\r\n")
      #expect(try connection.line() == "EHLO watcher")
      try connection.send("250-mail.example\r\n250-STARTTLS\r\n250 SIZE\r\n")
      #expect(try connection.line() == "STARTTLS")
      try connection.send("220 begin\r\n")
      try connection.startTLS(context)
      #expect(try connection.line() == "EHLO watcher")
      try connection.send("250-mail.example\r\n250-AUTH PLAIN\r\n250 SIZE\r\n")
      #expect(try connection.line() == "QUIT")
    }
  }

  @Test func aMailDialogCanStartTLS() async throws {
    let identity = try TestAuthority.identity()
    let server = try Self.mailServer(try ServerContext(identity))
    let report = try await probeTCP("localhost:\(server.port)") { module in
      module.addresses = .ipv4
      module.tls.authorities = try TestAuthority.pem
      module.steps = try Self.mail()
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(
      report.samples["probe_ssl_earliest_cert_expiry"] == identity.chain[0].notAfter.timeIntervalSince1970)
    #expect(report.samples.labels(of: "probe_tls_version_info") == ["version": "TLS 1.3"])
  }

  @Test func aCertificateAfterSTARTTLSIsVerified() async throws {
    let server = try Self.mailServer(try TestAuthority.server { $0.validity = .expired })
    let report = try await probeTCP("localhost:\(server.port)") { module in
      module.addresses = .ipv4
      module.tls.authorities = try TestAuthority.pem
      module.steps = try Self.mail()
    }
    #expect(report.failure?.reason == .certificateExpired, "\(report.story)")
  }

  @Test func anExpiredCertificateCanBeObserved() async throws {
    let server = try LoopbackServer(tls: try TestAuthority.server { $0.validity = .expired }) {
      try $0.send("hello\n")
    }
    let report = try await probeTCP("localhost:\(server.port)") { module in
      module.addresses = .ipv4
      module.usesTLS = true
      module.tls.authorities = try TestAuthority.pem
      module.tls.checks.observesCertificates = true
      module.steps = [.expectBytes("hello")]
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_ssl_observed_problem_info"] == 1)
  }
}
