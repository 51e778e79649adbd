import ProbeCore

/// A judge that many URLs share, with what is asked of it for each of them, found out once.
struct SharedJudge {
  /// The judge, or nil for what holds without one.
  let judge: ProbeJudge?
  /// The parts of an answer that it judges.
  let judges: AnswerParts
  /// What tells that enough was received, or nil when nothing need be.
  let expectation: (any ResponseValidator)?
  private var first: PlannedProbe?
  /// The key of a pipeline file that it is written by.
  var field: String { if case .rules? = judge { "classify" } else { "validate" } }

  /// A judge.
  init(_ judge: ProbeJudge?) {
    self.judge = judge
    judges = judge?.judges ?? []
    switch judge {
    // Nothing need be received to judge the connection.
    case .validator(let validator)?: expectation = validator.judges.contains(.content) ? validator : nil
    case .rules(let rules)?: expectation = rules.expectation
    case nil: expectation = nil
    }
  }

  /// A probe that is judged so.
  mutating func probe(url: String, request: ProbeRequest) -> PlannedProbe {
    if let first { return PlannedProbe(url: url, request: request, judgedAs: first) }
    let probe =
      switch judge {
      case nil: PlannedProbe(url: url, request: request)
      case .validator(let validator)?: PlannedProbe(url: url, request: request, validator: validator)
      case .rules(let rules)?: PlannedProbe(url: url, request: request, classify: rules)
      }
    first = probe
    return probe
  }
}

extension ProbeJudge {
  /// The parts of an answer that it judges.
  fileprivate var judges: AnswerParts {
    switch self {
    case .validator(let validator): validator.judges
    case .rules(let rules): rules.reduce(into: []) { $0.formUnion($1.condition.judges) }
    }
  }
}

extension [ClassifyRule] {
  /// What tells that enough was received: that one of the validators in the rules accepts it.
  fileprivate var expectation: (any ResponseValidator)? {
    let validators = flatMap(\.condition.validators).filter { $0.judges.contains(.content) }
    return validators.isEmpty ? nil : AnyOf(validators)
  }
}

extension ProbeCondition {
  fileprivate var judges: AnswerParts {
    switch self {
    case .validator(let validator), .partial(let validator): validator.judges
    case .reason: []
    case .redirect: .http
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.judges) }
    case .not(let part): part.judges
    }
  }

  fileprivate var validators: [any ResponseValidator] {
    switch self {
    case .validator(let validator), .partial(let validator): [validator]
    case .reason, .redirect: []
    case .all(let parts), .any(let parts): parts.flatMap(\.validators)
    case .not(let part): part.validators
    }
  }
}
