public import ProbeCore

/// Accepts a response that was fast enough; `latency` in a pipeline file.
public struct LatencyValidator: ConfigurableValidator {
  /// The part of a probe whose duration is judged.
  public enum Phase: String, Hashable, Sendable, Codable, CaseIterable, SchemaProviding {
    /// The name lookup.
    case resolve
    /// Establishing the connection.
    case connect
    /// The TLS handshake.
    case tls
    /// The time from the request to the first byte of the response.
    case firstByte
    /// The whole probe.
    case total
  }

  /// The maximum duration: in a file `latency: { below: 800ms, phase: connect }`, or `latency: 800ms` for the
  /// total.
  public struct Options: Hashable, Sendable {
    /// The time, as written, such as `800ms`.
    public var below: String
    /// The phase to judge, or nil for the whole probe.
    public var phase: Phase?

    /// Creates options.
    public init(below: String, phase: Phase? = nil) {
      self.below = below
      self.phase = phase
    }
  }

  /// The key in a pipeline file.
  public static let name = "latency"
  /// A summary of the accepted responses.
  public static let summary: String? = "the response arrives within this time"

  private let limit: Duration
  private let phase: Phase

  /// Creates a validator for a phase that must take less than a limit.
  public init(below limit: Duration, phase: Phase = .total) {
    self.limit = limit
    self.phase = phase
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the text is not a duration, or if it is out of bounds.
  public init(options: Options) throws(InvalidInput) {
    let bounds = Duration.microseconds(100) ... .seconds(3600)
    let limit = try InvalidInput.at(key: "below", ValueSyntax.duration(options.below, in: bounds))
    self.init(below: limit, phase: options.phase ?? .total)
  }

  /// None: it judges the connection.
  public var judges: ResponseParts { [] }

  /// Judges the timings.
  public func validate(_ response: ProbeResponse) -> Validation {
    // A limit that is not a whole number of milliseconds is formatted like a measured time.
    let isWhole = limit.components.attoseconds % 1_000_000_000_000_000 == 0
    let expected = "\(phase.words) in less than \(isWhole ? ValueSyntax.text(of: limit) : limit.formatted)"
    guard let time = phase.time(of: response.timings) else {
      return .rejected(
        .noTiming, expected: expected, found: "no time was measured, because this phase did not take place")
    }
    if time < limit { return .accepted }
    return .rejected(.tooSlow, expected: expected, found: time.formatted)
  }
}

extension LatencyValidator.Phase {
  fileprivate var words: String {
    switch self {
    case .resolve: "the name looked up"
    case .connect: "a connection"
    case .tls: "a TLS handshake"
    case .firstByte: "the first byte of an answer"
    case .total: "an answer"
    }
  }

  fileprivate func time(of timings: ProbeTimings) -> Duration? {
    switch self {
    case .resolve: timings.resolve
    case .connect: timings.connect
    case .tls: timings.tls
    case .firstByte: timings.firstByte
    case .total: timings.total
    }
  }
}

extension LatencyValidator.Options: DeclaredOptions {
  /// A time, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(below: ""), short: .value(\.below, .duration),
    [
      OptionField("below", \.below, .duration, required: true, summary: "the time limit, such as 800ms"),
      OptionField("phase", \.phase, default: "total", summary: "the phase of the probe that is measured"),
    ])
}

extension Duration {
  /// Milliseconds with one decimal place.
  fileprivate var formatted: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

extension LatencyValidator {
  /// The total time of a probe, and that of one phase.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(below: "800ms"), accepts: .example(taking: .milliseconds(799)),
        rejects: .example(taking: .milliseconds(800))),
      ValidatorExample(
        Options(below: "1s", phase: .connect), accepts: .example(taking: .milliseconds(10)),
        rejects: .example(taking: .seconds(2))),
    ]
  }
}

extension ProbeResponse {
  fileprivate static func example(taking time: Duration) -> ProbeResponse {
    var response = example()
    response.timings = ProbeTimings(connect: time, total: time)
    return response
  }
}
