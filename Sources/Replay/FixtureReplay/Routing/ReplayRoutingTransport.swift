public import ProbeCore

/// A transport that makes every connection to a replay server.
///
/// Redirects need no special treatment: `Prober` follows them, and each hop is a request to this transport.
struct ReplayRoutingTransport: ProbeTransport {
  let transport: any ProbeTransport
  let target: any RoutingTarget
  /// The certificate of the target's authority, in PEM form.
  let authority: [UInt8]
  let clock: any Clock<Duration>

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  /// Rejects what the wrapped transport rejects, and requests that no fixture can respond to.
  func check(_ request: ProbeRequest) throws(InvalidInput) {
    _ = try RoutedRequest(request)
    try transport.check(request)
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try transport.checkFiles(of: request)
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let routed = try Self.routed(request)
    let address = try await lookUp(routed)
    let server = try serverAddress(for: routed)
    let response: ProbeResponse
    do {
      response = try await transport.probe(routed.sent(to: server, trusting: authority))
    } catch let failure as ProbeFailure {
      throw routed.failure(failure, from: server, as: address)
    }
    return try routed.response(response, from: server, as: address)
  }
}

extension ReplayRoutingTransport {
  private static func routed(_ request: ProbeRequest) throws(ProbeFailure) -> RoutedRequest {
    do {
      return try RoutedRequest(request)
    } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
  }

  /// The address that the name resolves to, or nil if it is unknown.
  private nonisolated(nonsending) func lookUp(
    _ routed: RoutedRequest
  ) async throws(ProbeFailure) -> IPAddress? {
    switch routed.lookup(routed.nameToLookUp.flatMap(target.dnsAnswer)) {
    case .found(let address): return address
    case .fails(let reason, let words): throw routed.failure(reason, words, after: .zero)
    case .isSilent:
      let time = routed.timeForLookup
      guard (try? await clock.sleep(for: time)) != nil else {
        throw ProbeFailure(.cancelled, "the probe was cancelled")
      }
      let seconds = (time / .seconds(1) * 100).rounded() / 100
      throw routed.failure(.resolveTimeout, "no DNS response after \(seconds) s", after: time)
    }
  }

  private func serverAddress(for routed: RoutedRequest) throws(ProbeFailure) -> SocketAddress {
    var server = target.address(of: routed.listener)
    // A server that listens on every address is reached at the loopback address.
    if server.address == IPAddress(v4: 0) { server.address = IPAddress(v4: 0x7F00_0001) }
    if server.address == IPAddress(v6: 0) { server.address = IPAddress(v6: 1) }
    switch routed.serverPort {
    case .shared: return server
    case .dedicated(let host, let port):
      do {
        server.port = try target.assignPort(
          for: routed.listener, host: host, port: port, startsTLS: routed.startsTLS)
        return server
      } catch {
        throw ProbeFailure(
          .transportFailure, "the replay server cannot serve \(host), port \(port): \(error)")
      }
    }
  }
}

extension ReplayRoutingTransport: AddressFinding {
  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    let routed = try Self.routed(request)
    // Names without an entry resolve to an address that is not known.
    guard let address = try await lookUp(routed) else { return nil }
    return FoundAddresses(
      host: routed.peerHost, addresses: [NamedAddress(address: address, timeToLive: nil)])
  }
}

extension TransportRegistry {
  /// Wraps these transports so that they make every connection to a replay server.
  func routed(to target: any RoutingTarget, clock: any Clock<Duration>) -> TransportRegistry {
    let authority = Array(target.authorityPEM.utf8)
    return wrapping {
      ReplayRoutingTransport(transport: $0, target: target, authority: authority, clock: clock)
    }
  }
}

/// The part of a replay server that routing needs.
protocol RoutingTarget: Sendable {
  /// The address of a listener for requests that identify their destination themselves.
  func address(of listener: ReplayListener) -> SocketAddress

  /// Assigns a port, at the listener's address, to a host and port: all connections to it count as made to
  /// them. On a TCP listener they can start with a TLS handshake.
  ///
  /// - Throws: The error that prevents it, such as a lack of descriptors.
  func assignPort(
    for listener: ReplayListener, host: String, port: UInt16, startsTLS: Bool
  ) throws -> UInt16

  /// The fixtures' answer to a DNS lookup, or nil if they have none.
  func dnsAnswer(for host: String) -> DNSAnswer?

  /// The certificate of the authority that signs the server's certificates, in PEM form.
  var authorityPEM: String { get }
}

extension ReplayServer: RoutingTarget {}

extension TransportRegistry {
  /// Wraps these transports so that they use the network of a replay server: no request leaves this machine.
  ///
  /// Every connection is made to the server, also after a redirect to any host, port or address. Host names,
  /// the Host field and the server name (SNI) are the same as on the real network, and the server's own
  /// authority is the only trusted one. Names resolve as the fixtures' DNS declares, and
  /// `ProbeResponse.remoteAddress` is the resolved address; without a DNS entry, names resolve and the
  /// address is nil. Proxies and network interfaces are ignored: the server represents everything beyond this
  /// machine.
  ///
  /// URLs other than http, https, tcp and tls ones fail with `request.invalid`. A custom transport must follow
  /// `ProbeRequest.connectTo`; a response that did not come from the server is a failure.
  ///
  /// - Parameters:
  ///   - server: The server for every connection.
  ///   - clock: Measures the time that a DNS lookup without an answer takes.
  /// - Returns: Transports for the same schemes.
  public func routed(
    to server: ReplayServer, clock: any Clock<Duration> = ContinuousClock()
  ) -> TransportRegistry {
    routed(to: server as any RoutingTarget, clock: clock)
  }
}
