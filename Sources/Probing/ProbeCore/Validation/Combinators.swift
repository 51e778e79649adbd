/// Accepts a response if all of its validators accept it.
public struct AllOf: ResponseValidator {
  private let validators: [any ResponseValidator]

  /// Creates a validator that requires all of these; with an empty list, it accepts everything.
  public init(_ validators: [any ResponseValidator]) {
    self.validators = validators
  }

  /// The parts that at least one of the validators judges.
  public var judges: ResponseParts { validators.judges }

  /// The findings of all validators in a failure, in order.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    validators.flatMap { $0.findings(in: failure) }
  }

  /// Runs the validators in order, and returns the first rejection.
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

/// Accepts a response if at least one of its validators accepts it.
///
/// If one of them judges the status, none of them requires the default 2xx status: the others can accept a
/// response with status 404 for its body. To require both, nest an ``AllOf`` with a status validator.
public struct AnyOf: ResponseValidator {
  private let validators: [any ResponseValidator]

  /// Creates a validator that requires one of these; with an empty list, it rejects everything.
  public init(_ validators: [any ResponseValidator]) {
    self.validators = validators
  }

  /// The parts that at least one of the validators judges.
  public var judges: ResponseParts { validators.judges }

  /// The findings of all validators in a failure, in order.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    validators.flatMap { $0.findings(in: failure) }
  }

  /// Runs the validators in order, and returns the first acceptance.
  public func validate(_ response: ProbeResponse) -> Validation {
    var rejections: [Validation.Rejection] = []
    for validator in validators {
      let validation = validator.validate(response)
      guard let rejection = validation.rejection else { return validation }
      rejections.append(rejection)
    }
    // An undecided validator might have accepted, so an enclosing negation must see that rejection.
    guard let first = rejections.first(where: \.isUndecided) ?? rejections.first else {
      return .rejected(expected: "one of no alternatives", found: "nothing that could match")
    }
    let expected = rejections.map(\.expected).joined(separator: ", or ")
    return .rejected(first.reason, expected: expected, found: first.found, offset: first.offset)
  }
}

/// Accepts a response if its validator rejects it for its content.
///
/// If the validator could not judge, because a pattern reached its limits or the body was cut too early, the
/// rejection stays a rejection.
public struct Not: ResponseValidator {
  private let validator: any ResponseValidator

  /// Creates a validator that inverts this one.
  public init(_ validator: any ResponseValidator) {
    self.validator = validator
  }

  /// The parts that the validator judges.
  public var judges: ResponseParts { validator.judges }

  /// Runs the validator and inverts its result.
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
  /// Whether the validator could not judge, rather than finding something that it does not accept.
  package var isUndecided: Bool { reason.traits.contains(.undecided) }
}
