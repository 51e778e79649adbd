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
