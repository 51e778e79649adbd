public import ProbeCore
package import ProbeSystem

/// Establishes connections for custom transports, plain or inside TLS, with the settings of a probe's
/// request.
///
/// It resolves the host, tries its addresses by Happy Eyeballs (RFC 8305), uses the request's proxy (CONNECT
/// or SOCKS5), applies its `connectTo` rules, and verifies the server's certificate. It uses nothing from the
/// environment, and never reuses a connection or TLS session.
///
/// Keep one for the lifetime of a transport: it has threads for its connections, which start on demand.
public struct StreamConnector: Sendable {
  private let loops: EventLoops
  private let contexts = ClientContexts()

  /// A connector with its own threads.
  public init() {
    self.init(loops: EventLoops())
  }

  /// A connector that shares its loops with others.
  package init(loops: EventLoops) {
    self.loops = loops
  }

  /// The threads of its connections, for `ProbeTransport.executors`.
  public var executors: [any TaskExecutor] { loops.all }

  /// Refuses a request whose timeouts, families, sources or proxy cannot be used to connect.
  ///
  /// Call this from `ProbeTransport.check(_:)`.
  ///
  /// - Throws: `InvalidInput` that names the option.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try request.checkForConnecting()
  }

  /// Refuses unusable files with authorities or a client certificate.
  ///
  /// Call this from `ProbeTransport.checkFiles(of:)`.
  ///
  /// - Throws: `InvalidInput` that names the file.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try contexts.checkFiles(of: request)
  }

  /// Connects for a request, within its timeout.
  ///
  /// - Parameters:
  ///   - request: The request; its `connectTimeout` covers everything up to the end of a TLS handshake.
  ///   - defaultPort: The default port of the URL's scheme.
  ///   - encryption: Whether the connection starts with a TLS handshake.
  ///   - applicationProtocols: The protocols inside TLS to offer by ALPN (RFC 7301).
  /// - Returns: The connection.
  /// - Throws: `ProbeFailure` with the reason, such as `dns.noSuchHost`, `connect.refused`, `timeout.tls`,
  ///   `proxy.refused` or `tls.expired`, and what is known so far.
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
  ///   - defaultPort: The default port of the URL's scheme.
  ///   - encryption: Whether the connection starts with a TLS handshake.
  ///   - applicationProtocols: The protocols inside TLS to offer.
  ///   - tunnels: Whether to request a tunnel from a proxy; otherwise the connection ends at the proxy.
  /// - Returns: The connection.
  /// - Throws: `ProbeFailure` with the reason.
  package func connect(
    forChecked request: ProbeRequest, defaultPort: UInt16? = nil, encryption: Encryption = .plaintext,
    applicationProtocols: [String] = [], tunnels: Bool
  ) async throws(ProbeFailure) -> ByteStream {
    guard !request.resolvesForProxy else {
      let (addressed, time) = try await addressedForProxy(request, defaultPort)
      let stream = try await connect(
        forChecked: addressed, defaultPort: defaultPort, encryption: encryption,
        applicationProtocols: applicationProtocols, tunnels: tunnels, after: time)
      return stream
    }
    return try await connect(
      forChecked: request, defaultPort: defaultPort, encryption: encryption,
      applicationProtocols: applicationProtocols, tunnels: tunnels, after: nil)
  }

  /// Connects, after a lookup that took this long; nil if there was none.
  private func connect(
    forChecked request: ProbeRequest, defaultPort: UInt16?, encryption: Encryption,
    applicationProtocols: [String], tunnels: Bool, after lookupTime: Duration?
  ) async throws(ProbeFailure) -> ByteStream {
    let opening = try opening(for: request, defaultPort, after: lookupTime)
    opening.loop.addLoad(1)
    defer { opening.loop.addLoad(-1) }
    // Created before anything is sent, because its files may be unusable.
    let context =
      try encryption == .encrypted
      ? contexts.context(for: request, applicationProtocols: applicationProtocols) : nil
    let stream = try await opening.connect(contexts)
    if stream.response.timings.resolve == nil { stream.response.timings.resolve = lookupTime }
    if tunnels, let proxy = request.proxy {
      try await stream.makeTunnel(through: proxy, toPort: opening.port, until: opening.deadline)
    }
    if let context { try await stream.startTLS(context, until: opening.deadline) }
    return stream
  }

  /// The addresses of the host to which connections for a request are made.
  ///
  /// - Parameter request: The request, which ``check(_:)`` accepts.
  /// - Returns: The addresses; put them into `ProbeRequest.knownAddresses`.
  /// - Throws: `ProbeFailure` as connecting would.
  package func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses {
    let host = request.hostToConnectTo
    if let address = IPAddress(host) {
      return FoundAddresses(host: host, addresses: [NamedAddress(address: address, timeToLive: nil)])
    }
    // A lookup needs no port, and an icmp URL has none.
    let opening = try opening(for: request, 0)
    opening.loop.addLoad(1)
    defer { opening.loop.addLoad(-1) }
    return try await opening.lookUp()
  }

  /// Looks up the host of a request whose SOCKS proxy receives an address (``ProbeRequest/resolvesForProxy``).
  ///
  /// The rules about addresses apply, because this machine chooses the address.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - defaultPort: The default port of the URL's scheme.
  /// - Returns: The request, with a rule that routes it to the address, and the duration of the lookup.
  /// - Throws: `ProbeFailure` as connecting without a proxy would.
  package func addressedForProxy(
    _ request: ProbeRequest, _ defaultPort: UInt16? = nil
  ) async throws(ProbeFailure) -> (request: ProbeRequest, lookupTime: Duration) {
    var direct = request
    direct.proxy = nil
    direct.source = nil
    let found = try await addresses(for: direct)
    let rules = direct.rulesForConnecting
    guard let address = found.addresses.first(where: { rules.refusal(of: $0.address) == nil })?.address else {
      let (reason, words) = ConnectionFailure.refusedAddress(found.addresses.first?.address, for: direct)
      throw ProbeFailure(reason, words, partial: ProbeResponse(url: request.url))
    }
    var addressed = request
    let rule = ConnectTo(
      host: nil, port: nil, targetHost: address.description, targetPort: request.connectToRule?.targetPort)
    addressed.connectTo.insert(rule, at: 0)
    return (addressed, found.lookupTime)
  }

  // Not inlined into its caller, in which thousands of probes wait: they need no space for it until then.
  @inline(never)
  private func opening(
    for request: ProbeRequest, _ defaultPort: UInt16?, after lookupTime: Duration? = nil
  ) throws(ProbeFailure) -> StreamOpening {
    // A lookup that was made before is a part of the probe.
    let start = ContinuousClock.now - (lookupTime ?? request.addressesOfHost?.lookupTime ?? .zero)
    guard let port = request.url.port ?? defaultPort else {
      throw ProbeFailure(.invalidRequest, "\(request.url) has no port, and its scheme has none")
    }
    return StreamOpening(
      request.url.port == nil ? request.withRules(forPort: port) : request, port: port,
      on: loops.forThisTask(), since: start)
  }
}

extension ProbeRequest {
  /// The request with rules for this port applying to a URL without one; only the transport knows the default
  /// port.
  fileprivate func withRules(forPort port: UInt16) -> ProbeRequest {
    var request = self
    for index in connectTo.indices where connectTo[index].port == port { request.connectTo[index].port = nil }
    return request
  }
}
