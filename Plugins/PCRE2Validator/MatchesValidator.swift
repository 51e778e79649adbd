internal import ProbePCRE2
public import ProbeCore
internal import TextDecoding

/// Accepts a response whose body a regular expression (PCRE2) matches; `matches` in a pipeline file.
///
/// The pattern may match anywhere in the body. It is compiled once. A body in a declared legacy charset is converted to
/// UTF-8 first (see `ResponseText`); bytes that are not UTF-8 match nothing, and the text around them is searched. What its named groups matched goes into the report.
public struct MatchesValidator: ConfigurableValidator {
  /// How a pattern is read: a name as in a pipeline file.
  public struct Option: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in a pipeline file.
    public let rawValue: String

    /// An option by its name; that it exists is checked where it is used.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Upper and lower case are the same.
    public static let caseless = Option(rawValue: "caseless")
    /// A dot matches line ends too; without it, neither LF nor CR.
    public static let dotall = Option(rawValue: "dotall")
    /// `^` and `$` match at the start and end of every line, be it ended by LF, CR or CRLF.
    public static let multiline = Option(rawValue: "multiline")
    /// White space in the pattern is ignored, and `#` starts a comment.
    public static let extended = Option(rawValue: "extended")
    /// The match must start at the first byte.
    public static let anchored = Option(rawValue: "anchored")
  }

  /// What to match: in a file `matches: "Succ.*"` or `matches: { pattern: "succ.*", options: [caseless] }`.
  public struct Options: Hashable, Sendable {
    /// The regular expression.
    public var pattern: String
    /// How it is read.
    public var options: [Option]

    /// Options with a pattern.
    public init(pattern: String, options: [Option] = []) {
      self.pattern = pattern
      self.options = options
    }
  }

  /// The key in a pipeline file.
  public static let name = "matches"
  /// What it accepts.
  public static let summary: String? = "the PCRE2 pattern matches somewhere in the body"

  private let pattern: TextPattern
  private let expected: String

  /// Accepts bodies that the pattern matches.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression.
  ///   - options: How it is read.
  /// - Throws: `InvalidInput` for a pattern with a mistake in it, with its place, or an unknown option.
  public init(_ pattern: String, options: [Option] = []) throws(InvalidInput) {
    try self.init(options: Options(pattern: pattern, options: options))
  }

  /// Accepts bodies as the options say.
  ///
  /// - Throws: `InvalidInput` for a pattern with a mistake in it, with its place, or an unknown option.
  public init(options: Options) throws(InvalidInput) {
    pattern = try TextPattern(options)
    expected = "a body that matches \(pattern)"
  }

  /// Searches the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    response.judgingText { text, _ in judge(text, of: response) }
  }

  private func judge(_ text: Span<UInt8>, of response: ProbeResponse) -> Validation {
    switch pattern.search(text) {
    case .match(let captures):
      return .accepted(captures: captures)
    case .noMatch:
      return .rejectedBody(of: response, expected: expected, text: text)
    case .limit:
      return .rejected(
        .matchLimit, expected: expected,
        found: "that the pattern needs more work on these \(response.body.count) bytes than it may have")
    }
  }
}

extension MatchesValidator: Compiled {
  package var compiledSize: Int { pattern.compiledSize }
}

extension MatchesValidator.Options: SchemaProviding {
  /// The pattern alone, or a mapping.
  public static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key("pattern", .text, required: true, summary: "the regular expression (PCRE2)"),
      .key(
        "options", .list(of: .checkedWhenDecoded(.choice(PatternOptions.names))),
        default: "none", summary: "options of PCRE2"),
    ]),
  ])
}

extension MatchesValidator.Options: Codable {
  private enum CodingKeys: String, CodingKey {
    case pattern, options
  }

  /// Decodes the short form, a pattern alone, or the long one.
  public init(from decoder: any Decoder) throws {
    if let pattern = try? decoder.singleValueContainer().decode(String.self) {
      self.init(pattern: pattern)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      pattern: try container.decode(String.self, forKey: .pattern),
      options: try container.decodeIfPresent([MatchesValidator.Option].self, forKey: .options) ?? [])
  }

  /// Encodes the short form where it says everything.
  public func encode(to encoder: any Encoder) throws {
    guard !options.isEmpty else {
      var container = encoder.singleValueContainer()
      try container.encode(pattern)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(pattern, forKey: .pattern)
    try container.encode(options, forKey: .options)
  }
}
