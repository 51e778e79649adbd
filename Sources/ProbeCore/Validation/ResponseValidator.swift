/// Judges a response: accepted or rejected, and why.
///
/// A validator is pure: it does no I/O and gives the same answer for the same response. One value is used by
/// many probes at the same time.
public protocol ResponseValidator: Sendable {
  /// Judges a response.
  func validate(_ response: ProbeResponse) -> Validation

  /// The parts of an answer that this validator judges: its content unless defined otherwise.
  var judges: AnswerParts { get }

  /// What this validator has to say of a probe that failed, from what was learnt before. Nothing, unless defined
  /// otherwise.
  ///
  /// The probe keeps the reason it failed for; this is told beside it.
  func findings(in failure: ProbeFailure) -> [Validation.Rejection]
}

extension ResponseValidator {
  /// Validators judge what every answer has unless they say otherwise.
  public var judges: AnswerParts { .content }
  /// Validators have nothing to say of a failure unless they do.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] { [] }
}

/// The parts of an answer that a validator judges.
public struct AnswerParts: OptionSet, Hashable, Sendable {
  /// One bit for each part.
  public let rawValue: UInt8

  /// Parts from their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The status code.
  ///
  /// With a validator that does not judge it, an HTTP answer must also have a 2xx status to be accepted, so that an
  /// error page with the right words in it does not pass (see ``SuccessfulStatus``).
  public static let status = AnswerParts(rawValue: 1 << 0)
  /// What was answered, rather than the connection it came over, such as its certificates and times.
  ///
  /// A validator that judges the connection alone does not say what the true answer is, and nothing need be received
  /// for it.
  public static let content = AnswerParts(rawValue: 1 << 1)
  /// What only HTTP answers have, a status or header fields.
  ///
  /// A pipeline with such a validator for another kind of URL is refused.
  public static let http = AnswerParts(rawValue: 1 << 2)
}

extension Sequence<any ResponseValidator> {
  /// The parts that at least one of them judges.
  var judges: AnswerParts { reduce(into: []) { $0.formUnion($1.judges) } }
}

/// A validator that a pipeline file can name.
public protocol ConfigurableValidator: ResponseValidator {
  /// What the file says of it, decoded by the file's own decoder.
  associatedtype Options: Codable & Sendable
  /// The key that names it in a file, such as `contains`.
  static var name: String { get }
  /// What it accepts, such as `a body that contains the text`, for the reference; nil unless defined.
  static var summary: String? { get }
  /// A validator with these options.
  ///
  /// - Throws: ``InvalidInput`` for options that cannot be used.
  init(options: Options) throws
  /// Options with a response they accept and one they reject; none, unless defined.
  ///
  /// They are what its conformance test (`ValidatorConformance` of ProbeTesting) goes by.
  static var examples: [ValidatorExample<Options>] { get }
}

extension ConfigurableValidator {
  /// No summary.
  public static var summary: String? { nil }
  /// No examples; the conformance test asks for at least one.
  public static var examples: [ValidatorExample<Options>] { [] }
}

/// A validator made of a closure.
public struct ClosureValidator: ResponseValidator {
  /// The parts of an answer that the closure judges.
  public let judges: AnswerParts
  private let judge: @Sendable (ProbeResponse) -> Validation

  /// A validator that asks the closure.
  public init(
    judges: AnswerParts = .content, _ judge: @escaping @Sendable (ProbeResponse) -> Validation
  ) {
    self.judges = judges
    self.judge = judge
  }

  /// Asks the closure.
  public func validate(_ response: ProbeResponse) -> Validation {
    judge(response)
  }
}
