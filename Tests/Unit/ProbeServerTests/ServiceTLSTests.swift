import ProbeServer
import ProbeCore
import ProbeBase
import ProbeTLS
import TestClients
import TestRequirements
import TestSupport
import Testing

/// A service inside TLS.
@Suite(.patience(minutes: 1)) struct ServiceTLSTests {
  private static let authority = Result { try CertificateAuthority() }

  static func identity() throws -> Identity {
    try authority.get().issue(LeafOptions(hosts: ["localhost", "127.0.0.1"]))
  }

  static func clientIdentity(_ hosts: [String] = [], signedByItself: Bool = false) throws -> Identity {
    var leaf = LeafOptions(hosts: hosts)
    leaf.purposes = .client
    if signedByItself { leaf.signer = .itself }
    return try authority.get().issue(leaf)
  }

  static func trust() throws -> TrustStore { try TrustStore(authorities: [authority.get()]) }

  private static func service(
    _ settings: ServerSettings = ServerSettings(), _ change: (inout HTTPServiceOptions) -> Void = { _ in },
    handler: @escaping HTTPService.Handler = HTTPServiceResponse.echo
  ) throws -> HTTPService {
    var options = HTTPServiceOptions()
    options.tls = try ServerContext(identity(), settings)
    change(&options)
    return try HTTPService(on: ServiceClient.loopback, options: options, handler: handler)
  }

  private static let request = Array("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
  private static let lastRequest = Array(
    "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

  /// A client's result: a response and the end of the connection, or the alert that the service sends.
  private static func exchange(
    _ service: HTTPService, _ options: MemoryClient.Options = .init(host: "localhost")
  ) async throws -> (text: String, hasCloseNotice: Bool, alert: UInt8?) {
    return try await onAThread {
      let client = try SecureClient(
        port: ServiceClient.port(of: service.address), trust: trust(), options: options)
      do {
        try client.handshake()
        try client.send(lastRequest)
      } catch let failure as MemoryClient.Failure {
        return ("", false, failure.handshakeFailure?.alert)
      }
      let received = client.receive()
      return (received.text, client.hasCloseNotice, client.handshakeFailure?.alert)
    }
  }

  @Test func requestsAreServedAndEndWithCloseNotify() async throws {
    let service = try Self.service()
    defer { service.stop() }
    let (text, hasCloseNotice, _) = try await Self.exchange(
      service, .init(host: "localhost", protocols: ["h2", "http/1.1"]))
    #expect(text.hasPrefix("HTTP/1.1 200") && text.hasSuffix(#"["a"]"#))
    #expect(hasCloseNotice)
  }

  @Test func aConnectionServesMultipleLargeResponses() async throws {
    let body = [UInt8](repeating: 65, count: 3_000_000)
    let service = try Self.service(handler: { _ throws(HTTPServiceFailure) in
      HTTPServiceResponse(contentType: "text/plain", body: body)
    })
    defer { service.stop() }
    let count = try await onAThread {
      let client = try SecureClient(
        port: ServiceClient.port(of: service.address), trust: Self.trust(), options: .init(host: "localhost"))
      try client.handshake()
      for byte in Self.request { try client.send([byte]) }
      _ = client.receive(upTo: body.count)
      try client.send(Self.lastRequest)
      return client.receive().bytes.count { $0 == 65 }
    }
    #expect(count >= body.count)
  }

  @Test(arguments: [
    (ServerSettings.ClientCertificates.none, [true, true, true]), (.requested, [true, true, true]),
    (.required, [false, true, true]), (.verifiedIfSent, [true, false, true]),
    (.requiredAndVerified, [false, false, true]),
  ])
  func clientCertificatesAreVerifiedAsConfigured(
    _ mode: ServerSettings.ClientCertificates, _ expected: [Bool]
  ) async throws {
    var settings = ServerSettings()
    settings.clientCertificates = mode
    settings.clientAuthorities = try Self.trust()
    let service = try Self.service(settings)
    defer { service.stop() }
    let identities = [
      nil, try Self.clientIdentity(signedByItself: true), try Self.clientIdentity(),
    ]
    var accepted: [Bool] = []
    for identity in identities {
      let (text, _, alert) = try await Self.exchange(service, .init(host: "localhost", identity: identity))
      accepted.append(text.hasPrefix("HTTP/1.1 200"))
      // A refused client receives the reason: no certificate (116), or an unknown authority (48).
      if !accepted.last! { #expect(alert == (identity == nil ? 116 : 48)) }
    }
    #expect(accepted == expected)
  }

  @Test(arguments: [
    (["agent.example"], true), (["AGENT.example"], false), (["other.example", "192.0.2.7"], true),
    (["other.example"], false), ([], false),
  ])
  func aCertificateNeedsAnAllowedName(_ names: [String], _ isAccepted: Bool) async throws {
    var settings = ServerSettings()
    settings.clientCertificates = .requiredAndVerified
    settings.clientAuthorities = try Self.trust()
    settings.clientNames = Set(names)
    let service = try Self.service(settings)
    defer { service.stop() }
    let identity = try Self.clientIdentity(["agent.example", "192.0.2.7"])
    let (text, _, _) = try await Self.exchange(service, .init(host: "localhost", identity: identity))
    #expect(text.hasPrefix("HTTP/1.1 200") == isAccepted)
  }

  @Test func versionsAreLimited() async throws {
    var settings = ServerSettings()
    settings.versions = .v1_3 ... .v1_3
    let service = try Self.service(settings)
    defer { service.stop() }
    let old = try await Self.exchange(service, .init(host: "localhost", versions: .v1_2 ... .v1_2))
    // protocol_version (RFC 8446 §6.2)
    #expect(old.text == "")
    #expect(old.alert == 70)
    #expect(try await Self.exchange(service).text.hasPrefix("HTTP/1.1 200"))
  }

  @Test func aPlaintextRequestReceivesAPlaintextReason() async throws {
    let service = try Self.service()
    defer { service.stop() }
    let client = try ServiceClient(service)
    try client.get("/")
    let received = try await client.rest()
    #expect(ServiceResponse(received.text).status == "400" && received.ending == .fin)
    #expect(
      ServiceResponse(received.text).body
        == "this is an HTTPS service, and the request is plain: use https://\n")
  }

  @Test(arguments: [[0x16, 3, 1, 0, 200, 1], [0x16], [0xFF, 0xFF], []] as [[UInt8]])
  func aStalledHandshakeIsEnded(_ bytes: [UInt8]) async throws {
    let service = try Self.service { $0.requestTimeout = .milliseconds(50) }
    defer { service.stop() }
    let ending = try await onAThread {
      let client = try RawClient(port: ServiceClient.port(of: service.address))
      try client.send(bytes)
      return client.receive().ending
    }
    #expect(ending != .silence)
  }

  @Test func aClientBeyondTheLimitReceivesTheReason() async throws {
    let handlers = WaitingHandlers()
    let service = try Self.service {
      $0.maximumConnections = 1
    } handler: { _ throws(HTTPServiceFailure) in
      await handlers.respond()
    }
    defer { service.stop() }
    let first = Task { try await Self.exchange(service).text }
    await handlers.start(of: 1)
    let (text, hasCloseNotice, _) = try await Self.exchange(service)
    #expect(ServiceResponse(text).status == "503" && ServiceResponse(text).has("Retry-After: 1"))
    #expect(hasCloseNotice)
    handlers.release()
    #expect(try await first.value.hasPrefix("HTTP/1.1 200"))
  }

  @Test func connectionsWithoutAHandshakeAreDisplaced() async throws {
    let service = try Self.service { $0.maximumConnections = 2 }
    defer { service.stop() }
    let silent = try (0..<2).map { _ in try ServiceClient(service) }
    #expect(try await Self.exchange(service).text.hasPrefix("HTTP/1.1 200"))
    withExtendedLifetime(silent) {}
  }

  @Test func aClientThatDisconnectsEndsItsHandler() async throws {
    let (started, ended) = (Promise<Void>(), Promise<Void>())
    let service = try Self.service(handler: { _ throws(HTTPServiceFailure) in
      started.fulfill(())
      let (stream, _) = AsyncStream.makeStream(of: Void.self)
      for await _ in stream {}
      ended.fulfill(())
      return HTTPServiceResponse(contentType: "text/plain", body: [])
    })
    defer { service.stop() }
    try await onAThread {
      let client = try SecureClient(
        port: ServiceClient.port(of: service.address), trust: Self.trust(), options: .init(host: "localhost"))
      try client.handshake()
      try client.send(Self.request)
      try client.close()
    }
    await started.value()
    await ended.value()
  }

  @Test(arguments: ["--tlsv1.3", "--tls-max 1.2"]) func curlCanConnect(_ version: String) async throws {
    let service = try Self.service()
    defer { service.stop() }
    let folder = try TemporaryFolder(["ca.pem": Self.authority.get().pem])
    let url = "https://127.0.0.1:\(try ServiceClient.port(of: service.address))"
    let script = """
      cd \(folder.path) && command -v curl >/dev/null || exit 99
      curl -sS --http2 \(version) --cacert ca.pem \(url)/a \(url)/b >out 2>&1
      """
    let code = try await onAThread { try runProgram("sh", ["-c", script]) }
    if code == 99 { try skipTest("curl is not installed") }
    #expect(code == 0 && readText(folder.path(of: "out")) == #"["a"]["b"]"#)
  }
}
