import FoundationEssentials
import LoopbackServer
import ProbeCore
import ProbeTLS
import TestSupport
import Testing

@testable import BlackboxExporter

/// TLS in an HTTP module.
@Suite struct HTTPSecureTests {
  private static func selfSigned() throws -> ServerContext {
    try TestAuthority.server { $0.signer = .itself }
  }

  @Test func plainHTTPFailsIfTLSIsRequired() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let report = try await probeHTTP(server.url()) { $0.failsIfNotSSL = true }
    #expect(report.failure?.reason == .plaintext, "\(report.story)")
    #expect(report.samples["probe_http_ssl"] == 0)
    #expect(report.samples["probe_ssl_earliest_cert_expiry"] == nil)
  }

  @Test func missingTLSIsNotReportedWithoutAResponse() async throws {
    let server = try LoopbackServer { $0.close() }
    let report = try await probeHTTP(server.url()) { $0.failsIfNotSSL = true }
    #expect(!report.succeeded)
    #expect(report.failure?.reason != .plaintext)
    #expect(!report.story.contains("not over TLS"), "\(report.story)")
  }

  @Test func tlsIsAFailureIfItIsForbidden() async throws {
    let server = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in .response() }
    let report = try await probeHTTP(server.secureURL) {
      $0.addresses = .ipv4
      $0.tls.authorities = try TestAuthority.pem
      $0.failsIfSSL = true
    }
    #expect(report.failure?.reason == .rejected, "\(report.story)")
    #expect(report.samples["probe_http_ssl"] == 1)
  }

  @Test func aSelfSignedCertificateIsAFailure() async throws {
    let server = try LoopbackServer.http(tls: try Self.selfSigned()) { _ in .response() }
    let report = try await probeHTTP(server.secureURL) { $0.addresses = .ipv4 }
    #expect(report.failure?.reason == .certificateSelfSigned, "\(report.story)")
    #expect(report.samples["probe_http_ssl"] == 0)
    #expect(server.requests.isEmpty)
  }

  @Test func theExpiryOfRefusedCertificatesIsReported() async throws {
    let identity = try TestAuthority.identity { $0.hosts = ["other.example"] }
    let server = try LoopbackServer.http(tls: try ServerContext(identity)) { _ in .response() }
    let gate = try LoopbackServer.http { [url = server.secureURL] _ in
      .response(302, reason: "Found", headers: [("Location", url)])
    }
    for target in [server.secureURL, gate.url()] {
      let report = try await probeHTTP(target) {
        $0.addresses = .ipv4
        $0.tls.authorities = try TestAuthority.pem
      }
      #expect(report.failure?.reason == .certificateWrongHost, "\(report.story)")
      let expiry = try #require(identity.chain.map(\.notAfter).min())
      #expect(report.samples["probe_ssl_earliest_cert_expiry"] == expiry.timeIntervalSince1970)
      let labels = report.samples.labels(of: "probe_ssl_last_chain_info")
      #expect(labels?["subjectalternative"] == "other.example")
      // No chain was verified, and no session established.
      #expect(report.samples["probe_ssl_last_chain_expiry_timestamp_seconds"] == nil)
      #expect(report.samples["probe_tls_version_info"] == nil)
    }
  }

  @Test(arguments: [(TLSVersion.v1_2, true), (.v1_3, false)])
  func theMaximumVersionIsEnforced(_ offered: TLSVersion, _ succeeds: Bool) async throws {
    let server = try LoopbackServer.http(tls: try TestAuthority.server(versions: offered...offered)) { _ in
      .response()
    }
    let report = try await probeHTTP(server.secureURL) {
      $0.addresses = .ipv4
      $0.tls.authorities = try TestAuthority.pem
      $0.tls.checks.maximumVersion = .v1_2
    }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.failure?.reason == (succeeds ? nil : .tlsHandshake))
  }

  @Test func aHandshakeWithoutCertificatesHasNoExpiry() async throws {
    let server = try LoopbackServer.tlsAlert(40)
    let report = try await probeHTTP(server.secureURL) { $0.addresses = .ipv4 }
    #expect(report.failure?.reason == .tlsHandshake, "\(report.story)")
    #expect(report.samples["probe_ssl_earliest_cert_expiry"] == nil)
    #expect(report.samples["probe_ssl_last_chain_info"] == nil)
  }

  @Test func aSelfSignedCertificateCanBeObserved() async throws {
    let server = try LoopbackServer.http(tls: try Self.selfSigned()) { _ in .response() }
    let report = try await probeHTTP(server.secureURL) {
      $0.addresses = .ipv4
      $0.tls.checks.observesCertificates = true
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_ssl"] == 1)
    #expect(report.samples["probe_ssl_observed_problem_info"] == 1)
    // As in Go, there is no verified chain: the expiry is that of the zero time.
    #expect(report.samples["probe_ssl_last_chain_expiry_timestamp_seconds"] == -62_135_596_800)
  }

  @Test func tlsSettingsDoNotAffectPlainHTTP() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    for observes in [false, true] {
      let report = try await probeHTTP(server.url()) {
        $0.tls.checks.observesCertificates = observes
        $0.tls.serverName = "other.example"
        $0.tls.authorities = try TestAuthority.pem
      }
      #expect(report.succeeded, "\(report.story)")
      #expect(report.samples["probe_http_ssl"] == 0)
    }
    #expect(Set(server.requests.map { LoopbackRequest($0).header("Host") }) == ["127.0.0.1:\(server.port)"])
  }

  /// A target, the settings of a module, and the expected values at the server and in the samples.
  struct NameCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var target = "localhost"
    /// The names of the certificate.
    var names = ["localhost"]
    var serverName: String?
    var hostField: String?
    var hostname: String?
    /// The name that the server receives; nil for none.
    var requested: String? = "localhost"
    /// The requested host without its port.
    var host: String
    var reason: ReasonCode?
  }

  @Test(arguments: [
    NameCase(testDescription: "that of the target", host: "localhost"),
    NameCase(
      testDescription: "no name for an address", target: "127.0.0.1", names: ["127.0.0.1"], requested: nil,
      host: "127.0.0.1"),
    NameCase(
      testDescription: "an address that the certificate lacks", target: "127.0.0.1", requested: nil,
      host: "127.0.0.1", reason: .certificateWrongHost),
    NameCase(
      testDescription: "that of the settings", target: "127.0.0.1", serverName: "localhost", host: "127.0.0.1"
    ),
    NameCase(
      testDescription: "that of the Host field", target: "127.0.0.1", names: ["site.example"],
      hostField: "site.example", requested: "site.example", host: "site.example"),
    NameCase(
      testDescription: "that of the parameter", target: "127.0.0.1", names: ["site.example"],
      hostname: "site.example", requested: "site.example", host: "site.example"),
    NameCase(
      testDescription: "that of the settings before that of the parameter", target: "127.0.0.1",
      names: ["a.example"], serverName: "a.example", hostname: "b.example", requested: "a.example",
      host: "b.example"),
  ])
  func theConfiguredServerNameIsVerified(_ given: NameCase) async throws {
    let server = try LoopbackServer.http(tls: try TestAuthority.server { $0.hosts = given.names }) { _ in
      .response()
    }
    let report = try await probeHTTP(
      "https://\(given.target):\(server.port)/", hostname: given.hostname
    ) { module in
      module.addresses = .ipv4
      module.tls.authorities = try TestAuthority.pem
      module.tls.serverName = given.serverName
      if let field = given.hostField { module.headers.append(name: "Host", value: field) }
    }
    #expect(report.failure?.reason == given.reason, "\(report.story)")
    guard given.reason == nil else { return #expect(server.requests.isEmpty) }
    #expect(server.serverNames == [given.requested])
    let host = try #require(server.firstRequest?.header("Host"))
    #expect(host == given.host || host == "\(given.host):\(server.port)", "\(host)")
  }

  @Test func theAuthorityFileIsReadForEachProbe() async throws {
    let folder = try TemporaryFolder(["ca.pem": try TestAuthority.authority.pem])
    let server = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in .response() }
    let target = server.secureURL
    func report() async throws -> ProbeReport {
      try await probeHTTP(target) {
        $0.addresses = .ipv4
        $0.tls.authorities = .file(folder.path(of: "ca.pem"))
      }
    }
    #expect(try await report().succeeded)
    try folder.write("ca.pem", try CertificateAuthority(name: "Another").pem)
    #expect(try await report().failure?.reason == .certificateUntrusted)
  }

  @Test(arguments: [
    (TLSVersion.v1_2 ... .v1_2, "TLS 1.2"), (TLSVersion.v1_2 ... .v1_3, "TLS 1.3"),
  ])
  func theSamplesDescribeTheTLSSession(_ versions: ClosedRange<TLSVersion>, _ name: String) async throws {
    let identity = try TestAuthority.identity { $0.signer = .intermediate }
    let server = try LoopbackServer.http(tls: try ServerContext(identity, versions: versions)) { _ in
      .response()
    }
    let report = try await probeHTTP(server.secureURL) {
      $0.addresses = .ipv4
      $0.tls.authorities = try TestAuthority.pem
    }
    let samples = report.samples
    #expect(samples.labels(of: "probe_tls_version_info") == ["version": name], "\(report.story)")
    #expect(samples.labels(of: "probe_tls_cipher_info")?["cipher"]?.hasPrefix("TLS_") == true)
    let leaf = identity.chain[0]
    #expect(
      samples.labels(of: "probe_ssl_last_chain_info") == [
        "fingerprint_sha256": leaf.fingerprint, "subject": leaf.subject, "issuer": leaf.issuer,
        "subjectalternative": "localhost", "serialnumber": leaf.serialNumber,
      ])
    let earliest = identity.chain.map(\.notAfter.timeIntervalSince1970).min()
    #expect(samples["probe_ssl_earliest_cert_expiry"] == earliest)
    // The verified chain also contains the authority, which may be a second older.
    let verified = try identity.chain + [TestAuthority.authority.certificate]
    let expiry = verified.map(\.notAfter.timeIntervalSince1970).min()
    #expect(samples["probe_ssl_last_chain_expiry_timestamp_seconds"] == expiry)
  }

  @Test func theMinimumVersionIsEnforced() async throws {
    let server = try LoopbackServer.http(tls: try TestAuthority.server(versions: .v1_2 ... .v1_2)) { _ in
      .response()
    }
    for (minimum, succeeds) in [(TLSVersion.v1_2, true), (.v1_3, false)] {
      let report = try await probeHTTP(server.secureURL) {
        $0.addresses = .ipv4
        $0.tls.authorities = try TestAuthority.pem
        $0.tls.checks.minimumVersion = minimum
      }
      #expect(report.succeeded == succeeds, "\(report.story)")
    }
  }
}
