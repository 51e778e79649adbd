public import ProbeCore

/// Accepts a response whose body has a certain size; `size` in a pipeline file.
///
/// Bytes are counted after decoding. A body that was not received completely has at least the bytes received;
/// if their number is inconclusive, the rejection is undecided.
public struct SizeValidator: ConfigurableValidator {
  /// The size: in a file `size: 0`, or `size: { min: 1, max: 64KiB }` with at least one of the two.
  public struct Options: Hashable, Sendable {
    /// The minimum size in bytes; nil for no bound.
    public var min: Int?
    /// The maximum size in bytes; nil for no bound.
    public var max: Int?

    /// Creates options with bounds.
    public init(min: Int? = nil, max: Int? = nil) {
      self.min = min
      self.max = max
    }
  }

  /// The key in a pipeline file.
  public static let name = "size"
  /// A summary of the accepted responses.
  public static let summary: String? = "the body has this size in bytes, or one within the bounds"

  private let bounds: ClosedRange<Int>

  /// Creates a validator for one size.
  ///
  /// - Throws: `InvalidInput` if it is negative.
  public init(_ size: Int) throws(InvalidInput) {
    try self.init(options: Options(min: size, max: size))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is no bound, or if no size is within them.
  public init(options: Options) throws(InvalidInput) {
    guard options.min != nil || options.max != nil else {
      throw InvalidInput("the bounds of the size are missing", remedy: "add min, max or both")
    }
    let (min, max) = (options.min ?? 0, options.max ?? .max)
    guard min >= 0, max >= min else {
      throw InvalidInput(
        "no body has a size from \(min) to \(max)",
        remedy: "give a min of at least 0 and a max of at least min")
    }
    bounds = min...max
  }

  /// Compares the size of the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    let count = response.body.count
    if count > bounds.upperBound || (count < bounds.lowerBound && !response.bodyIsCut) {
      return .rejected(.bodyMismatch, expected: expected, found: Self.words(count))
    }
    // More data may follow, so the size is inconclusive unless any larger size is within the bounds.
    if response.bodyIsCut, count < bounds.lowerBound || bounds.upperBound < .max {
      return .rejected(
        .bodyTooLarge, expected: expected,
        found: "\(Self.words(count)) of a body that was not received completely")
    }
    return .accepted
  }

  private var expected: String {
    if bounds.lowerBound == bounds.upperBound { return "a body of \(Self.words(bounds.lowerBound))" }
    if bounds.upperBound == .max { return "a body of at least \(Self.words(bounds.lowerBound))" }
    if bounds.lowerBound == 0 { return "a body of at most \(Self.words(bounds.upperBound))" }
    return "a body of \(bounds.lowerBound) to \(Self.words(bounds.upperBound))"
  }

  private static func words(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}

extension SizeValidator.Options: DeclaredOptions {
  /// A size, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(), short: .value(of: { $0.min.asByteCount }, make: { Self(min: $0.bytes, max: $0.bytes) }),
    [
      OptionField("min", \.min.asByteCount, summary: "the smallest size in bytes, such as 1 or 4KiB"),
      OptionField("max", \.max.asByteCount, summary: "the largest size in bytes"),
    ])
}

extension SizeValidator {
  /// One size, and bounds.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(min: 0, max: 0), accepts: "", rejects: "log in first"),
      ValidatorExample(Options(max: 4), accepts: "up\r\n", rejects: "log in first"),
      ValidatorExample(Options(min: 1), accepts: "x", rejects: ""),
    ]
  }
}
