package import ProbeHTTPWire

/// The head of an HTTP response: status line and header fields.
public struct HTTPResponseHead: Hashable, Sendable {
  /// The protocol version as in the status line: `1.0`, `1.1`, `2`.
  public var version: String
  /// The status code; RFC 9110 §15 defines 100 to 599, servers send others too.
  public var status: Int
  /// The reason phrase, empty when there is none (always with HTTP/2).
  public var reasonPhrase: String
  /// The header fields in wire order.
  public var fields: HeaderFields

  /// A head from its parts.
  public init(version: String = "1.1", status: Int, reasonPhrase: String = "", fields: HeaderFields = [:]) {
    self.version = version
    self.status = status
    self.reasonPhrase = reasonPhrase
    self.fields = fields
  }

  /// A head from the bytes received: a status line (RFC 9112 §4) and the lines behind it.
  ///
  /// It is read as browsers read it: in any case, with more than one space before the status code, without a reason
  /// phrase, and without a status code, which is 200 then.
  ///
  /// - Returns: nil when the first line is not a status line.
  public init?(wireBytes bytes: [UInt8]) {
    let wire = bytes.span
    let lines = HeadLines(wire)
    guard let line = StatusLine(lines.startLine, of: wire) else { return nil }
    status = line.status
    version = String(decoding: bytes[line.version], as: UTF8.self)
    reasonPhrase = String(wireBytes: bytes[line.reason])
    fields = HeaderFields(lines, of: bytes)
  }

  /// A head from its parts.
  ///
  /// - Parameters:
  ///   - parts: Where everything stands.
  ///   - head: The bytes of the head.
  package init(_ parts: ResponseParts, of head: [UInt8]) {
    status = parts.status.status
    version = String(decoding: head[parts.status.version], as: UTF8.self)
    reasonPhrase = String(wireBytes: head[parts.status.reason])
    fields = HeaderFields(at: parts.fields, of: head)
  }

  /// Whether the status asks the client to go elsewhere (RFC 9110 §15.4): 301, 302, 303, 307 or 308.
  public var isRedirect: Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }
}

/// One redirect answer on the way of a probe.
public struct RedirectHop: Hashable, Sendable {
  /// The URL that answered with the redirect.
  public var url: ProbeURL
  /// Its status code.
  public var status: Int
  /// The Location header as sent, or nil when there was none.
  public var location: String?
  /// Where it leads: the location resolved against the URL, or nil when it cannot be used.
  public var target: ProbeURL?

  /// A redirect answer.
  public init(url: ProbeURL, status: Int, location: String?, target: ProbeURL?) {
    self.url = url
    self.status = status
    self.location = location
    self.target = target
  }

  /// The redirect that an answer is, or nil when it is none.
  public init?(of head: HTTPResponseHead?, from url: ProbeURL) {
    guard let head, head.isRedirect else { return nil }
    let target = head.fields.references(in: "Location").first.flatMap(url.resolve)
    self.init(url: url, status: head.status, location: head.fields["Location"], target: target)
  }
}
