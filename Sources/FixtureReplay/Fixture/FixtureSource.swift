public import ProbePipeline

/// Where what a fixture replays comes from.
public struct FixtureSource: Hashable, Sendable {
  /// How near to the real thing it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Bytes that were received on a real network.
    case captured
    /// Written after the source code or the documentation of the real thing.
    case sourceDerived = "source-derived"
    /// Written after a standard.
    case specification
    /// Made up.
    case synthetic
  }

  /// How near to the real thing it is.
  public var kind: Kind
  /// What it was taken from, such as the name of a standard or of a project.
  public var reference: String
  /// The day it was taken, `YYYY-MM-DD`, or nil.
  public var date: String?

  /// A source.
  public init(kind: Kind, reference: String, date: String? = nil) {
    self.kind = kind
    self.reference = reference
    self.date = date
  }
}

/// What a check of a fixture should find.
public struct FixtureExpectation: Hashable, Sendable {
  /// The verdicts that are right; at least one.
  public var verdicts: [Verdict]
  /// Where to log in, or nil when that is not said.
  public var loginURL: String?

  /// An expectation.
  public init(_ verdicts: [Verdict], loginURL: String? = nil) {
    self.verdicts = verdicts
    self.loginURL = loginURL
  }
}
