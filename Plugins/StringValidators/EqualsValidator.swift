internal import ProbePCRE2
public import ProbeCore
internal import TextDecoding

/// Accepts a response whose body is a certain text; `equals` in a pipeline file.
///
/// A body in a declared legacy charset is converted to UTF-8 first (see `ResponseText`), and a byte order mark is not
/// part of the text. The comparison is of bytes. Unless told otherwise, ASCII white space (space, tab, line feed, vertical tab, form
/// feed, carriage return) at both ends of both body and text does not count, so that a line end more or less
/// makes no difference.
public struct EqualsValidator: ConfigurableValidator {
  /// What to compare with: in a file `equals: success` or `equals: { text: success, trim: false, caseless: true }`.
  public struct Options: Hashable, Sendable {
    /// The text the body must be, in UTF-8.
    public var text: String
    /// Whether ASCII white space at both ends of body and text is left out of the comparison.
    public var trim: Bool
    /// Whether upper and lower case are the same, by Unicode's simple case folding.
    public var caseless: Bool

    /// Options with a text.
    public init(text: String, trim: Bool = true, caseless: Bool = false) {
      self.text = text
      self.trim = trim
      self.caseless = caseless
    }
  }

  /// The key in a pipeline file.
  public static let name = "equals"
  /// What it accepts.
  public static let summary: String? = "the body is equal to the text"

  private let trims: Bool
  private let expected: String
  private let text: ArraySlice<UInt8>
  private let caselessText: Pattern?

  /// Accepts bodies that are the text.
  ///
  /// - Parameters:
  ///   - text: The text the body must be.
  ///   - trim: Whether white space at both ends of body and text is left out.
  ///   - caseless: Whether upper and lower case are the same.
  /// - Throws: `InvalidInput` with `caseless` for a text that is too long.
  public init(_ text: String, trim: Bool = true, caseless: Bool = false) throws(InvalidInput) {
    try self.init(options: Options(text: text, trim: trim, caseless: caseless))
  }

  /// Accepts bodies as the options say.
  ///
  /// - Throws: `InvalidInput` with `caseless` for a text that is too long.
  public init(options: Options) throws(InvalidInput) {
    trims = options.trim
    let bytes = Array(options.text.utf8)
    text = options.trim ? bytes[...].withoutOuterSpace : bytes[...]
    expected = "a body equal to \(Excerpt(text))\(options.caseless ? " in any case" : "")"
    caselessText =
      options.caseless
      ? try Self.caselessPattern(text) : nil
  }

  private static func caselessPattern(_ text: ArraySlice<UInt8>) throws(InvalidInput) -> Pattern {
    try InvalidInput.at("text") { () throws(InvalidInput) in
      try Pattern(text: String(decoding: text, as: UTF8.self), options: [.caseless, .anchored, .endAnchored])
    }
  }

  /// Compares the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    let text = response.text
    let body = trims ? text.bytes.withoutOuterSpace : text.bytes
    guard let place = firstDifference(in: body) else {
      // More than this was sent, so the body is not the text as far as is known.
      return response.bodyIsCut ? .rejectedBody(of: response, expected: expected) : .accepted
    }
    let offset = text.isConverted ? nil : place
    if place < body.endIndex {
      return .rejected(.bodyMismatch, expected: expected, foundBytes: body[place...], offset: offset)
    }
    if response.bodyIsCut || text.bytes.isEmpty {
      return .rejectedBody(of: response, expected: expected, text: text.bytes.span)
    }
    return .rejected(.bodyMismatch, expected: expected, found: "the end of the body", offset: offset)
  }

  /// The first place where body and text differ, or nil when they are equal.
  private func firstDifference(in body: ArraySlice<UInt8>) -> Int? {
    guard let caselessText else { return body.firstDifference(from: text) }
    if case .match = caselessText.firstMatch(in: body) { return nil }
    return body.firstCaselessDifference(from: text)
  }
}

extension EqualsValidator.Options: SchemaProviding {
  /// The text alone, or a mapping.
  public static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key("text", .text, required: true, summary: "the text that the body must be equal to"),
      .key(
        "trim", .boolean, default: "true",
        summary: "whether to ignore ASCII white space at both ends of both texts"),
      .key("caseless", .boolean, default: "false", summary: "whether to ignore case"),
    ]),
  ])
}

extension EqualsValidator.Options: Codable {
  private enum CodingKeys: String, CodingKey {
    case text, trim, caseless
  }

  /// Decodes the short form, a text alone, or the long one.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try container.decode(String.self, forKey: .text),
      trim: try container.decodeIfPresent(Bool.self, forKey: .trim) ?? true,
      caseless: try container.decodeIfPresent(Bool.self, forKey: .caseless) ?? false)
  }

  /// Encodes the short form where it says everything.
  public func encode(to encoder: any Encoder) throws {
    guard self != Self(text: text) else {
      var container = encoder.singleValueContainer()
      try container.encode(text)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(trim, forKey: .trim)
    try container.encode(caseless, forKey: .caseless)
  }
}

extension EqualsValidator: Compiled {
  package var compiledSize: Int { caselessText?.compiledSize ?? 0 }
}
