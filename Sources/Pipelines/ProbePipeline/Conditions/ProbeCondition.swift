public import ProbeCore

/// A condition on the outcome of one probe, in a `classify` rule of a pipeline.
public indirect enum ProbeCondition: Sendable {
  /// A validator accepts the response.
  ///
  /// Without a response, neither this condition nor its negation holds.
  case validator(any ResponseValidator)
  /// A validator accepts the response, complete or partial.
  ///
  /// For a failed probe, it judges what was learned before the failure, such as the head, or the address of a
  /// connection that was never established.
  case partial(any ResponseValidator)
  /// The probe failed for a matching reason.
  case reason(ReasonPattern)
  /// A redirect of this kind was received.
  case redirect(RedirectKind)
  /// All of these conditions hold.
  case all([ProbeCondition])
  /// At least one of these conditions holds.
  case any([ProbeCondition])
  /// This condition does not hold.
  case not(ProbeCondition)
}

/// A kind of redirect in a condition.
public enum RedirectKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// Any redirect.
  case any
  /// A redirect to another host: not the same, not the same with or without `www.`, and not a subdomain.
  case offHost
  /// A redirect from an encrypted exchange to an unencrypted one.
  case downgrade
  /// A redirect without a usable target: no Location field, or one that is not a URL.
  case invalid
}

/// A rule that determines the outcome of a probe.
public struct ClassifyRule: Sendable {
  /// The condition under which it applies.
  public var condition: ProbeCondition
  /// The outcome if it applies.
  public var outcome: Outcome
  /// The reason for an outcome other than accepted, or nil for the reason from the condition or the failure.
  public var reason: ReasonCode?

  /// Creates a rule.
  public init(when condition: ProbeCondition, _ outcome: Outcome, reason: ReasonCode? = nil) {
    self.condition = condition
    self.outcome = outcome
    self.reason = reason
  }
}

/// How the outcome of a probe is determined.
public enum ProbeJudge: Sendable {
  /// A validator accepts or rejects the response; whether a third party sent it follows from how it was
  /// received.
  case validator(any ResponseValidator)
  /// The first rule that applies determines the outcome; if none applies, the probe failed.
  case rules([ClassifyRule])
}
