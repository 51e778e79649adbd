public import PortalAnalysis
public import ProbeCore

/// A rule that says what a run's verdict is.
public struct DecisionRule: Hashable, Sendable {
  /// When it applies.
  public var condition: DecisionCondition
  /// What the verdict is then.
  public var verdict: Verdict
  /// Where the login URL of a captive portal is taken from, of which the first that there is counts; empty for the most
  /// credible one of all that was seen.
  public var loginURL: [LoginURLSource]

  /// A rule.
  public init(when condition: DecisionCondition, _ verdict: Verdict, loginURL: [LoginURLSource] = []) {
    self.condition = condition
    self.verdict = verdict
    self.loginURL = loginURL
  }
}

/// What may be asked of the sets of a run, in a `decide` rule of a pipeline.
public indirect enum DecisionCondition: Hashable, Sendable {
  /// The set with this name is met, or is not; one that was not needed is not.
  case met(set: String, Bool)
  /// So many probes of the set had this outcome.
  case outcome(set: String, Outcome, OutcomeCount)
  /// A probe of the set had such a reason.
  case reason(set: String, ReasonPattern)
  /// What the API of RFC 8908 said.
  case capport(CapportState)
  /// It named a page to log in at (`user-portal-url`), or it did not.
  case userPortalURL(Bool)
  /// Every one of these holds.
  case all([DecisionCondition])
  /// At least one of these holds.
  case any([DecisionCondition])
  /// This one does not hold.
  case not(DecisionCondition)
}

/// How many probes of a set must have an outcome.
public enum OutcomeCount: Hashable, Sendable {
  /// At least one.
  case any
  /// Every one.
  case all
  /// At least so many.
  case atLeast(Int)
}

/// What the API of a captive portal (RFC 8908 §5) said.
public enum CapportState: String, Hashable, Sendable, CaseIterable, Codable {
  /// This client has to log in.
  case captive
  /// This client is let through.
  case open
  /// Nothing that can be used.
  case unavailable
}
