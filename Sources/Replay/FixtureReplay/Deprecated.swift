internal import ProbeCore

// Names of version 0.2, for one version: docs/migration.md lists them.

/// How a connection ends after a response, by its name in version 0.2.
@available(*, deprecated, renamed: "ResponseEnd")
public typealias AnswerEnd = ResponseEnd

/// What a route sends, by its name in version 0.2.
@available(*, deprecated, renamed: "ReplayResponse")
public typealias ReplayAnswer = ReplayResponse

extension ReplayRoute {
  /// Creates a route.
  @available(*, deprecated, renamed: "init(_:when:response:end:goto:fault:)")
  public init(
    _ id: String, when condition: RouteCondition = RouteCondition(), answer: ReplayResponse?,
    end: ResponseEnd? = nil, goto: String? = nil, fault: ReplayFault? = nil
  ) {
    self.init(id, when: condition, response: answer, end: end, goto: goto, fault: fault)
  }

  /// What the route sends.
  @available(*, deprecated, renamed: "response")
  public var answer: ReplayResponse? {
    get { response }
    set { response = newValue }
  }
}

extension ReplayServer {
  /// Assigns a port to exactly one destination.
  ///
  /// - Throws: ``ReplayError``, as ``assignPort(for:host:port:)``.
  @available(*, deprecated, renamed: "assignPort(for:host:port:)")
  public func place(
    _ listener: ReplayListener, host: String, port: UInt16
  ) throws(ReplayError) -> UInt16 {
    try assignPort(for: listener, host: host, port: port)
  }
}
