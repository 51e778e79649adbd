import ProbeCore

/// A request that is routed to a replay server: what is sent in its place, and what its answer is made to say.
///
/// Pure: the lookup, the port and the exchange itself are the business of ``ReplayRoutingTransport``.
struct RoutedRequest: Sendable {
  /// The request as it was meant.
  let request: ProbeRequest
  /// The kind of connection it makes.
  let listener: ReplayListener
  /// The name or address it would connect to: that of its URL, unless a rule of its own says otherwise.
  let peerHost: String
  /// The port it would connect to.
  let peerPort: UInt16

  /// - Throws: ``InvalidInput`` when no fixture can answer such a request.
  init(_ request: ProbeRequest) throws(InvalidInput) {
    let url = request.url
    guard let listener = ReplayListener(url.scheme) else {
      throw InvalidInput(
        "a replay server does not speak \(url.scheme)", remedy: "probe http, https and tcp URLs alone")
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
  /// The listener for the URLs of a scheme, or nil when there is none.
  fileprivate init?(_ scheme: URLScheme) {
    switch scheme {
    case .http: self = .http
    case .https: self = .https
    case .tcp: self = .tcp
    default: return nil
    }
  }
}

extension RoutedRequest {
  /// Which port of the replay server receives a request.
  enum ServerPort: Hashable {
    /// The listener's own port: Host field and server name (SNI) tell whom the request is for.
    case shared
    /// A port of its own for a host and port, which the server cannot learn from what is sent.
    case place(host: String, port: UInt16)
  }

  /// The port of the replay server for this request.
  ///
  /// What a rule of the request's own (``ProbeRequest/connectTo``) changes is the connection, which is all that TCP has;
  /// an HTTP client asks for what its URL says.
  var serverPort: ServerPort {
    if listener == .tcp { return .place(host: peerHost, port: peerPort) }
    let url = request.url
    // An address is no server name (RFC 6066 §3), and a Host field that was given may say anything.
    let isTold = request.http.headers["Host"] == nil && (listener == .http || url.address == nil)
    return isTold ? .shared : .place(host: url.host, port: url.port ?? peerPort)
  }

  /// The request to send in place of the original.
  ///
  /// The replay server stands for everything beyond this machine. A proxy, a rule of the request's own, an interface or
  /// an address to leave by, and an address family would bypass it or keep the request from it: they are left out.
  /// Only its own authority is trusted, so that no certificate of a real network counts here, nor one of these there.
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
    sent.family = nil
    sent.tls.onlyAuthorities = authority
    return sent
  }
}

/// What comes of looking up the name that a routed request would connect to.
enum RoutedLookup: Hashable {
  /// There is something to connect to: at this address, or at one that means nothing.
  case found(IPAddress?)
  /// There is nothing to connect to.
  case fails(ReasonCode, String)
  /// No answer comes, and the request's time passes.
  case isSilent
}

extension RoutedRequest {
  /// The name that has to be looked up, or nil when there is an address already.
  var nameToLookUp: String? {
    IPAddress(peerHost) == nil ? peerHost : nil
  }

  /// What comes of the lookup when the fixture says this of ``nameToLookUp``, or nil when it says nothing.
  func lookup(_ answer: DNSAnswer?) -> RoutedLookup {
    if let address = IPAddress(peerHost) { return .found(address) }
    let family = request.family ?? request.source?.family
    switch answer {
    case nil: return .found(nil)
    case .address(let address):
      guard let family, address.family != family else { return .found(address) }
      return .fails(.noSuchHost, "DNS knows no IP\(family) address of \(peerHost)")
    case .nxdomain: return .fails(.noSuchHost, "DNS knows no address of \(peerHost)")
    case .servfail:
      return .fails(.dnsFailure, "\(peerHost) could not be looked up: the DNS server failed")
    case .timeout: return .isSilent
    }
  }

  /// How long a lookup may take.
  var timeForLookup: Duration {
    min(request.connectTimeout ?? request.timeout, request.timeout)
  }

  /// The failure of a request that came to an end before there was a connection.
  func failure(_ reason: ReasonCode, _ detail: String, after time: Duration) -> ProbeFailure {
    ProbeFailure(
      reason, detail, partial: ProbeResponse(url: request.url, timings: ProbeTimings(total: time)))
  }
}

/// Answers that say of the network what a fixture says, and not how they came from this machine's own loopback.
extension RoutedRequest {
  /// The answer as from the real network.
  ///
  /// - Parameters:
  ///   - response: What the transport brought.
  ///   - server: Where it was routed to.
  ///   - address: What the name resolves to, or nil when that means nothing.
  /// - Returns: The answer, with that address in place of the replay server's.
  /// - Throws: ``ProbeFailure`` when the answer does not come from the replay server.
  func answer(
    _ response: ProbeResponse, from server: SocketAddress, as address: IPAddress?
  ) throws(ProbeFailure) -> ProbeResponse {
    guard let remote = response.remoteAddress else {
      throw ProbeFailure(
        .transportFailure,
        "the transport does not tell where its answer came from, so that it may be another server's than the "
          + "replay server's: give the answer its remoteAddress", partial: response)
    }
    if let misrouting = misrouting(from: remote, server, partial: response) { throw misrouting }
    return rewritten(response, address)
  }

  /// The failure as from the real network, or one that says that it is not the replay server's.
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
    // A library's own words may name the end of the connection.
    let host = IPAddress(peerHost)?.family == .v6 ? "[\(peerHost)]" : peerHost
    failure.detail = failure.detail
      .replacing(server.description, with: "\(host):\(peerPort)")
      .replacing("\(server.address) port \(server.port)", with: "\(peerHost) port \(peerPort)")
    return failure
  }

  private func rewritten(_ response: ProbeResponse, _ address: IPAddress?) -> ProbeResponse {
    var response = response
    if response.remoteAddress != nil {
      response.remoteAddress = address.map { SocketAddress($0, port: peerPort) }
    }
    // The name was looked up after all, in no time.
    if nameToLookUp != nil, response.timings.resolve == nil { response.timings.resolve = .zero }
    return response
  }

  private func misrouting(
    from remote: SocketAddress, _ server: SocketAddress, partial: ProbeResponse?
  ) -> ProbeFailure? {
    guard remote != server else { return nil }
    return ProbeFailure(
      .transportFailure,
      "the connection went to \(remote) and not to the replay server: the transport for \(request.url.scheme) "
        + "has to follow connectTo", partial: partial)
  }
}
