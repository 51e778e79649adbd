import ProbeTLS
import TestClients
import TestSupport

@testable import FixtureReplay

/// A page of a portal, in parts and as on the wire.
enum Page {
  static let head =
    "HTTP/1.1 302 Found\r\nLocation: http://portal.example/login\r\nContent-Type: text/plain\r\n"
    + "Content-Length: 16\r\n\r\n"
  static let body = "Log in, please.\n"
  static let text = head + body
  static let count = text.utf8.count

  static var response: ReplayResponse {
    ReplayResponse.respond(
      ComposedResponse(
        status: 302, headers: ["Location: http://portal.example/login", "Content-Type: text/plain"],
        body: Array(body.utf8)))
  }
}

/// One certificate authority for all servers of the tests: creating one takes longer than most of them.
enum TestAuthority {
  private static let made = Result { try CertificateAuthority(name: "ProbeKit Wire Tests") }

  static var shared: CertificateAuthority {
    get throws { try made.get() }
  }

  static var trust: TrustStore {
    get throws { try TrustStore(authorities: [shared]) }
  }
}

extension ReplayOptions {
  /// The options of the tests: a client that is late on a busy machine does not find its connection closed.
  static var patient: ReplayOptions {
    var options = ReplayOptions()
    options.maximumDrainTime = RawClient.patience
    return options
  }
}

/// Serves fixtures while a closure talks to the server on a separate thread.
func serving<Value: Sendable>(
  _ fixtures: [Fixture], options: ReplayOptions = .patient,
  _ body: @escaping @Sendable (ReplayServer) throws -> Value
) async throws -> Value {
  var options = options
  options.authority = try TestAuthority.shared
  let server = try ReplayServer(fixtures, options: options)
  defer { server.stop() }
  return try await onAThread { try body(server) }
}

/// Serves one route for everything.
func serving<Value: Sendable>(
  _ route: ReplayRoute, _ body: @escaping @Sendable (ReplayServer) throws -> Value
) async throws -> Value {
  try await serving([Fixture(name: "wire", routes: [route])], body)
}

extension ReplayServer {
  /// A bare connection to one of the listeners.
  func client(_ listener: ReplayListener = .http) throws -> RawClient {
    try RawClient(port: port(of: listener))
  }

  /// A connection with a handshake done.
  func secureClient(_ host: String = "wire.example") throws -> SecureClient {
    let client = try SecureClient(
      port: port(of: .https), trust: TestAuthority.trust,
      options: .init(host: host, protocols: ["http/1.1"]))
    try client.handshake()
    return client
  }

  /// The bytes received in response, up to the end of the connection.
  func exchange(_ text: String, within limit: Duration = RawClient.patience) throws -> RawClient.Reception {
    let client = try client()
    try client.send(Array(text.utf8))
    return client.receive(within: limit)
  }
}

extension RawClient {
  func send(_ text: String) throws { try send(Array(text.utf8)) }
}

extension SecureClient {
  func send(_ text: String) throws { try send(Array(text.utf8)) }
}

/// A minimal request.
let plainRequest = "GET / HTTP/1.1\r\nHost: wire.example\r\n\r\n"

/// Retries if fewer bytes than expected were received before a reset: the bytes that the client's system has
/// and the client has not read are lost with the connection, which no server can prevent on a busy machine.
func beforeReset(
  _ count: Int, _ look: () throws -> RawClient.Reception
) rethrows -> RawClient.Reception {
  for _ in 0..<9 {
    let reception = try look()
    if reception.ending != .reset || reception.bytes.count >= count { return reception }
  }
  return try look()
}
