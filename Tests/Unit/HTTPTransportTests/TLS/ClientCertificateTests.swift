import LoopbackServer
import ProbeTLS
import ProbeCore
import ProbeBase
import TestSupport
import Testing

/// Client certificates.
@Suite(.eachClient) struct ClientCertificateTests {
  /// The files of a client certificate, in each form.
  private struct Files {
    let identity: Identity
    let certificate: TemporaryFile
    let key: TemporaryFile
    let encrypted: TemporaryFile
    let both: TemporaryFile

    init() throws {
      identity = try Identities.shared.client()
      certificate = try TemporaryFile(try identity.chainPEM())
      key = try TemporaryFile(try identity.privateKeyPEM())
      encrypted = try TemporaryFile(try identity.privateKeyPEM(passphrase: "open sesame"))
      both = try TemporaryFile(try identity.chainPEM() + identity.privateKeyPEM())
    }

    /// Each way to specify them.
    var ways: [ClientCertificate] {
      [
        ClientCertificate(certificateFile: certificate.path, keyFile: key.path),
        ClientCertificate(certificateFile: both.path),
        ClientCertificate(
          certificateFile: certificate.path, keyFile: encrypted.path, passphrase: Secret("open sesame")),
        // An unneeded passphrase does no harm.
        ClientCertificate(certificateFile: both.path, passphrase: Secret("unused")),
      ]
    }
  }

  private static func demanding() throws -> ServerContext {
    try Identities.shared.context(.init(hosts: ["localhost"]), demandingClients: true)
  }

  @Test func theCertificateIsSentToAServerThatRequestsIt() async throws {
    let files = try Files()
    for way in files.ways {
      let shown = Guarded<[[String]]>([])
      let server = try LoopbackServer(tls: try Self.demanding()) { connection in
        let subject = connection.clientCertificate.map(\.fingerprint)
        shown.withLock { $0.append(subject.map { [$0] } ?? []) }
        try ScriptedProxy.respond(connection)
      }
      let probe = try request(server.secureURL) {
        $0.trustTestAuthority()
        $0.tls.clientCertificate = way
      }
      #expect(try await transport.probe(probe).status == 200)
      #expect(shown.withLock(\.self) == [[files.identity.chain[0].fingerprint]])
    }
  }

  @Test func withoutACertificateTheServersAlertIsReported() async throws {
    let server = try LoopbackServer.http(tls: try Self.demanding()) { _ in .response() }
    let failure = try await failure(of: try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(failure?.reason == .tlsHandshake, "\(failure?.description ?? "")")
    #expect(failure?.detail.contains("certificate required") == true)
  }

  @Test func theCertificateIsSentNeitherToAnotherOriginNorToAProxy() async throws {
    let files = try Files()
    let other = try LoopbackServer.http(tls: try Self.demanding()) { _ in .response() }
    let location = other.secureURL
    let server = try LoopbackServer.http(tls: try Self.demanding()) { _ in
      .response(302, headers: [(name: "Location", value: location)])
    }
    var transports = TransportRegistry()
    try transports.register(transport)
    let probe = try request(server.secureURL) {
      $0.trustTestAuthority()
      $0.redirects = 1
      $0.tls.clientCertificate = files.ways[0]
    }
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await Prober(transports).probe(probe) }
    #expect(failure?.reason == .tlsHandshake)
    #expect(failure?.partial?.redirects.map(\.target?.string) == [location])
    #expect(other.requests.isEmpty)

    let proxy = try ScriptedProxy.tunnel(tls: try Self.demanding()) { _ in }
    let viaProxy = try await HTTPTransportTests.failure(
      of: try request("https://server.invalid/") {
        $0.trustTestAuthority()
        $0.tls.clientCertificate = files.ways[0]
        try $0.use(proxy, as: "https")
      })
    #expect(viaProxy?.reason == .proxyFailed, "\(viaProxy?.description ?? "")")
    #expect(proxy.requests.isEmpty)
  }

  @Test func unusableFilesAreReportedBeforeConnecting() async throws {
    let files = try Files()
    let (certificate, key) = (files.certificate.path, files.key.path)
    let other = try TemporaryFile(try Identities.shared.client().privateKeyPEM())
    let broken = try TemporaryFile("-----BEGIN PRIVATE KEY-----\nbm8ga2V5\n-----END PRIVATE KEY-----\n")
    let cases: [(ClientCertificate, String)] = [
      (.init(certificateFile: "/nonexistent/c.pem"), "/nonexistent/c.pem: cannot be read"),
      (
        .init(certificateFile: certificate, keyFile: "/nonexistent/k.pem"),
        "/nonexistent/k.pem: cannot be read"
      ),
      (.init(certificateFile: key), "\(key): the file holds no certificate in PEM form"),
      (.init(certificateFile: certificate), "\(certificate): the file holds no private key in PEM form"),
      (
        .init(certificateFile: certificate, keyFile: broken.path),
        "\(broken.path): the private key of the file is broken"
      ),
      (
        .init(certificateFile: certificate, keyFile: other.path),
        "\(other.path): the key is not that of the certificate"
      ),
      (
        .init(certificateFile: certificate, keyFile: files.encrypted.path),
        "\(files.encrypted.path): the key is encrypted, and there is no passphrase"
      ),
      (
        .init(
          certificateFile: certificate, keyFile: files.encrypted.path, passphrase: Secret("wrong-canary")),
        "\(files.encrypted.path): the passphrase of the key is wrong"
      ),
    ]
    let server = try LoopbackServer.http(tls: try Self.demanding()) { _ in .response() }
    for (way, words) in cases {
      let failure = try await failure(
        of: try request(server.secureURL) {
          $0.trustTestAuthority()
          $0.tls.clientCertificate = way
        })
      #expect(failure?.reason == .invalidRequest)
      #expect(
        failure?.detail.hasPrefix("the client certificate cannot be used: \(words)") == true,
        "\(failure?.detail ?? "")")
      #expect(failure?.detail.contains("canary") == false)
    }
    #expect(server.connectionCount == 0)
  }
}
