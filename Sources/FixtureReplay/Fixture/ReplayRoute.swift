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
