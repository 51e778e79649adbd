internal import ByteStreams
public import ProbeCore
package import ProbeSystem

/// HTTP/1.1 and HTTP/1.0, plain and over TLS; each exchange uses a new connection.
///
/// The transport parses responses as leniently as browsers. `ProbeResponse.deviations` lists the violations
/// of HTTP in a response. Limits apply while receiving. The transport reads nothing from the environment. It
/// keeps no cookies, connections or TLS sessions, and always verifies certificates.
public struct HTTPTransport: ProbeTransport {
  private let connector: StreamConnector

  /// Creates a transport with its own threads.
  public init() {
    connector = StreamConnector()
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops) {
    connector = StreamConnector(loops: loops)
  }

  /// HTTP and HTTPS.
  public var schemes: [URLScheme: Encryption] { [.http: .plaintext, .https: .encrypted] }

  /// The threads of its connections.
  public var executors: [any TaskExecutor] { connector.executors }

  /// Checks whether the options can be put into a request.
  ///
  /// Header fields with line breaks, HTTP/2, and HTTPS proxies are refused.
  ///
  /// - Throws: `InvalidInput` naming the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try connector.check(request)
    guard request.proxy?.kind != .https else {
      throw InvalidInput(
        "the client own does not support https proxies",
        remedy: "use an http, socks5h or socks5 one, or the client curl"
      ).about("client", "proxy")
    }
    let http = request.http
    try http.checkFields()
    try http.checkFraming()
    try http.checkVersion(for: request.url)
    guard http.version != .v2 else {
      throw InvalidInput(
        "the client own does not support HTTP/2", remedy: "use version 1.1, or the client curl"
      ).about("client", "httpVersion")
    }
    try http.checkCodings()
    try request.checkProxyFields()
  }

  /// Checks the files of authorities and of a client certificate.
  ///
  /// If a file changes later, its new contents apply from the next exchange; while they are not valid, its
  /// previous contents do.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try connector.checkFiles(of: request)
  }

  /// The keys for HTTP.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    RequestKey.common + RequestKey.connection + RequestKey.http
  }

  /// Performs one exchange.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }

  private func begin(_ request: ProbeRequest) async throws(ProbeFailure) -> HTTPExchange {
    let isEncrypted = request.url.scheme == .https
    let stream = try await connector.connect(
      forChecked: request, encryption: isEncrypted ? .encrypted : .plaintext,
      applicationProtocols: ["http/1.1"], tunnels: !request.isForwarded)
    return HTTPExchange(on: stream)
  }
}

extension HTTPTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let exchange = try await begin(request)
    return try await exchange.run()
  }
}

extension HTTPTransport: AddressFinding {
  package func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    try await connector.addresses(for: request)
  }
}

extension HTTPTransport: RecordingTransport {
  /// Performs one exchange, and records the bytes sent and received, inside TLS.
  ///
  /// It takes up to a second longer than an exchange alone, to receive bytes after the end of the response.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far; `request.invalid` for an
  ///   exchange through a proxy.
  public func probe(
    _ request: ProbeRequest, recordingTo record: @escaping @Sendable (WireRecord) -> Void
  ) async throws -> ProbeResponse {
    guard request.proxy == nil else {
      throw ProbeFailure(
        .invalidRequest, "an exchange through a proxy cannot be recorded as it is on the wire")
    }
    try refuseInvalid(request)
    let exchange = try await begin(request)
    return try await exchange.run(recordingTo: record)
  }
}

extension ProbeRequest {
  /// Whether the request goes to an HTTP proxy in absolute form, without a tunnel (RFC 9112 §3.2.2).
  var isForwarded: Bool { proxy?.kind == .http && url.scheme == .http && connectToRule == nil }
}

extension HTTPRequestOptions {
  /// Checks that the requested content codings are supported.
  fileprivate func checkCodings() throws(InvalidInput) {
    for coding in contentCodings where ContentDecoder.Coding(rawValue: coding) == nil {
      let known = ContentDecoder.Coding.allCases.map(\.rawValue)
      throw InvalidInput(
        "the content coding \(Excerpt(coding)) is unknown",
        remedy: "use \(known.joined(separator: ", "))"
      ).about("acceptEncoding")
    }
  }
}
