internal import ProbePatterns
internal import ProbeText
public import ProbeCore

/// Accepts a response whose body matches a regular expression (PCRE2); `matches` in a pipeline file.
///
/// The pattern may match anywhere in the body. It is compiled once. A body in a declared legacy charset is
/// converted to UTF-8 first (see `ResponseText`); invalid UTF-8 matches nothing, but the text around it is
/// searched. The report contains the text that named groups matched.
public struct MatchesValidator: ConfigurableValidator {
  /// An option of a pattern, by its name in a pipeline file.
  public struct Option: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in a pipeline file.
    public let rawValue: String

    /// Creates an option from its name, which is checked when the option is used.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Case is ignored.
    public static let caseless = Option(rawValue: "caseless")
    /// A dot matches line breaks too; without this option, it matches neither LF nor CR.
    public static let dotall = Option(rawValue: "dotall")
    /// `^` and `$` match at the start and end of every line, which may end with LF, CR or CRLF.
    public static let multiline = Option(rawValue: "multiline")
    /// White space in the pattern is ignored, and `#` starts a comment.
    public static let extended = Option(rawValue: "extended")
    /// The match must start at the first byte.
    public static let anchored = Option(rawValue: "anchored")
  }

  /// The pattern to match: in a file `matches: "Succ.*"` or `matches: { pattern: "succ.*", options:
  /// [caseless] }`.
  public struct Options: Hashable, Sendable {
    /// The regular expression.
    public var pattern: String
    /// The options of the pattern.
    public var options: [Option]

    /// Creates options with a pattern.
    public init(pattern: String, options: [Option] = []) {
      self.pattern = pattern
      self.options = options
    }
  }

  /// The key in a pipeline file.
  public static let name = "matches"
  /// A summary of the accepted responses.
  public static let summary: String? = "the PCRE2 pattern matches somewhere in the body"

  private let pattern: TextPattern
  private let expected: String

  /// Creates a validator with a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression.
  ///   - options: The options of the pattern.
  /// - Throws: `InvalidInput` for an invalid pattern, with the position of the error, or an unknown option.
  public init(_ pattern: String, options: [Option] = []) throws(InvalidInput) {
    try self.init(options: Options(pattern: pattern, options: options))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` for an invalid pattern, with the position of the error, or an unknown option.
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

extension MatchesValidator.Options: DeclaredOptions {
  /// A pattern, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(pattern: ""), short: .value(\.pattern),
    [
      OptionField("pattern", \.pattern, required: true, summary: "the regular expression (PCRE2)"),
      OptionField(
        "options", \.options, .list(of: .checkedWhenDecoded(.choice(PatternOptions.names))),
        default: "none", summary: "options of PCRE2"),
    ])
}

extension MatchesValidator {
  /// A pattern alone, one with options, and one with a named group.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(pattern: "<BODY>\\s*Success\\s*</BODY>"), accepts: "<BODY>\nSuccess\n</BODY>",
        rejects: "<BODY>log in first</BODY>"),
      ValidatorExample(
        Options(pattern: "^ok$", options: [.caseless, .multiline]), accepts: "db\r\nOK\r\n", rejects: "not ok"
      ),
      ValidatorExample(
        Options(pattern: "version (?<version>[0-9.]+)"), accepts: "version 4.2", rejects: "version unknown"),
    ]
  }
}
