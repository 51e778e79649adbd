import ProbeCore

/// A request that is routed to a replay server: computes the request to send, and the response to report.
///
/// It does no I/O: ``ReplayRoutingTransport`` looks up the name, finds the port and makes the exchange.
struct RoutedRequest: Sendable {
  /// The original request.
  let request: ProbeRequest
  /// The kind of connection it makes.
  let listener: ReplayListener
  /// The name or address that it would connect to: that of its URL, unless one of its own rules
  /// changes it.
  let peerHost: String
  /// The port it would connect to.
  let peerPort: UInt16

  /// Determines where a request would connect to.
  ///
  /// - Throws: ``InvalidInput`` if no fixture can respond to such a request.
  init(_ request: ProbeRequest) throws(InvalidInput) {
    let url = request.url
    guard let listener = ReplayListener(url.scheme) else {
      throw InvalidInput(
        "the replay server does not support \(url.scheme), and nothing is sent to a real network",
        remedy: "use http, https, tcp or tls URLs")
    }
    let rule = request.connectTo.first { $0.applies(to: url) }
    guard let port = rule?.targetPort ?? url.port else {
      throw InvalidInput("a \(url.scheme) URL needs a port", remedy: "write it as \(url.scheme)://host:port")
    }
    self.request = request
    self.listener = listener
    peerHost = rule?.targetHost ?? url.host
    peerPort = port
  }
}

extension ReplayListener {
  /// The listener for the URLs of a scheme, or nil if there is none.
  fileprivate init?(_ scheme: URLScheme) {
    switch scheme {
    case .http: self = .http
    case .https: self = .https
    case .tcp, .tls: self = .tcp
    default: return nil
    }
  }
}

extension RoutedRequest {
  /// Whether the connection to a TCP listener starts with a TLS handshake.
  var startsTLS: Bool { request.url.scheme == .tls }

  /// The port of the replay server that receives a request.
  enum ServerPort: Hashable {
    /// The listener's shared port: the Host field and the server name (SNI) identify the destination.
    case shared
    /// A dedicated port for a host and port that the server cannot learn from the bytes sent.
    case dedicated(host: String, port: UInt16)
  }

  /// The port of the replay server for this request.
  ///
  /// The request's own rules (``ProbeRequest/connectTo``) change only the connection. Over TCP there is
  /// nothing else, but an HTTP client still requests the host of its URL.
  var serverPort: ServerPort {
    if listener == .tcp { return .dedicated(host: peerHost, port: peerPort) }
    let url = request.url
    // An address is not a valid server name (RFC 6066 §3), and a custom Host field may contain anything.
    let isReported = request.http.headers["Host"] == nil && (listener == .http || url.address == nil)
    return isReported ? .shared : .dedicated(host: url.host, port: url.port ?? peerPort)
  }

  /// The request to send instead of the original.
  ///
  /// The replay server represents everything beyond this machine. A proxy, the request's own rules, a network
  /// interface or source address, an address family, and a DNS server would bypass it or make it unreachable, so they are
  /// removed. Only the server's own authority is trusted, so that a certificate of a real network is not
  /// valid here.
  ///
  /// - Parameters:
  ///   - server: Where the replay server receives it.
  ///   - authority: The certificate of its authority, in PEM form.
  /// - Returns: The request, with nothing else changed.
  func sent(to server: SocketAddress, trusting authority: [UInt8]) -> ProbeRequest {
    var sent = request
    sent.connectTo = [
      ConnectTo(host: nil, port: nil, targetHost: server.address.description, targetPort: server.port)
    ]
    sent.proxy = nil
    sent.source = nil
    sent.resolver = nil
    sent.family = nil
    sent.knownAddresses = nil
    sent.tls.onlyAuthorities = authority
    return sent
  }
}

/// The result of looking up the name that a routed request would connect to.
enum RoutedLookup: Hashable {
  /// The name resolves; nil if its address is unknown.
  case found(IPAddress?)
  case fails(ReasonCode, String)
  /// No response arrives until the request times out.
  case isSilent
}

extension RoutedRequest {
  /// The name to look up, or nil if the request has an address already.
  var nameToLookUp: String? {
    IPAddress(peerHost) == nil ? peerHost : nil
  }

  /// The result of the lookup if this is the fixture's answer for ``nameToLookUp``, or nil if it has none.
  func lookup(_ dnsAnswer: DNSAnswer?) -> RoutedLookup {
    if let address = IPAddress(peerHost) { return .found(address) }
    let family = request.family ?? request.source?.family
    switch dnsAnswer {
    case nil: return .found(nil)
    case .address(let address):
      guard let family, address.family != family else { return .found(address) }
      return .fails(.noSuchHost, "\(peerHost) has no IP\(family) address in DNS")
    case .nxdomain: return .fails(.noSuchHost, "\(peerHost) does not exist in DNS")
    case .servfail:
      return .fails(.dnsFailure, "\(peerHost) could not be looked up: the DNS server failed")
    case .timeout: return .isSilent
    }
  }

  /// The timeout for looking up the name of the host.
  var timeForLookup: Duration {
    min(request.connectTimeout ?? request.timeout, request.timeout)
  }

  /// The failure of a request that ended before a connection was established.
  func failure(_ reason: ReasonCode, _ detail: String, after time: Duration) -> ProbeFailure {
    ProbeFailure(
      reason, detail, partial: ProbeResponse(url: request.url, timings: ProbeTimings(total: time)))
  }
}

/// Responses and failures as on the network that the fixture describes, without traces of the loopback
/// connection.
extension RoutedRequest {
  /// The response as from the real network.
  ///
  /// - Parameters:
  ///   - response: The transport's response.
  ///   - server: The address it was routed to.
  ///   - address: The address that the name resolves to, or nil if it is unknown.
  /// - Returns: The response, with that address instead of the replay server's.
  /// - Throws: ``ProbeFailure`` if the response does not come from the replay server.
  func response(
    _ response: ProbeResponse, from server: SocketAddress, as address: IPAddress?
  ) throws(ProbeFailure) -> ProbeResponse {
    guard let remote = response.remoteAddress else {
      throw ProbeFailure(
        .transportFailure,
        "the transport does not report the address of the server, so the response may not be from the replay "
          + "server: set the response's remoteAddress", partial: response)
    }
    if let misrouting = misrouting(from: remote, server, partial: response) { throw misrouting }
    return rewritten(response, address)
  }

  /// The failure as from the real network, or another one if it does not come from the replay server.
  func failure(
    _ failure: ProbeFailure, from server: SocketAddress, as address: IPAddress?
  ) -> ProbeFailure {
    if let remote = failure.partial?.remoteAddress,
      let misrouting = misrouting(from: remote, server, partial: failure.partial)
    {
      return misrouting
    }
    var failure = failure
    failure.partial = failure.partial.map { rewritten($0, address) }
    // A library's message may contain the address of the connection.
    failure.detail = failure.detail
      .replacing(server.description, with: peerHost.host(withPort: peerPort))
      .replacing("\(server.address) port \(server.port)", with: "\(peerHost) port \(peerPort)")
    return failure
  }

  private func rewritten(_ response: ProbeResponse, _ address: IPAddress?) -> ProbeResponse {
    var response = response
    response.connectsToItself = false
    if response.remoteAddress != nil {
      response.remoteAddress = address.map { SocketAddress($0, port: peerPort) }
    }
    // A lookup did happen, in no time.
    if nameToLookUp != nil, response.timings.resolve == nil { response.timings.resolve = .zero }
    return response
  }

  private func misrouting(
    from remote: SocketAddress, _ server: SocketAddress, partial: ProbeResponse?
  ) -> ProbeFailure? {
    guard remote != server else { return nil }
    return ProbeFailure(
      .transportFailure,
      "the connection was to \(remote), not to the replay server: the transport for \(request.url.scheme) "
        + "must use connectTo", partial: partial)
  }
}
