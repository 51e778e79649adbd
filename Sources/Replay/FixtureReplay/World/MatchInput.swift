internal import ProbeCore

/// The properties of a request that a route's condition can check.
struct MatchInput {
  /// The listener that received it.
  let listener: ReplayListener
  /// The head, or nil on a plain TCP connection.
  let head: RequestHead?
  /// The intended destination, if the port it arrived on identifies one.
  let destination: ReplayDestination?
  /// The client's address, or nil if unknown.
  let client: IPAddress?
  /// The content of the request.
  let body: [UInt8]
  /// The fields of the query and the form, if a fixture needs them.
  var fields: RequestFields?
  /// The bytes received on a plain TCP connection.
  var received: ArraySlice<UInt8>
  /// The requested host as written, or nil if there is none; found once for all routes.
  let hostBytes: ArraySlice<UInt8>?

  init(
    listener: ReplayListener, head: RequestHead? = nil, destination: ReplayDestination? = nil,
    client: IPAddress? = nil, body: [UInt8] = [], received: ArraySlice<UInt8> = []
  ) {
    (self.listener, self.head, self.destination, self.received) = (listener, head, destination, received)
    (self.client, self.body) = (client, body)
    hostBytes = head?.hostBytes ?? destination.map { Array($0.host.utf8)[...] }
  }

  /// The bytes received on a plain TCP connection, without the line end.
  var line: ArraySlice<UInt8> {
    guard received.last == UInt8(ascii: "\n") else { return received }
    let line = received.dropLast()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The requested host, or nil if there is none.
  var host: String? { hostBytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The requested port, or nil if unknown.
  var port: UInt16? {
    if let destination { return destination.port }
    guard let head else { return nil }
    return head.port ?? (listener == .https ? 443 : 80)
  }
}

extension MatchInput {
  /// The number of bytes received for it.
  var count: Int { head.map { $0.bytes.count + body.count } ?? received.count }

  /// The requested host as in a URL, with brackets around an IPv6 address (RFC 3986 §3.2.2), or nil if there is none.
  var urlHost: String? { host.map(\.bracketedHost) }

  /// The scheme, host and port of the requested URL, or nil if there is no head or no host.
  var origin: String? {
    guard head != nil, let host = urlHost, listener != .tcp else { return nil }
    let isUsual = port == (listener == .https ? 443 : 80)
    let suffix = isUsual ? "" : port.map { ":\($0)" } ?? ""
    return "\(listener.rawValue)://\(host)\(suffix)"
  }

  /// The URL of the request, or nil if there is no head or no host.
  var url: String? { origin.flatMap { origin in head.map { origin + $0.pathAndQueryOfURL } } }

  /// The fields of the query and the form.
  var knownFields: RequestFields { fields ?? RequestFields(head, body) }
}
