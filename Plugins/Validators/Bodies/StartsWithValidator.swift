public import ProbeCore

/// Accepts a response whose body starts with a text; `startsWith` in a pipeline file.
///
/// Bytes are compared as received: no charset is converted, and a byte order mark is part of the body. The
/// first different byte decides, even if the rest of the body was not received. An incomplete body that is
/// shorter than the text, and equal to its start, is undecided.
public struct StartsWithValidator: ConfigurableValidator {
  /// The text to compare with: in a file `startsWith: OK`.
  public struct Options: Hashable, Sendable {
    /// The text, in UTF-8; not empty.
    public var text: String

    /// Creates options with a text.
    public init(text: String) {
      self.text = text
    }
  }

  /// The key in a pipeline file.
  public static let name = "startsWith"
  /// A summary of the accepted responses.
  public static let summary: String? = "the body starts with the text, byte by byte"

  private let text: [UInt8]
  private let expected: String

  /// Creates a validator for a text.
  ///
  /// - Throws: `InvalidInput` if the text is empty.
  public init(_ text: String) throws(InvalidInput) {
    try self.init(options: Options(text: text))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the text is empty.
  public init(options: Options) throws(InvalidInput) {
    guard !options.text.isEmpty else {
      throw InvalidInput(
        "the text is empty", remedy: "every body starts with it; give the text to compare with")
    }
    text = Array(options.text.utf8)
    expected = "a body that starts with \(Excerpt(options.text))"
  }

  /// Compares the start of the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    let start = response.body.prefix(text.count)
    if let offset = start.firstDifference(from: text[..<start.count]) {
      return .rejected(
        .bodyMismatch, expected: expected, foundBytes: response.body[offset...], offset: offset)
    }
    if start.count == text.count { return .accepted }
    if response.bodyIsCut || start.isEmpty { return .rejectedBody(of: response, expected: expected) }
    return .rejected(.bodyMismatch, expected: expected, found: "the end of the body", offset: start.count)
  }
}

extension StartsWithValidator.Options: DeclaredOptions {
  /// A text.
  public static let declaration = OptionsDeclaration(Self(text: ""), short: .value(\.text))
}

extension StartsWithValidator {
  /// The start of a body; a byte order mark before it makes a difference.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(text: "OK"), accepts: "OK, and more", rejects: "NOT OK"),
      ValidatorExample(Options(text: "OK"), accepts: "OK", rejects: "\u{FEFF}OK"),
    ]
  }
}
