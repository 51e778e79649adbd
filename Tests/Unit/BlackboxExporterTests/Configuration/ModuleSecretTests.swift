import LoopbackServer
import ProbeCore
import ProbeTLS
import SourceDocuments
import ProbeBase
import TestSupport
import Testing

@testable import BlackboxExporter

/// The servers and pages that receive a module's secrets, and those that do not.
@Suite struct ModuleSecretTests {
  private static let canary = "canary-4711"

  /// The header fields that contain secrets.
  private static let names = ["Authorization", "Cookie", "X-Site", "X-Api-Key", "X-Session"]

  /// Each way to specify credentials.
  private static let ways: [@Sendable (inout HTTPModule) throws -> Void] = [
    { $0.credentials = .basic(user: .text(Secret("user")), password: .text(Secret(canary))) },
    { $0.credentials = .authorization(scheme: "Bearer", credentials: .text(Secret(canary))) },
    { $0.headers.append(name: "Authorization", value: "ApiKey \(canary)") },
    { $0.headers.append(name: "Cookie", value: "session=\(canary)") },
    { $0.secretHeaders.append(.init(name: "X-Site", value: .file(try file.get().path))) },
    { $0.secretHeaders.append(.init(name: "X-Site", value: .text(Secret(canary)))) },
    { try read("http_headers: { X-Site: { secrets: [\(canary)] } }", into: &$0) },
    { try read("http_headers: { X-Site: { values: [a], secrets: [b, \(canary)], files: [] } }", into: &$0) },
    { try read("http_headers: { X-Site: { files: [\(try file.get().path)] } }", into: &$0) },
    { try read("http_headers: { X-Api-Key: { values: [\(canary)] } }", into: &$0) },
    { try read("headers: { X-Session: \(canary) }", into: &$0) },
  ]

  /// Reads settings of a module from a file.
  private static func read(_ line: String, into module: inout HTTPModule) throws {
    let source = "modules: { m: { prober: http, http: { \(line) } } }"
    let (configuration, findings) = ExporterConfiguration.read(Array(source.utf8), path: "blackbox.yml")
    let read = try #require(configuration?.modules["m"], "\(findings)").http
    module.headers = HeaderFields(
      module.headers.map { ($0.name, $0.value) } + read.headers.map { ($0.name, $0.value) })
    module.secretHeaders += read.secretHeaders
  }

  private static let file = Result { try TemporaryFile(canary + "\n") }

  /// Whether a request has the secret, as it is or with the user's name in Base64.
  private static func hasCredentials(_ request: [UInt8]) -> Bool {
    let request = String(decoding: request, as: UTF8.self)
    return request.contains(canary) || request.contains("dXNlcjpjYW5hcnktNDcxMQ")
  }

  @Test(arguments: ways.indices)
  func secretsAreNotSentToAnotherOrigin(_ way: Int) async throws {
    let other = try LoopbackServer.http { _ in .response() }
    let location = other.url()
    let server = try LoopbackServer.http { request in
      .response(302, headers: [(name: "Location", value: request.target == "/" ? "/again" : location)])
    }
    let report = try await probeHTTP(server.url(), Self.ways[way])
    #expect(report.succeeded, "\(report.story)")
    #expect(server.requests.map(Self.hasCredentials) == [true, true])
    #expect(other.requests.map(Self.hasCredentials) == [false])
  }

  @Test(arguments: ways.indices)
  func secretsAreNotSentToAnUnverifiedServer(_ way: Int) async throws {
    let right = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in .response() }
    let wrong = try LoopbackServer.http(tls: try TestAuthority.server { $0.validity = .expired }) { _ in
      .response()
    }
    for (server, isSent) in [(right, true), (wrong, false)] {
      let report = try await probeHTTP(server.secureURL) { module in
        module.addresses = .ipv4
        module.tls.authorities = try TestAuthority.pem
        module.tls.checks.observesCertificates = true
        try Self.ways[way](&module)
      }
      #expect(report.succeeded, "\(report.story)")
      #expect(server.requests.map(Self.hasCredentials) == [isSent])
    }
  }

  /// A server that records whether clients present a certificate.
  private static func noting(
    _ shown: @escaping @Sendable (Bool) -> Void, demands: Bool = true,
    _ adjust: (inout LeafOptions) -> Void = { _ in }
  ) throws -> LoopbackServer {
    try LoopbackServer(tls: try TestAuthority.server(demandsClients: demands, adjust)) { connection in
      shown(connection.clientCertificate != nil)
      try ScriptedProxy.respond(connection)
    }
  }

  @Test func clientCertificatesAreOnlySentToVerifiedTargets() async throws {
    let client = try TestAuthority.identity { $0.purposes = .client }
    let file = try TemporaryFile(try client.chainPEM() + client.privateKeyPEM())
    let shown = Guarded<[Bool]>([])
    let note: @Sendable (Bool) -> Void = { isShown in shown.withLock { $0.append(isShown) } }
    let verified = try Self.noting(note)
    let observed = try Self.noting(note) { $0.validity = .expired }
    let location = verified.secureURL
    let redirecting = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in
      .response(302, headers: [(name: "Location", value: location)])
    }
    func report(_ server: LoopbackServer) async throws -> ProbeReport {
      try await probeHTTP(server.secureURL) { module in
        module.addresses = .ipv4
        module.tls.authorities = try TestAuthority.pem
        module.tls.checks.observesCertificates = true
        module.tls.clientCertificate = ClientCertificate(certificateFile: file.path)
      }
    }
    #expect(try await report(verified).succeeded)
    #expect(shown.withLock(\.self) == [true])
    for server in [observed, redirecting] {
      let report = try await report(server)
      // The server demands a certificate but receives none.
      #expect(report.failure?.reason == .tlsHandshake, "\(report.story)")
    }
    #expect(shown.withLock(\.self) == [true])
  }

  @Test func aTCPModuleSendsNoCertificateToAnUnverifiedServer() async throws {
    let client = try TestAuthority.identity { $0.purposes = .client }
    let file = try TemporaryFile(try client.chainPEM() + client.privateKeyPEM())
    for (validity, succeeds) in [(CertificateValidity.current, true), (.expired, false)] {
      let context = try TestAuthority.server(demandsClients: true) { $0.validity = validity }
      let server = try LoopbackServer(tls: context) { try $0.send("hello\n") }
      let report = try await probeTCP("localhost:\(server.port)") { module in
        module.addresses = .ipv4
        module.usesTLS = true
        module.tls.authorities = try TestAuthority.pem
        module.tls.checks.observesCertificates = true
        module.tls.clientCertificate = ClientCertificate(certificateFile: file.path)
        module.steps = [.expectBytes("hello")]
      }
      #expect(report.succeeded == succeeds, "\(report.story)")
    }
  }

  @Test(arguments: ways.indices)
  func secretsAppearOnNoPage(_ way: Int) async throws {
    // The server echoes the received values wherever possible.
    let server = try LoopbackServer.http { request in
      let received = Self.names.compactMap { request.header($0) }.joined()
      switch request.target {
      case "/redirect":
        return .response(302, headers: [(name: "Location", value: "/end?\(received.filter { $0 != " " })")])
      case "/unknown":
        return .response(302, headers: [(name: "Location", value: "mailto:\(received)")])
      default:
        return .response(
          500, reason: received, headers: [(name: "X-Received", value: received)], body: received)
      }
    }
    let exporter = try RunningExporter(
      [try .http(text: "password: <secret>\n", adjust: Self.ways[way])], text: "password: <secret>\n")
    for path in ["/", "/redirect", "/unknown"] {
      let debug = try await exporter.probe(server.url(path), "&debug=true")
      #expect(debug.text.contains("password: <secret>\n"))
      let basic = "dXNlcjpjYW5hcnktNDcxMQ"
      for page in ["/", "/config", "/metrics", "/logs?target=\(server.url(path))"] {
        let text = try await exporter.response(to: page).text
        #expect(!text.contains(Self.canary) && !text.contains(basic), "\(path) \(page): \(text)")
      }
      #expect(!debug.text.contains(Self.canary) && !debug.text.contains(basic), "\(debug.text)")
    }
    #expect(server.requests.count >= 3)
  }

  @Test func secretsFromAFileAppearOnNoPage() async throws {
    let source = """
      modules:
        http_2xx:
          prober: http
          http:
            basic_auth: { username: user, password: \(Self.canary) }
            proxy_url: "http://user:\(Self.canary)@127.0.0.1:9"
            headers: { Cookie: "session=\(Self.canary)" }
        token: { prober: http, http: { authorization: { credentials: "\(Self.canary)" } } }
      """
    let (configuration, findings) = ExporterConfiguration.read(Array(source.utf8), path: "blackbox.yml")
    let read = try #require(configuration, "\(findings)")
    let exporter = try RunningExporter(Array(read.modules.values), text: read.text)
    let target = "127.0.0.1:\(try LoopbackServer.refusedPort())"
    for module in ["http_2xx", "token"] {
      let debug = try await exporter.probe(target, "&debug=true&module=\(module)").text
      #expect(debug.contains("<secret>") && !debug.contains(Self.canary), "\(debug)")
    }
    for path in ["/config", "/logs?id=0", "/logs?id=1"] {
      let text = try await exporter.response(to: path).text
      #expect(text.contains("<secret>") && !text.contains(Self.canary), "\(text)")
    }
    #expect(findings.allSatisfy { !$0.description.contains(Self.canary) })
  }

  @Test func aPasswordInATargetAppearsOnNoPage() async throws {
    let exporter = try RunningExporter([try .http()])
    let target = "http://user:\(Self.canary)@127.0.0.1:\(try LoopbackServer.refusedPort())/"
    let debug = try await exporter.probe(target, "&debug=true").text
    #expect(debug.contains("probe_success 0") && !debug.contains(Self.canary), "\(debug)")
    for path in ["/", "/logs?id=0"] {
      let text = try await exporter.response(to: path).text
      #expect(!text.contains(Self.canary), "\(text)")
    }
  }

  @Test func aProxyPasswordAppearsOnNoPage() async throws {
    let proxy = try LoopbackServer.http { request in
      .response(407, reason: request.header("Proxy-Authorization") ?? "")
    }
    let exporter = try RunningExporter([
      try .http { module in
        module.proxy = try ProbeProxy(
          "http://\(proxy.hostAndPort)", user: "user", password: Secret(Self.canary))
      }
    ])
    for target in ["http://127.0.0.1:9/", "https://127.0.0.1:9/"] {
      let text = try await exporter.probe(target, "&debug=true").text
      #expect(!text.contains(Self.canary) && !text.contains("dXNlcjpjYW5hcnktNDcxMQ"), "\(text)")
    }
    #expect(proxy.requests.count == 2)
  }
}
