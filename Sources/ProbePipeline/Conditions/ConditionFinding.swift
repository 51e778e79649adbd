import PortalAnalysis
import ProbeCore

/// What came of one probe, as the rules of `classify` see it.
struct ProbeExchange: Sendable {
  /// The URL that was asked first, before any redirect.
  let url: ProbeURL
  /// The answer, or why none came.
  let ending: Result<ProbeResponse, ProbeFailure>

  /// What came of a probe.
  init(asked url: ProbeURL, _ ending: Result<ProbeResponse, ProbeFailure>) {
    self.url = url
    self.ending = ending
  }

  /// The answer, or what has come of it; nil when nothing has.
  var partial: ProbeResponse? {
    switch ending {
    case .success(let answer): answer
    case .failure(let failure): failure.partial
    }
  }

  /// The redirects that came, followed or not.
  var redirects: [RedirectHop] { partial?.redirects ?? [] }
}

/// What a condition found in an exchange: whether it holds, and what its validators said.
struct ConditionFinding {
  /// Whether the condition holds.
  var truth: Truth
  /// Why a validator rejected the answer, of the part of the condition that decided.
  var rejection: Validation.Rejection?
  /// What the patterns of validators that accepted the answer matched, by name.
  var captures: [String: String] = [:]
}

extension ConditionFinding {
  /// What a validator found.
  fileprivate init(_ validation: Validation) {
    guard let rejection = validation.rejection else {
      self.init(truth: .yes, captures: validation.captures)
      return
    }
    self.init(truth: rejection.isUndecided ? .unknown : .no, rejection: rejection)
  }
}

extension ProbeCondition {
  /// Asks the condition of an exchange.
  ///
  /// - Parameters:
  ///   - exchange: What came of the probe.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  /// - Returns: Whether it holds, and what its validators said.
  func finding(
    in exchange: ProbeExchange, encryption: (URLScheme) -> Encryption?
  ) -> ConditionFinding {
    switch self {
    case .validator(let validator):
      guard case .success(let answer) = exchange.ending else { return ConditionFinding(truth: .unknown) }
      return ConditionFinding(validator.validate(answer))
    case .partial(let validator):
      guard let partial = exchange.partial else { return ConditionFinding(truth: .unknown) }
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
  /// Whether a redirect is of this kind.
  fileprivate func includes(
    _ hop: RedirectHop, from url: ProbeURL, encryption: (URLScheme) -> Encryption?
  ) -> Bool {
    switch self {
    case .any: true
    case .invalid: hop.target == nil
    case .offHost: hop.target.map(url.isOffHost) ?? false
    // What is known of no scheme is not known to be encrypted, as under the policy.
    case .downgrade:
      encryption(hop.url.scheme) == .encrypted
        && hop.target.map { encryption($0.scheme) != .encrypted } ?? false
    }
  }
}
