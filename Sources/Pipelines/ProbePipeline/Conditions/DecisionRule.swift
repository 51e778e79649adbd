public import PortalAnalysis
public import ProbeCore

/// A rule that determines the verdict of a run.
public struct DecisionRule: Hashable, Sendable {
  /// The condition under which it applies.
  public var condition: DecisionCondition
  /// The verdict if it applies.
  public var verdict: Verdict
  /// The sources of a captive portal's login URL, of which the first available one is used.
  ///
  /// If this is empty and ``opens`` is nil, the most credible URL found anywhere is used.
  public var loginURL: [LoginURLSource]
  /// The login URL if no source has one, or nil: the http or https URL that an engine opens in every network with a
  /// captive portal, which intercepts the request for it too.
  public var opens: ProbeURL?

  /// Creates a rule.
  public init(when condition: DecisionCondition, _ verdict: Verdict, loginURL: [LoginURLSource] = []) {
    self.condition = condition
    self.verdict = verdict
    self.loginURL = loginURL
  }

  /// Whether it determines the login URL itself.
  var determinesLoginURL: Bool { !loginURL.isEmpty || opens != nil }
}

/// A condition on the sets of a run, in a `decide` rule of a pipeline.
public indirect enum DecisionCondition: Hashable, Sendable {
  /// Whether the set with this name is met; a set that was not needed is not met.
  case met(set: String, Bool)
  /// This many probes of the set had this outcome.
  case outcome(set: String, Outcome, OutcomeCount)
  /// A probe of the set failed for a matching reason.
  case reason(set: String, ReasonPattern)
  /// The response of the captive-portal API (RFC 8908).
  case capport(CapportState)
  /// Whether that API named a login page (`user-portal-url`).
  case userPortalURL(Bool)
  /// All of these conditions hold.
  case all([DecisionCondition])
  /// At least one of these conditions holds.
  case any([DecisionCondition])
  /// This condition does not hold.
  case not(DecisionCondition)
}

/// The number of probes of a set that must have an outcome.
public enum OutcomeCount: Hashable, Sendable {
  /// At least one.
  case any
  /// All of them.
  case all
  /// At least this many.
  case atLeast(Int)
}

/// The response of a captive-portal API (RFC 8908 §5).
public enum CapportState: String, Hashable, Sendable, CaseIterable, Codable {
  /// This client must log in.
  case captive
  /// This client has access.
  case open
  /// No usable response.
  case unavailable
}
