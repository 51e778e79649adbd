import ProbeCore

/// A judge that many URLs share, together with properties that are computed only once.
struct SharedJudge {
  /// The judge, or nil for the default.
  let judge: ProbeJudge?
  /// The parts of a response that it judges.
  let judges: ResponseParts
  /// Decides when enough data was received, or nil if none is needed.
  let expectation: (any ResponseValidator)?
  private var first: PlannedProbe?
  /// The key for it in a pipeline file.
  var field: String { if case .rules? = judge { "classify" } else { "validate" } }

  init(_ judge: ProbeJudge?) {
    self.judge = judge
    judges = judge?.judges ?? []
    switch judge {
    // Judging the connection needs no data.
    case .validator(let validator)?: expectation = validator.judges.contains(.content) ? validator : nil
    case .rules(let rules)?: expectation = rules.expectation
    case nil: expectation = nil
    }
  }

  /// Creates a probe; those after the first share its judge.
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
  /// The parts of a response that it judges.
  fileprivate var judges: ResponseParts {
    switch self {
    case .validator(let validator): validator.judges
    case .rules(let rules): rules.reduce(into: []) { $0.formUnion($1.condition.judges) }
    }
  }
}

extension [ClassifyRule] {
  /// Accepts data once any validator in the rules accepts it.
  fileprivate var expectation: (any ResponseValidator)? {
    let validators = flatMap(\.condition.validators).filter { $0.judges.contains(.content) }
    return validators.isEmpty ? nil : AnyOf(validators)
  }
}

extension ProbeCondition {
  /// The parts of a response that it judges.
  var judges: ResponseParts {
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
