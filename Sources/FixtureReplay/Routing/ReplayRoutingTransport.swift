public import ProbeCore

/// A transport whose every connection is made to a replay server.
///
/// Redirects need no care of their own: `Prober` follows them, and each hop comes by here.
struct ReplayRoutingTransport: ProbeTransport {
  let transport: any ProbeTransport
  let target: any RoutingTarget
  /// The certificate of the target's authority, in PEM form.
  let authority: [UInt8]
  let clock: any Clock<Duration>

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  /// Refuses what the transport itself refuses, and what no fixture can answer.
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
    return try routed.answer(response, from: server, as: address)
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

  /// What the name resolves to, or nil when that means nothing.
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
      throw routed.failure(.resolveTimeout, "no answer from DNS after \(seconds) s", after: time)
    }
  }

  private func serverAddress(for routed: RoutedRequest) throws(ProbeFailure) -> SocketAddress {
    var server = target.address(of: routed.listener)
    // A server that listens on every address is reached on this machine's own.
    if server.address == IPAddress(v4: 0) { server.address = IPAddress(v4: 0x7F00_0001) }
    if server.address == IPAddress(v6: 0) { server.address = IPAddress(v6: 1) }
    switch routed.serverPort {
    case .shared: return server
    case .place(let host, let port):
      do {
        server.port = try target.place(routed.listener, host: host, port: port)
        return server
      } catch {
        throw ProbeFailure(
          .transportFailure, "the replay server cannot stand in for \(host), port \(port): \(error)")
      }
    }
  }
}

extension TransportRegistry {
  /// These transports, with every connection made to a replay server.
  func routed(to target: any RoutingTarget, clock: any Clock<Duration>) -> TransportRegistry {
    let authority = Array(target.authorityPEM.utf8)
    return wrapping {
      ReplayRoutingTransport(transport: $0, target: target, authority: authority, clock: clock)
    }
  }
}

/// What routing needs of a replay server.
protocol RoutingTarget: Sendable {
  /// Where a listener receives what tells by itself whom it is for.
  func address(of listener: ReplayListener) -> SocketAddress

  /// A port, at the listener's address, whose connections count as made to this host and port, whatever is sent on them.
  ///
  /// - Throws: Whatever hinders it, such as a lack of descriptors.
  func place(_ listener: ReplayListener, host: String, port: UInt16) throws -> UInt16

  /// What a client is told a name resolves to, or nil when that is not said.
  func dnsAnswer(for host: String) -> DNSAnswer?

  /// The authority that has signed the server's certificates, as its own certificate in PEM form.
  var authorityPEM: String { get }
}

extension ReplayServer: RoutingTarget {}

extension TransportRegistry {
  /// These transports in the network that a server replays: nothing they are asked for leaves this machine.
  ///
  /// Every connection is made to the server, also after a redirect to any host, port or address, with host names, Host
  /// field and server name (SNI) as on the real network, and with the server's own authority as the only one that is
  /// trusted. Names resolve as the fixtures' DNS says, and `ProbeResponse.remoteAddress` is what they resolve to; where
  /// nothing is said, names resolve and the address is nil. Proxies and the interface to leave by count for nothing: the
  /// server stands for everything beyond this machine.
  ///
  /// URLs other than http, https and tcp ones are refused with `request.invalid`. A transport of one's own must follow
  /// `ProbeRequest.connectTo`; the answer of one that does not is a failure.
  ///
  /// - Parameters:
  ///   - server: Where every connection is made to.
  ///   - clock: Measures the wait for a DNS server that does not answer.
  /// - Returns: Transports for the same schemes.
  public func routed(
    to server: ReplayServer, clock: any Clock<Duration> = ContinuousClock()
  ) -> TransportRegistry {
    routed(to: server as any RoutingTarget, clock: clock)
  }
}
