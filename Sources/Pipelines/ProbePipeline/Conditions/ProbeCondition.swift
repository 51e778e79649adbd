internal import PortalAnalysis
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

/// The outcome of one probe, as the rules of `classify` see it.
struct ProbeExchange: Sendable {
  /// The requested URL, before any redirect.
  let url: ProbeURL
  let ending: Result<ProbeResponse, ProbeFailure>

  init(requested url: ProbeURL, _ ending: Result<ProbeResponse, ProbeFailure>) {
    self.url = url
    self.ending = ending
  }

  /// The response, complete or partial; nil if nothing was received.
  var partial: ProbeResponse? {
    switch ending {
    case .success(let response): response
    case .failure(let failure): failure.partial
    }
  }

  /// The redirects received, whether followed or not.
  var redirects: [RedirectHop] { partial?.redirects ?? [] }
}

/// The result of a condition: whether it holds, and the results of its validators.
struct ConditionFinding {
  /// Whether the condition holds.
  var truth: Truth
  /// The validator's rejection of the response, from the part of the condition that decided.
  var rejection: Validation.Rejection?
  /// The text matched by the patterns of accepting validators, by name.
  var captures: [String: String] = [:]
}

extension ConditionFinding {
  fileprivate init(_ validation: Validation) {
    guard let rejection = validation.rejection else {
      self.init(truth: .yes, captures: validation.captures)
      return
    }
    self.init(truth: rejection.isUndecided ? .unknown : .no, rejection: rejection)
  }
}

extension ProbeCondition {
  /// Evaluates the condition for an exchange.
  ///
  /// - Parameters:
  ///   - exchange: The outcome of the probe.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  /// - Returns: Whether the condition holds, and the results of its validators.
  func finding(
    in exchange: ProbeExchange, encryption: (URLScheme) -> Encryption?
  ) -> ConditionFinding {
    switch self {
    case .validator(let validator):
      guard case .success(let response) = exchange.ending else { return ConditionFinding(truth: .unknown) }
      return ConditionFinding(validator.validate(response))
    case .partial(let validator):
      guard var partial = exchange.partial else { return ConditionFinding(truth: .unknown) }
      // More of the body may have followed.
      if case .failure = exchange.ending { partial.bodyIsCut = true }
      return ConditionFinding(validator.validate(partial))
    case .reason(let pattern):
      guard case .failure(let failure) = exchange.ending else { return ConditionFinding(truth: .no) }
      return ConditionFinding(truth: Truth(pattern.matches(failure.reason)))
    case .redirect(let kind):
      let isSeen = exchange.redirects.contains {
        kind.includes($0, from: exchange.url, encryption: encryption)
      }
      return ConditionFinding(truth: Truth(isSeen))
    case .all(let conditions):
      var all = ConditionFinding(truth: .yes)
      for condition in conditions {
        let finding = condition.finding(in: exchange, encryption: encryption)
        if finding.truth == .no { return finding }
        if finding.truth == .unknown, all.truth == .yes { all = ConditionFinding(truth: .unknown) }
        all.rejection = all.rejection ?? finding.rejection
        all.captures.merge(finding.captures) { first, _ in first }
      }
      return all
    case .any(let conditions):
      var any = ConditionFinding(truth: .no)
      for condition in conditions {
        let finding = condition.finding(in: exchange, encryption: encryption)
        if finding.truth == .yes { return finding }
        if finding.truth == .unknown, any.truth == .no { any = ConditionFinding(truth: .unknown) }
        any.rejection = any.rejection ?? finding.rejection
      }
      return any
    case .not(let condition):
      let finding = condition.finding(in: exchange, encryption: encryption)
      return ConditionFinding(truth: !finding.truth, rejection: finding.rejection)
    }
  }
}

extension RedirectKind {
  fileprivate func includes(
    _ hop: RedirectHop, from url: ProbeURL, encryption: (URLScheme) -> Encryption?
  ) -> Bool {
    switch self {
    case .any: true
    case .invalid: hop.target == nil
    case .offHost: hop.target.map(url.isOffHost) ?? false
    // An unknown scheme counts as unencrypted, as under the policy.
    case .downgrade:
      encryption(hop.url.scheme) == .encrypted
        && hop.target.map { encryption($0.scheme) != .encrypted } ?? false
    }
  }
}
