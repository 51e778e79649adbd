package import ProbeHTTPWire

/// The head of an HTTP response: status line and header fields.
public struct HTTPResponseHead: Hashable, Sendable {
  /// The protocol version as in the status line: `1.0`, `1.1`, `2`.
  public var version: String
  /// The status code; RFC 9110 §15 defines 100 to 599, but some servers send others.
  public var status: Int
  /// The reason phrase, empty when there is none (always with HTTP/2).
  public var reasonPhrase: String
  /// The header fields in wire order.
  public var fields: HeaderFields

  /// Creates a head from its parts.
  public init(version: String = "1.1", status: Int, reasonPhrase: String = "", fields: HeaderFields = [:]) {
    self.version = version
    self.status = status
    self.reasonPhrase = reasonPhrase
    self.fields = fields
  }

  /// Parses a head as received: a status line (RFC 9112 §4) and the lines after it.
  ///
  /// The parser is as lenient as browsers: `HTTP` may be in any case, more than one space may precede the
  /// status code, and the reason phrase may be missing. A missing status code counts as 200.
  ///
  /// - Returns: nil if the first line is not a status line.
  public init?(wireBytes bytes: [UInt8]) {
    let wire = bytes.span
    let lines = HeadLines(wire)
    guard let line = StatusLine(lines.startLine, of: wire) else { return nil }
    status = line.status
    version = String(decoding: bytes[line.version], as: UTF8.self)
    reasonPhrase = String(wireBytes: bytes[line.reason])
    fields = HeaderFields(lines, of: bytes)
  }

  /// Creates a head from its parsed parts.
  ///
  /// - Parameters:
  ///   - parts: The positions of the parts.
  ///   - head: The bytes of the head.
  package init(_ parts: WireResponseHead, of head: [UInt8]) {
    status = parts.status.status
    version = String(decoding: head[parts.status.version], as: UTF8.self)
    reasonPhrase = String(wireBytes: head[parts.status.reason])
    fields = HeaderFields(at: parts.fields, of: head)
  }

  /// Whether the status redirects the client (RFC 9110 §15.4): 301, 302, 303, 307 or 308.
  public var isRedirect: Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }
}

/// One redirect response during a probe.
public struct RedirectHop: Hashable, Sendable {
  /// The URL that sent the redirect.
  public var url: ProbeURL
  /// Its status code.
  public var status: Int
  /// The Location field as sent, or nil if there was none.
  public var location: String?
  /// The target: the location resolved against the URL, or nil if it is not a usable URL.
  public var target: ProbeURL?
  /// Whether there are several Location fields that lead to different URLs, of which a client may follow any, or none.
  package var isAmbiguous = false
  /// Whether the location has user information, which its target lacks.
  package var hasUserInformation: Bool { location.map(url.hasUserInformation) ?? false }

  /// Creates a redirect.
  public init(url: ProbeURL, status: Int, location: String?, target: ProbeURL?) {
    self.url = url
    self.status = status
    self.location = location
    self.target = target
  }

  /// The redirect in a response, or nil if the response is not a redirect.
  public init?(of head: HTTPResponseHead?, from url: ProbeURL) {
    guard let head, head.isRedirect else { return nil }
    let references = head.fields.references(in: "Location")
    let target = references.first.flatMap(url.resolve)
    self.init(url: url, status: head.status, location: head.fields["Location"], target: target)
    isAmbiguous = references.dropFirst().contains { reference in
      guard let first = references.first, reference != first else { return false }
      guard let target, let other = url.resolve(reference) else { return true }
      return !target.isEquivalent(to: other)
        || url.hasUserInformation(reference) != url.hasUserInformation(first)
    }
  }
}
