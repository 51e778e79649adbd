internal import ByteStreams
public import ProbeCore
package import ProbeThreading

/// HTTP/1.1 and HTTP/1.0, plain and inside TLS: each exchange on a connection of its own.
///
/// It reads answers as browsers do. `ProbeResponse.deviations` lists the violations of HTTP in an answer. Limits hold
/// while receiving. Nothing is taken from the environment, no cookie, connection
/// or TLS session is kept, and certificates are always verified.
public struct HTTPTransport: ProbeTransport {
  private let connector: StreamConnector

  /// A transport with threads of its own.
  public init() {
    connector = StreamConnector()
  }

  /// A transport that shares its loops with others.
  package init(loops: EventLoops) {
    connector = StreamConnector(loops: loops)
  }

  /// HTTP and HTTPS.
  public var schemes: [URLScheme: Encryption] { [.http: .plaintext, .https: .encrypted] }

  /// The threads of its connections.
  public var executors: [any TaskExecutor] { connector.executors }

  /// Refuses what cannot be put into a request, line breaks in header fields first of all, HTTP/2, and https proxies.
  ///
  /// - Throws: `InvalidInput` naming the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try connector.check(request)
    guard request.proxy?.kind != .https else {
      throw InvalidInput(
        "the client own does not support https proxies",
        remedy: "use an http or socks5h one, or the client curl")
    }
    let http = request.http
    try http.checkFields()
    try http.checkFraming()
    try http.checkVersion(for: request.url)
    guard http.version != .v2 else {
      throw InvalidInput(
        "the client own does not support HTTP/2", remedy: "use version 1.1, or the client curl")
    }
    try http.checkCodings()
    try request.checkProxyFields()
  }

  /// Refuses a file of authorities or of a client certificate that cannot be used.
  ///
  /// A change of a file counts from the next exchange on; while the file cannot be used, its content from before does.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try connector.checkFiles(of: request)
  }

  /// The keys of HTTP.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    RequestKey.common + RequestKey.connection + RequestKey.http
  }

  /// Does one exchange.
  ///
  /// - Throws: `ProbeFailure` with the reason and what was learnt so far.
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

extension HTTPTransport: RecordingTransport {
  /// Does one exchange, and tells what went over the connection, inside TLS.
  ///
  /// It takes up to a second longer than an exchange alone, to receive what comes behind the end of the answer.
  ///
  /// - Throws: `ProbeFailure` with the reason and what was learnt so far; `request.invalid` for an exchange through a
  ///   proxy.
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
  /// Refuses a content coding that cannot be undone.
  fileprivate func checkCodings() throws(InvalidInput) {
    for coding in contentCodings where ContentDecoder.Coding(rawValue: coding) == nil {
      let known = ContentDecoder.Coding.allCases.map(\.rawValue)
      throw InvalidInput(
        "the content coding \(Excerpt(coding)) is unknown",
        remedy: "use \(known.joined(separator: ", "))")
    }
  }
}
