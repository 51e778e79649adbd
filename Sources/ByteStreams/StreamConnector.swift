public import ProbeCore
package import ProbeThreading

/// Makes connections for transports of one's own: plain or inside TLS, by the settings of a probe's request.
///
/// It looks the host up, tries its addresses by Happy Eyeballs (RFC 8305), goes through the request's proxy (CONNECT or
/// SOCKS5), leads elsewhere as its `connectTo` says, and verifies the server's certificate. Nothing is taken from the
/// environment, and no connection or TLS session is used twice.
///
/// Keep one for the life of a transport: it has threads for its connections, which start when they are needed.
public struct StreamConnector: Sendable {
  private let loops: EventLoops
  private let contexts = ClientContexts()

  /// A connector with threads of its own.
  public init() {
    self.init(loops: EventLoops())
  }

  /// A connector that shares its loops with others.
  package init(loops: EventLoops) {
    self.loops = loops
  }

  /// The threads of its connections, for `ProbeTransport.executors`.
  public var executors: [any TaskExecutor] { loops.all }

  /// Refuses a request with limits, families, sources or a proxy that a connection cannot be made with, for
  /// `ProbeTransport.check(_:)`.
  ///
  /// - Throws: `InvalidInput` naming the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try request.checkForConnecting()
  }

  /// Refuses a file of authorities or of a client certificate that cannot be used, for
  /// `ProbeTransport.checkFiles(of:)`.
  ///
  /// - Throws: `InvalidInput` naming the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try contexts.checkFiles(of: request)
  }

  /// Connects for a request, within its time.
  ///
  /// - Parameters:
  ///   - request: The request; its `connectTimeout` covers everything up to the end of a TLS handshake.
  ///   - defaultPort: The port of a URL without one, as the scheme has it.
  ///   - encryption: Whether the connection begins with a TLS handshake.
  ///   - applicationProtocols: The protocols inside TLS to offer by ALPN (RFC 7301).
  /// - Returns: The connection.
  /// - Throws: `ProbeFailure` with the reason, such as `dns.noSuchHost`, `connect.refused`, `timeout.tls`,
  ///   `proxy.refused` or `tls.expired`, and what was learnt so far.
  public func connect(
    for request: ProbeRequest, defaultPort: UInt16? = nil, encryption: Encryption = .plaintext,
    applicationProtocols: [String] = []
  ) async throws(ProbeFailure) -> ByteStream {
    do throws(InvalidInput) { try check(request) } catch {
      throw ProbeFailure(.invalidRequest, error.message)
    }
    return try await connect(
      forChecked: request, defaultPort: defaultPort, encryption: encryption,
      applicationProtocols: applicationProtocols, tunnels: true)
  }

  /// Connects for a request as ``connect(for:defaultPort:encryption:applicationProtocols:)`` does.
  ///
  /// - Parameters:
  ///   - request: The request, which ``check(_:)`` accepts.
  ///   - defaultPort: The port of a URL without one.
  ///   - encryption: Whether the connection begins with a TLS handshake.
  ///   - applicationProtocols: The protocols inside TLS to offer.
  ///   - tunnels: Whether a proxy is asked for a tunnel; otherwise the connection ends at the proxy.
  /// - Returns: The connection.
  /// - Throws: `ProbeFailure` with the reason.
  package func connect(
    forChecked request: ProbeRequest, defaultPort: UInt16? = nil, encryption: Encryption = .plaintext,
    applicationProtocols: [String] = [], tunnels: Bool
  ) async throws(ProbeFailure) -> ByteStream {
    let opening = try opening(for: request, defaultPort)
    opening.loop.addLoad(1)
    defer { opening.loop.addLoad(-1) }
    // Before anything is sent: its files may be unusable.
    let context =
      try encryption == .encrypted
      ? contexts.context(for: request, applicationProtocols: applicationProtocols) : nil
    let stream = try await opening.connected(contexts)
    if tunnels, let proxy = request.proxy {
      try await stream.makeTunnel(through: proxy, toPort: opening.port, until: opening.deadline)
    }
    if let context { try await stream.startTLS(context, until: opening.deadline) }
    return stream
  }

  // Not a part of its caller, in which thousands of probes wait: they need no room for it until then.
  @inline(never)
  private func opening(
    for request: ProbeRequest, _ defaultPort: UInt16?
  ) throws(ProbeFailure) -> StreamOpening {
    let start = ContinuousClock.now
    guard let port = request.url.port ?? defaultPort else {
      throw ProbeFailure(.invalidRequest, "\(request.url) has no port, and its scheme has none")
    }
    return StreamOpening(
      request.url.port == nil ? request.withRules(forPort: port) : request, port: port,
      on: loops.forThisTask(), since: start)
  }
}

extension ProbeRequest {
  /// The same, with the rules for a port applying to a URL that names none; only its transport knows the scheme's.
  fileprivate func withRules(forPort port: UInt16) -> ProbeRequest {
    var request = self
    for index in connectTo.indices where connectTo[index].port == port { request.connectTo[index].port = nil }
    return request
  }
}
