import ProbeCore

/// A request that is led to a replay server: what is sent in its place, and what its answer is made to say.
///
/// Pure: the lookup, the port and the exchange itself are the business of ``LedTransport``.
struct LedRequest: Sendable {
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

extension LedRequest {
  /// The way into the replay server.
  enum Entrance: Hashable {
    /// The listener's own port: Host field and server name (SNI) tell whom the request is for.
    case shared
    /// A port of its own for a host and port, which the server cannot learn from what is sent.
    case place(host: String, port: UInt16)
  }

  /// The way into the replay server for this request.
  ///
  /// What a rule of the request's own (``ProbeRequest/connectTo``) changes is the connection, which is all that TCP has;
  /// an HTTP client asks for what its URL says.
  var entrance: Entrance {
    if listener == .tcp { return .place(host: peerHost, port: peerPort) }
    let url = request.url
    // An address is no server name (RFC 6066 §3), and a Host field that was given may say anything.
    let isTold = request.http.headers["Host"] == nil && (listener == .http || url.address == nil)
    return isTold ? .shared : .place(host: url.host, port: url.port ?? peerPort)
  }

  /// The request to send in place of the original.
  ///
  /// The replay server stands for everything beyond this machine. A proxy, a rule of the request's own, an interface or
  /// an address to leave by, and an address family would lead past it or keep the request from it: they are left out.
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
