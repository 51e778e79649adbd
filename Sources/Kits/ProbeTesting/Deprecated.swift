public import ProbeCore

// Names of version 0.2, for one version: docs/migration.md lists them.

extension TransportScenario {
  /// A response with this content.
  @available(*, deprecated, renamed: "responds(_:with:)")
  public static func answers(_ request: ProbeRequest, with content: [UInt8]) -> TransportScenario {
    responds(request, with: content)
  }

  /// A response with this text as its content.
  @available(*, deprecated, renamed: "responds(_:with:)")
  public static func answers(_ request: ProbeRequest, with text: String) -> TransportScenario {
    responds(request, with: text)
  }

  /// No response: the server accepts the request and sends nothing.
  @available(*, deprecated, renamed: "neverResponds(_:)")
  public static func neverAnswers(_ request: ProbeRequest) -> TransportScenario { neverResponds(request) }
}

extension ConformanceRule {
  /// A response has the content sent.
  @available(*, deprecated, renamed: "transportResponse")
  public static var transportAnswer: ConformanceRule { transportResponse }

  /// A validator asked again says the same.
  @available(*, deprecated, renamed: "validatorSameResult")
  public static var validatorSameAnswer: ConformanceRule { validatorSameResult }
}
