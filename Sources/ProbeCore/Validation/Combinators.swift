/// Accepts a response when every one of its validators does.
public struct AllOf: ResponseValidator {
  private let validators: [any ResponseValidator]

  /// All of these must accept; without any, everything is accepted.
  public init(_ validators: [any ResponseValidator]) {
    self.validators = validators
  }

  /// The parts that at least one of them judges.
  public var judges: AnswerParts { validators.judges }

  /// What they have to say of a failure, in order.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    validators.flatMap { $0.findings(in: failure) }
  }

  /// Asks them in order; the first rejection is the answer.
  public func validate(_ response: ProbeResponse) -> Validation {
    var captures: [String: String] = [:]
    for validator in validators {
      let validation = validator.validate(response)
      guard validation.isAccepted else { return validation }
      captures.merge(validation.captures) { first, _ in first }
    }
    return .accepted(captures: captures)
  }
}

/// Accepts a response when at least one of its validators does.
///
/// When one of them judges the status, the 2xx status that is asked for otherwise is asked for by none: an answer with
/// status 404 can be accepted for its body by the others. To want both, nest an ``AllOf`` with a status.
public struct AnyOf: ResponseValidator {
  private let validators: [any ResponseValidator]

  /// One of these must accept; without any, everything is rejected.
  public init(_ validators: [any ResponseValidator]) {
    self.validators = validators
  }

  /// The parts that at least one of them judges.
  public var judges: AnswerParts { validators.judges }

  /// What they have to say of a failure, in order.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    validators.flatMap { $0.findings(in: failure) }
  }

  /// Asks them in order; the first acceptance is the answer.
  public func validate(_ response: ProbeResponse) -> Validation {
    var rejections: [Validation.Rejection] = []
    for validator in validators {
      let validation = validator.validate(response)
      guard let rejection = validation.rejection else { return validation }
      rejections.append(rejection)
    }
    // One that could not judge might have accepted, and a negation around this one must know that.
    guard let first = rejections.first(where: \.isUndecided) ?? rejections.first else {
      return .rejected(expected: "one of no alternatives", found: "nothing that could match")
    }
    let expected = rejections.map(\.expected).joined(separator: ", or ")
    return .rejected(first.reason, expected: expected, found: first.found, offset: first.offset)
  }
}

/// Accepts a response when its validator rejects it for what the response is.
///
/// A validator that could not judge, because a pattern ran into its limits or the body was cut too early, is not
/// turned into an acceptance.
public struct Not: ResponseValidator {
  private let validator: any ResponseValidator

  /// What this validator accepts is rejected, and the other way round.
  public init(_ validator: any ResponseValidator) {
    self.validator = validator
  }

  /// The parts that the validator judges.
  public var judges: AnswerParts { validator.judges }

  /// Asks the validator and turns its answer round.
  public func validate(_ response: ProbeResponse) -> Validation {
    let validation = validator.validate(response)
    guard let rejection = validation.rejection else {
      return .rejected(
        expected: "a response that the negated validator rejects", found: "one that it accepts")
    }
    return rejection.isUndecided ? validation : .accepted
  }
}

extension Validation.Rejection {
  /// Whether the validator could not judge, rather than found something it does not accept.
  package var isUndecided: Bool { reason.traits.contains(.undecided) }
}
