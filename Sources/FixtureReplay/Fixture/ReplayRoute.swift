/// Whom a replay server answers what.
public struct ReplayRoute: Hashable, Sendable {
  /// The name, unique within its fixture.
  public var id: String
  /// Which requests it is for.
  public var condition: RouteCondition
  /// What is answered, or nil when a fault or the end of the connection is all there is to it.
  public var answer: ReplayAnswer?
  /// What happens to the connection after the answer, or nil for the default.
  public var end: AnswerEnd?
  /// The state that follows, or nil to stay.
  public var goto: String?
  /// What goes wrong with the answer, or nil.
  public var fault: ReplayFault?

  /// A route.
  public init(
    _ id: String, when condition: RouteCondition = RouteCondition(), answer: ReplayAnswer? = nil,
    end: AnswerEnd? = nil, goto: String? = nil, fault: ReplayFault? = nil
  ) {
    self.id = id
    self.condition = condition
    self.answer = answer
    self.end = end
    self.goto = goto
    self.fault = fault
  }
}

/// Which requests a route is for; what is not given does not matter.
public struct RouteCondition: Hashable, Sendable {
  /// The state the fixture must be in.
  public var state: String?
  /// The listener the request must have come to; without one, HTTP and HTTPS but not TCP, unless ``receive`` is given.
  public var listener: ReplayListener?
  /// The request method, case-sensitive.
  public var method: Glob?
  /// The host the client asked for, in any case.
  public var host: Glob?
  /// The port the client asked for, in decimal digits.
  public var port: Glob?
  /// The path, with the query when a `?` stands in the pattern.
  public var path: Glob?
  /// Patterns for the values of header fields, by name in any case; each field must be there, with one value that fits.
  public var headers: [HeaderCondition]
  /// What the client of a plain TCP connection must have sent; see `TCPTurns`.
  public var receive: Glob?

  /// A header field that must be there.
  public struct HeaderCondition: Hashable, Sendable {
    /// The field's name, in any case.
    public var name: String
    /// What one of its values must fit, in any case.
    public var value: Glob

    /// A header field that must be there.
    public init(name: String, value: String) {
      self.name = name
      self.value = Glob(value, isCaseSensitive: false)
    }
  }

  /// A condition.
  public init(
    state: String? = nil, listener: ReplayListener? = nil, method: String? = nil, host: String? = nil,
    port: String? = nil, path: String? = nil, headers: [HeaderCondition] = [], receive: String? = nil
  ) {
    self.state = state
    self.listener = listener
    self.method = method.map { Glob($0) }
    self.host = host.map { Glob($0, isCaseSensitive: false) }
    self.port = port.map { Glob($0) }
    self.path = path.map { Glob($0) }
    self.headers = headers
    self.receive = receive.map { Glob($0) }
  }
}

/// What is answered.
public enum ReplayAnswer: Hashable, Sendable {
  /// These bytes as they are.
  case send([UInt8])
  /// A response put together from its parts.
  case respond(ComposedResponse)
}

/// An HTTP response given by its parts: exactly these header fields, and Content-Length when neither it nor
/// Transfer-Encoding is among them and the status allows content (RFC 9110 §8.6).
public struct ComposedResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The reason phrase, or nil for the usual one.
  public var reason: String?
  /// The version of HTTP in the status line, such as `1.1`.
  public var version: String
  /// The lines of the header, such as `Content-Type: text/html`, without their ends.
  public var headers: [String]
  /// The content.
  public var body: [UInt8]

  /// A response.
  public init(
    status: Int = 200, reason: String? = nil, version: String = "1.1", headers: [String] = [],
    body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason
    self.version = version
    self.headers = headers
    self.body = body
  }
}

/// What happens to a connection after an answer.
public enum AnswerEnd: String, Hashable, Sendable, CaseIterable {
  /// It is ended with a FIN, behind all bytes of the answer.
  case fin
  /// It stays for the next request, unless the client or its version of HTTP wants it ended.
  case keep
  /// It is reset, once the client has acknowledged the answer.
  case rst
  /// It stays, and nothing more is ever sent.
  case hold
}

/// What goes wrong with an answer.
public struct ReplayFault: Hashable, Sendable {
  /// The kinds of faults, by their names in a fixture.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The answer comes late, by ``ReplayFault/duration``.
    case delay
    /// The connection is reset in place of an answer.
    case rstEarly = "rst-early"
    /// The connection is reset after ``ReplayFault/bytes`` of the answer, once the client has acknowledged them.
    case rstAfter = "rst-after"
    /// The connection is ended in place of an answer.
    case emptyFin = "empty-fin"
    /// The sending side is ended after ``ReplayFault/bytes`` of the answer; the receiving side stays.
    case halfClose = "half-close"
    /// The connection is ended after ``ReplayFault/bytes`` of the content, fewer than were announced.
    case shortBody = "short-body"
    /// The content is sent in chunks (RFC 9112 §7.1), and the connection ended before the last one.
    case chunkCut = "chunk-cut"
    /// The content is sent in chunks, and the size of the last one is `zz`.
    case chunkBad = "chunk-bad"
    /// The connection is ended after ``ReplayFault/bytes`` of the answer, inside its head.
    case headerCut = "header-cut"
    /// Bytes that are no HTTP come in place of an answer.
    case garbage
    /// The head comes ``ReplayFault/bytes`` at a time, one part every ``ReplayFault/every``.
    case slowHeaders = "slow-headers"
    /// The content comes ``ReplayFault/bytes`` at a time, one part every ``ReplayFault/every``.
    case slowBody = "slow-body"
    /// The answer stops inside its head, and the connection stays.
    case stallHeaders = "stall-headers"
    /// The answer stops inside its content, and the connection stays.
    case stallBody = "stall-body"
    /// Three interim responses (`100 Continue`) come, and never the final one.
    case continueForever = "continue-forever"
    /// The head never ends.
    case endlessHeaders = "endless-headers"
    /// The content never ends.
    case endlessBody = "endless-body"
    /// The content is labelled gzip and is not.
    case badGzip = "bad-gzip"
    /// The content is a megabyte of gzip that unfolds to a gigabyte.
    case gzipBomb = "gzip-bomb"
  }

  /// What goes wrong.
  public var kind: Kind
  /// How many bytes, for the kinds that count some; nil for the kind's own default.
  public var bytes: Int?
  /// The time between two parts, for the slow kinds; nil for a tenth of a second.
  public var every: Duration?
  /// How late, for a delay.
  public var duration: Duration?
  /// Which of the route's hits it befalls, counted from 1; nil for all.
  public var requests: Set<Int>?

  /// A fault.
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

  /// Whether it applies to a route's hit with this number, counted from 1.
  package func applies(toHit number: Int) -> Bool {
    requests?.contains(number) ?? true
  }
}
