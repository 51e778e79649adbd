/// Judges a response: accepted or rejected, and why.
///
/// A validator is pure: it does no I/O and gives the same answer for the same response. One value is used by
/// many probes at the same time.
public protocol ResponseValidator: Sendable {
  /// Judges a response.
  func validate(_ response: ProbeResponse) -> Validation

  /// Whether this validator judges the status code itself.
  ///
  /// With one that does not, an HTTP answer must also have a 2xx status to be accepted, so that an error page
  /// with the right words in it does not pass (see ``SuccessfulStatus``). False unless defined otherwise.
  var judgesStatus: Bool { get }

  /// Whether this validator judges what was answered, rather than the connection it came over, such as its
  /// certificates and times. True unless defined otherwise.
  ///
  /// One that judges the connection alone does not say what the true answer is, and nothing need be received for it.
  var judgesContent: Bool { get }

  /// Whether this validator judges what only HTTP answers have, a status or header fields. False unless defined otherwise.
  ///
  /// A pipeline with such a validator for another kind of URL is refused.
  var judgesHTTP: Bool { get }

  /// What this validator has to say of a probe that failed, from what was learnt before. Nothing, unless defined
  /// otherwise.
  ///
  /// The probe keeps the reason it failed for; this is told beside it.
  func findings(in failure: ProbeFailure) -> [Validation.Rejection]
}

extension ResponseValidator {
  /// Validators judge other things than the status unless they say so.
  public var judgesStatus: Bool { false }
  /// Validators judge the answer unless they say otherwise.
  public var judgesContent: Bool { true }
  /// Validators judge what every answer has unless they say otherwise.
  public var judgesHTTP: Bool { false }
  /// Validators have nothing to say of a failure unless they do.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] { [] }
}

/// A validator that a pipeline file can name.
public protocol ConfigurableValidator: ResponseValidator {
  /// What the file says of it, decoded by the file's own decoder.
  associatedtype Options: Codable & Sendable
  /// The key that names it in a file, such as `contains`.
  static var name: String { get }
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
  /// No examples; the conformance test asks for at least one.
  public static var examples: [ValidatorExample<Options>] { [] }
}

/// A validator made of a closure.
public struct ClosureValidator: ResponseValidator {
  /// Whether the closure judges the status code itself; see ``ResponseValidator/judgesStatus``.
  public let judgesStatus: Bool
  private let judge: @Sendable (ProbeResponse) -> Validation

  /// A validator that asks the closure.
  public init(judgesStatus: Bool = false, _ judge: @escaping @Sendable (ProbeResponse) -> Validation) {
    self.judgesStatus = judgesStatus
    self.judge = judge
  }

  /// Asks the closure.
  public func validate(_ response: ProbeResponse) -> Validation {
    judge(response)
  }
}
