internal import ProbePatterns
public import ProbeCore
internal import ProbeText

/// Accepts a response whose body equals a text; `equals` in a pipeline file.
///
/// A body in a declared legacy charset is converted to UTF-8 first (see `ResponseText`), and a byte order
/// mark is not part of the text. Bytes are compared. By default, ASCII white space (space, tab, line feed,
/// vertical tab, form feed, carriage return) at both ends of both body and text is ignored, so that a final
/// line break makes no difference.
public struct EqualsValidator: ConfigurableValidator {
  /// The text to compare with: in a file `equals: success` or `equals: { text: success, trim: false,
  /// caseless: true }`.
  public struct Options: Hashable, Sendable {
    /// The expected body, in UTF-8.
    public var text: String
    /// Whether to ignore ASCII white space at both ends of body and text.
    public var trim: Bool
    /// Whether to ignore case, by Unicode's simple case folding.
    public var caseless: Bool

    /// Creates options with a text.
    public init(text: String, trim: Bool = true, caseless: Bool = false) {
      self.text = text
      self.trim = trim
      self.caseless = caseless
    }
  }

  /// The key in a pipeline file.
  public static let name = "equals"
  /// A summary of the accepted responses.
  public static let summary: String? = "the body is equal to the text"

  private let trims: Bool
  private let expected: String
  private let text: ArraySlice<UInt8>
  private let caselessText: Pattern?

  /// Creates a validator for a text.
  ///
  /// - Parameters:
  ///   - text: The expected body.
  ///   - trim: Whether to ignore ASCII white space at both ends of body and text.
  ///   - caseless: Whether to ignore case.
  /// - Throws: `InvalidInput` if, with `caseless`, the text is too long.
  public init(_ text: String, trim: Bool = true, caseless: Bool = false) throws(InvalidInput) {
    try self.init(options: Options(text: text, trim: trim, caseless: caseless))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if, with `caseless`, the text is too long.
  public init(options: Options) throws(InvalidInput) {
    trims = options.trim
    let bytes = Array(options.text.utf8)
    text = options.trim ? bytes[...].withoutOuterSpace : bytes[...]
    expected = "a body equal to \(Excerpt(text))\(options.caseless ? " in any case" : "")"
    let literal = String(decoding: text, as: UTF8.self)
    caselessText =
      try options.caseless
      ? InvalidInput.at(key: "text", Pattern(text: literal, options: [.caseless, .anchored, .endAnchored]))
      : nil
  }

  /// Compares the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    let text = response.text
    let body = trims ? text.bytes.withoutOuterSpace : text.bytes
    guard let index = firstDifference(in: body) else {
      // The server sent more than this, so it is unknown whether the body equals the text.
      return response.bodyIsCut ? .rejectedBody(of: response, expected: expected) : .accepted
    }
    let offset = text.isConverted ? nil : index
    if index < body.endIndex {
      return .rejected(.bodyMismatch, expected: expected, foundBytes: body[index...], offset: offset)
    }
    if response.bodyIsCut || text.bytes.isEmpty {
      return .rejectedBody(of: response, expected: expected, text: text.bytes.span)
    }
    return .rejected(.bodyMismatch, expected: expected, found: "the end of the body", offset: offset)
  }

  /// The first position where body and text differ, or nil if they are equal.
  private func firstDifference(in body: ArraySlice<UInt8>) -> Int? {
    guard let caselessText else { return body.firstDifference(from: text) }
    if case .match = caselessText.firstMatch(in: body) { return nil }
    return body.firstCaselessDifference(from: text)
  }
}

extension EqualsValidator.Options: DeclaredOptions {
  /// A text, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(text: ""), short: .value(\.text),
    [
      OptionField("text", \.text, required: true, summary: "the text that the body must be equal to"),
      OptionField(
        "trim", \.trim, default: "true",
        summary: "whether to ignore ASCII white space at both ends of both texts"),
      OptionField("caseless", \.caseless, default: "false", summary: "whether to ignore case"),
    ])
}

extension EqualsValidator: Compiled {
  package var compiledSize: Int { caselessText?.compiledSize ?? 0 }
}

extension EqualsValidator {
  /// With and without surrounding white space, and ignoring case.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(text: "success"), accepts: "success\n", rejects: "<html>log in first</html>"),
      ValidatorExample(Options(text: "success\n", trim: false), accepts: "success\n", rejects: "success"),
      ValidatorExample(Options(text: "Östlich", caseless: true), accepts: "öSTLICH", rejects: "ostlich"),
    ]
  }
}
