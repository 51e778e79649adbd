/// A rule for a replay server: the requests that it matches, and the response to them.
public struct ReplayRoute: Hashable, Sendable {
  /// The name, unique within its fixture.
  public var id: String
  /// The requests it matches.
  public var condition: RouteCondition
  /// The response, or nil if there is only a fault or the end of the connection.
  public var response: ReplayResponse?
  /// What happens to the connection after the response, or nil for the default.
  public var end: ResponseEnd?
  /// The state to change to, or nil to keep the current one.
  public var goto: String?
  /// The fault to inject into the response, or nil.
  public var fault: ReplayFault?

  /// Creates a route.
  public init(
    _ id: String, when condition: RouteCondition = RouteCondition(), response: ReplayResponse? = nil,
    end: ResponseEnd? = nil, goto: String? = nil, fault: ReplayFault? = nil
  ) {
    self.id = id
    self.condition = condition
    self.response = response
    self.end = end
    self.goto = goto
    self.fault = fault
  }
}

/// The requests that a route matches; an omitted property matches anything.
public struct RouteCondition: Hashable, Sendable {
  /// The required state of the fixture.
  public var state: String?
  /// The listener that received the request; if nil, HTTP and HTTPS, or TCP if ``receive`` is given.
  public var listener: ReplayListener?
  /// The request method, case-sensitive.
  public var method: Glob?
  /// The requested host, case-insensitive.
  public var host: Glob?
  /// The requested port, in decimal digits.
  public var port: Glob?
  /// The path, including the query if the pattern contains a `?`.
  public var path: Glob?
  /// The required header fields; of each, at least one value must match.
  public var headers: [HeaderCondition]
  /// The required fields of the query; of each, at least one value must match.
  public var query: [FieldCondition]
  /// The required fields of the form in the content; of each, at least one value must match.
  ///
  /// The content is `application/x-www-form-urlencoded` or `multipart/form-data`, and at most 1 MiB.
  public var form: [FieldCondition]
  /// The input that the client of a plain TCP connection must have sent; see `TCPTurnReader`.
  public var receive: Glob?

  /// A required header field.
  public struct HeaderCondition: Hashable, Sendable {
    /// The field's name, case-insensitive.
    public var name: String
    /// The pattern that one of its values must match, case-insensitive.
    public var value: Glob

    /// Creates a condition on a header field.
    public init(name: String, value: String) {
      self.name = name
      self.value = Glob(value, isCaseSensitive: false)
    }
  }

  /// A required field of a query or a form.
  public struct FieldCondition: Hashable, Sendable {
    /// The field's name, case-sensitive.
    public var name: String
    /// The pattern that one of its values must match, case-sensitive.
    public var value: Glob

    /// Creates a condition on a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = Glob(value)
    }
  }

  /// Creates a condition.
  public init(
    state: String? = nil, listener: ReplayListener? = nil, method: String? = nil, host: String? = nil,
    port: String? = nil, path: String? = nil, headers: [HeaderCondition] = [],
    query: [FieldCondition] = [], form: [FieldCondition] = [], receive: String? = nil
  ) {
    self.state = state
    self.listener = listener
    self.method = method.map { Glob($0) }
    self.host = host.map { Glob($0, isCaseSensitive: false) }
    self.port = port.map { Glob($0) }
    self.path = path.map { Glob($0) }
    self.headers = headers
    self.query = query
    self.form = form
    self.receive = receive.map { Glob($0) }
  }
}

/// The content of a response.
public enum ReplayResponse: Hashable, Sendable {
  /// These bytes, unchanged.
  case send([UInt8])
  /// A response composed from its parts.
  case respond(ComposedResponse)
}

/// An HTTP response composed from its parts.
///
/// It has exactly these header fields, and a Content-Length if neither that nor Transfer-Encoding is among
/// them and the status allows content (RFC 9110 §8.6).
public struct ComposedResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The reason phrase, or nil for the usual one.
  public var reason: String?
  /// The HTTP version in the status line, such as `1.1`.
  public var version: String
  /// The header field lines, such as `Content-Type: text/html`, without line ends.
  public var headers: [String]
  /// The content.
  public var body: [UInt8]
  /// Whether variables such as `${request.url}` in the header fields and the content are replaced by their values.
  ///
  /// A value is escaped as its position requires, by the Content-Type. `$${` is the text `${`.
  public var isTemplate: Bool

  /// Creates a response.
  public init(
    status: Int = 200, reason: String? = nil, version: String = "1.1", headers: [String] = [],
    body: [UInt8] = [], isTemplate: Bool = false
  ) {
    self.status = status
    self.reason = reason
    self.version = version
    self.headers = headers
    self.body = body
    self.isTemplate = isTemplate
  }
}

/// What happens to a connection after a response.
public enum ResponseEnd: String, Hashable, Sendable, CaseIterable {
  /// It is closed with a FIN after the last byte of the response.
  case fin
  /// It stays open for the next request, unless the client or its version of HTTP wants it closed.
  case keep
  /// It is reset after the client has acknowledged the response.
  case rst
  /// It stays open, and nothing more is ever sent.
  case hold
}

/// A fault to inject into a response.
public struct ReplayFault: Hashable, Sendable {
  /// The kinds of faults; the raw values are their names in a fixture.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The response is delayed by ``ReplayFault/duration``.
    case delay
    /// The connection is reset without a response.
    case rstEarly = "rst-early"
    /// The connection is reset after the client has acknowledged ``ReplayFault/bytes`` of the response.
    case rstAfter = "rst-after"
    /// The connection is closed without a response.
    case emptyFin = "empty-fin"
    /// The sending side is closed after ``ReplayFault/bytes`` of the response; the receiving side stays open.
    case halfClose = "half-close"
    /// The connection is closed after ``ReplayFault/bytes`` of the content, before the declared length.
    case shortBody = "short-body"
    /// The content is sent in chunks (RFC 9112 §7.1), and the connection is closed before the last one.
    case chunkCut = "chunk-cut"
    /// The content is sent in chunks, and the size of the last one is `zz`, which is invalid.
    case chunkBad = "chunk-bad"
    /// The connection is closed after ``ReplayFault/bytes`` of the response, inside its head.
    case headerCut = "header-cut"
    /// Bytes that are not HTTP are sent instead of a response.
    case garbage
    /// The head is sent ``ReplayFault/bytes`` at a time, one part every ``ReplayFault/every``.
    case slowHeaders = "slow-headers"
    /// The content is sent ``ReplayFault/bytes`` at a time, one part every ``ReplayFault/every``.
    case slowBody = "slow-body"
    /// The response stops inside its head, and the connection stays open.
    case stallHeaders = "stall-headers"
    /// The response stops inside its content, and the connection stays open.
    case stallBody = "stall-body"
    /// Three interim responses (`100 Continue`) are sent, and never the final one.
    case continueForever = "continue-forever"
    /// The head never ends.
    case endlessHeaders = "endless-headers"
    /// The content never ends.
    case endlessBody = "endless-body"
    /// The content is labelled gzip but is not gzip.
    case badGzip = "bad-gzip"
    /// The content is a megabyte of gzip that decompresses to a gigabyte.
    case gzipBomb = "gzip-bomb"
  }

  /// The kind of fault.
  public var kind: Kind
  /// The number of bytes, for the kinds that count bytes; nil for the default of the kind.
  public var bytes: Int?
  /// The time between two parts, for the slow kinds; nil for 0.1 s.
  public var every: Duration?
  /// The length of a delay.
  public var duration: Duration?
  /// The hits of the route that get the fault, counted from 1; nil for all.
  public var requests: Set<Int>?

  /// Creates a fault.
  public init(
    _ kind: Kind, bytes: Int? = nil, every: Duration? = nil, for duration: Duration? = nil,
    requests: Set<Int>? = nil
  ) {
    self.kind = kind
    self.bytes = bytes
    self.every = every
    self.duration = duration
    self.requests = requests
  }

  /// Whether the fault applies to the route's hit with this number, counted from 1.
  package func applies(toHit number: Int) -> Bool {
    requests?.contains(number) ?? true
  }
}
