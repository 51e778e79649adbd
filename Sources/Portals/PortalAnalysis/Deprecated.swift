// Names of version 0.2, for one version: docs/migration.md lists them.

/// The analysis of a response, by its name in version 0.2.
@available(*, deprecated, renamed: "ResponseAnalysis")
public typealias AnswerAnalysis = ResponseAnalysis

/// The kind of a response, by its name in version 0.2.
@available(*, deprecated, renamed: "ResponseKind")
public typealias AnswerKind = ResponseKind

/// A sign in a response, by its name in version 0.2.
@available(*, deprecated, renamed: "ResponseSign")
public typealias AnswerSign = ResponseSign

extension ResponseAnalysis {
  /// A portal whose login URL is never opened.
  @available(*, deprecated, renamed: "refusedPortal")
  public var withheld: Portal? {
    get { refusedPortal }
    set { refusedPortal = newValue }
  }
}
