public import ProbeCore

/// What may be asked of what came of one probe, in a `classify` rule of a pipeline.
public indirect enum ProbeCondition: Sendable {
  /// A validator accepts the answer; of a probe without an answer it says nothing, and neither does its negation.
  case validator(any ResponseValidator)
  /// A validator accepts what has come of an answer: the whole answer or, of a probe that failed, what was learnt before,
  /// such as its head, or the address of a connection that never stood.
  case partial(any ResponseValidator)
  /// The probe failed, for such a reason.
  case reason(ReasonPattern)
  /// The answer came with such a redirect.
  case redirect(RedirectKind)
  /// Every one of these holds.
  case all([ProbeCondition])
  /// At least one of these holds.
  case any([ProbeCondition])
  /// This one does not hold.
  case not(ProbeCondition)
}

/// A kind of redirect that a condition asks for.
public enum RedirectKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// Any redirect.
  case any
  /// One to another host: neither the same, nor the same with or without `www.`, nor a subdomain of it.
  case offHost
  /// One from an encrypted exchange to one that is not.
  case downgrade
  /// One without a target that can be asked: no Location field, or one that is no URL.
  case invalid
}

/// A rule that says what became of a probe.
public struct ClassifyRule: Sendable {
  /// When it applies.
  public var condition: ProbeCondition
  /// What became of the probe then.
  public var outcome: Outcome
  /// The reason of a probe that is not accepted then, or nil for what the condition or the failure gives.
  public var reason: ReasonCode?

  /// A rule.
  public init(when condition: ProbeCondition, _ outcome: Outcome, reason: ReasonCode? = nil) {
    self.condition = condition
    self.outcome = outcome
    self.reason = reason
  }
}

/// How what comes of a probe is judged.
public enum ProbeJudge: Sendable {
  /// A validator accepts the answer or rejects it, and how the answer travelled says whether somebody else gave it.
  case validator(any ResponseValidator)
  /// The first rule that applies; a probe to which none applies has failed.
  case rules([ClassifyRule])
}
