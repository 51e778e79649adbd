internal import CProbeSystem
internal import ProbePatterns
public import ProbeCore
internal import ProbeText

/// Accepts a response whose body contains a text; `contains` in a pipeline file.
///
/// A body in a declared legacy charset is converted to UTF-8 first (see `ResponseText`). Bytes are compared:
/// the body need not be valid UTF-8, and equal characters in different Unicode normalization forms are
/// different.
public struct ContainsValidator: ConfigurableValidator {
  /// The text to search for: in a file `contains: Success` or `contains: { text: success, caseless: true }`.
  public struct Options: Hashable, Sendable {
    /// The text to search for, in UTF-8; not empty.
    public var text: String
    /// Whether to ignore case, by Unicode's simple case folding.
    public var caseless: Bool

    /// Creates options with a text.
    public init(text: String, caseless: Bool = false) {
      self.text = text
      self.caseless = caseless
    }
  }

  /// The key in a pipeline file.
  public static let name = "contains"
  /// A summary of the accepted responses.
  public static let summary: String? = "the body contains the text"

  private let expected: String
  private let text: [UInt8]
  private let caselessText: Pattern?

  /// Creates a validator for a text.
  ///
  /// - Parameters:
  ///   - text: The text to search for; not empty.
  ///   - caseless: Whether to ignore case.
  /// - Throws: `InvalidInput` if the text is empty or, with `caseless`, too long.
  public init(_ text: String, caseless: Bool = false) throws(InvalidInput) {
    try self.init(options: Options(text: text, caseless: caseless))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the text is empty or, with `caseless`, too long.
  public init(options: Options) throws(InvalidInput) {
    guard !options.text.isEmpty else {
      throw InvalidInput(
        "the text is empty", remedy: "every body contains it; give the text to look for"
      ).at("text")
    }
    expected = "a body that contains \(Excerpt(options.text))\(options.caseless ? " in any case" : "")"
    text = Array(options.text.utf8)
    caselessText =
      try options.caseless
      ? InvalidInput.at(key: "text", Pattern(text: options.text, options: .caseless)) : nil
  }

  /// Searches the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    response.judgingText { body, _ in
      switch isContained(in: body) {
      case true?: .accepted
      case false?: .rejectedBody(of: response, expected: expected, text: body)
      case nil:
        .rejected(
          .matchLimit, expected: expected,
          found: "that the text needs more work on these \(response.body.count) bytes than it may have")
      }
    }
  }

  /// Whether the body contains the text; nil if that takes too long, as for a long text of one letter in a long
  /// body of the same letter.
  private func isContained(in body: Span<UInt8>) -> Bool? {
    if let caselessText {
      var budget = WorkBudget(bytes: body.count, isCancellable: true)
      switch caselessText.firstMatch(in: body, &budget) {
      case .match: return true
      case .noMatch: return false
      case .limit: return nil
      }
    }
    return unsafe body.bytes.withUnsafeBytes { body in
      unsafe text.withUnsafeBytes { text in
        guard let start = body.baseAddress, let textStart = text.baseAddress else { return false }
        return unsafe probe_memmem(start, body.count, textStart, text.count) != nil
      }
    }
  }
}

extension ContainsValidator.Options: DeclaredOptions {
  /// A text, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(text: ""), short: .value(\.text),
    [
      OptionField("text", \.text, required: true, summary: "the text to find in the body, at any byte"),
      OptionField("caseless", \.caseless, default: "false", summary: "whether to ignore case"),
    ])
}

extension ContainsValidator: Compiled {
  package var compiledSize: Int { caselessText?.compiledSize ?? 0 }
}

extension ContainsValidator {
  /// Case-sensitive, and ignoring case.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(text: "Success"), accepts: "<BODY>Success</BODY>", rejects: "<body>success</body>"),
      ValidatorExample(
        Options(text: "success", caseless: true), accepts: "<BODY>Success</BODY>", rejects: "log in first"),
    ]
  }
}
