/// Judges a response: accepts it, or rejects it with a reason.
///
/// A validator is pure: it does no I/O and returns the same result for the same response. Many probes use one
/// validator concurrently.
public protocol ResponseValidator: Sendable {
  /// Judges a response.
  func validate(_ response: ProbeResponse) -> Validation

  /// The parts of a response that this validator judges; by default, its content.
  var judges: ResponseParts { get }

  /// The validator's findings in a failed probe, from what was received before it failed; by default, none.
  ///
  /// The probe keeps its own failure reason; the findings are reported in addition.
  func findings(in failure: ProbeFailure) -> [Validation.Rejection]
}

extension ResponseValidator {
  /// By default, the content, which every response has.
  public var judges: ResponseParts { .content }
  /// By default, no findings.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] { [] }
}

/// The parts of a response that a validator judges.
public struct ResponseParts: OptionSet, Hashable, Sendable {
  /// One bit for each part.
  public let rawValue: UInt8

  /// Creates a set of parts from its raw value.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The status code.
  ///
  /// If the validator does not judge the status, an HTTP response must also have a 2xx status to be accepted,
  /// so that an error page that contains the expected text does not pass; over HTTPS, a validator that judges
  /// only the connection is an exception (see ``SuccessfulStatus``).
  public static let status = ResponseParts(rawValue: 1 << 0)
  /// The content of the response, as opposed to its connection, with its certificates and timings.
  ///
  /// A validator that judges only the connection does not determine what the genuine response is, and needs
  /// no content.
  public static let content = ResponseParts(rawValue: 1 << 1)
  /// Parts that only HTTP responses have: a status or header fields.
  ///
  /// A pipeline that uses such a validator with another kind of URL is refused.
  public static let http = ResponseParts(rawValue: 1 << 2)
  /// Parts that only DNS responses have: a response code and records.
  ///
  /// If the validator does not judge them, a DNS response must also have the code NOERROR and a record in its
  /// answer section to be accepted. A pipeline that uses such a validator with another kind of URL is
  /// refused.
  public static let dns = ResponseParts(rawValue: 1 << 3)
  /// Parts that only responses to echo requests have: their numbers.
  ///
  /// A pipeline that uses such a validator with another kind of URL is refused.
  public static let ping = ResponseParts(rawValue: 1 << 4)
  /// What a program finds in the response: a ``ProgramValidator`` judges it, alone or among others.
  package static let program = ResponseParts(rawValue: 1 << 5)
}

extension Sequence<any ResponseValidator> {
  /// The parts that at least one of the validators judges.
  var judges: ResponseParts { reduce(into: []) { $0.formUnion($1.judges) } }
}

/// A validator that a pipeline file can name.
public protocol ConfigurableValidator: ResponseValidator {
  /// The options in the file, decoded with the file's decoder.
  associatedtype Options: Codable & Sendable
  /// The key for this validator in a file, such as `contains`.
  static var name: String { get }
  /// What it accepts, such as `a body that contains the text`, for the reference; nil unless defined.
  static var summary: String? { get }
  /// Creates a validator with these options.
  ///
  /// - Throws: ``InvalidInput`` if the options are not valid.
  init(options: Options) throws
  /// Examples of options, each with a response they accept and one they reject; by default, none.
  ///
  /// The conformance test (`ValidatorConformance` in ProbeTesting) uses them.
  static var examples: [ValidatorExample<Options>] { get }
}

extension ConfigurableValidator {
  /// By default, no summary.
  public static var summary: String? { nil }
  /// By default, no examples; the conformance test requires at least one.
  public static var examples: [ValidatorExample<Options>] { [] }
}

/// A validator that runs a closure.
public struct ClosureValidator: ResponseValidator {
  /// The parts of a response that the closure judges.
  public let judges: ResponseParts
  private let judge: @Sendable (ProbeResponse) -> Validation

  /// Creates a validator from a closure.
  public init(
    judges: ResponseParts = .content, _ judge: @escaping @Sendable (ProbeResponse) -> Validation
  ) {
    self.judges = judges
    self.judge = judge
  }

  /// Returns the result of the closure.
  public func validate(_ response: ProbeResponse) -> Validation {
    judge(response)
  }
}

/// Options of a validator with a response they accept and one they reject.
///
/// Examples serve as documentation, and the conformance test runs them.
public struct ValidatorExample<Options: Codable & Sendable>: Sendable {
  /// The options of the validator.
  public var options: Options
  /// A response that a validator with these options accepts.
  public var accepts: ProbeResponse
  /// A response that a validator with these options rejects.
  public var rejects: ProbeResponse

  /// Creates an example.
  public init(_ options: Options, accepts: ProbeResponse, rejects: ProbeResponse) {
    self.options = options
    self.accepts = accepts
    self.rejects = rejects
  }

  /// Creates an example about the body alone, of a response with status 200.
  public init(_ options: Options, accepts body: String, rejects other: String) {
    self.init(options, accepts: .example(body: body), rejects: .example(body: other))
  }
}

extension ProbeResponse {
  /// An HTTP response from `https://probe.example/`, for examples and tests; add to it as needed.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - fields: The header fields.
  ///   - body: The body.
  /// - Returns: The response, without an address, timings or a TLS session.
  public static func example(
    status: Int = 200, fields: HeaderFields = [:], body: String = ""
  ) -> ProbeResponse {
    ProbeResponse(
      url: .example, head: HTTPResponseHead(status: status, fields: fields), body: Array(body.utf8))
  }
}

extension ProbeURL {
  /// A URL with a reserved host name (RFC 2606 §2).
  static let example = ProbeURL(
    scheme: .https, host: "probe.example", explicitPort: nil, path: "/", query: nil, fragment: nil)
}

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
