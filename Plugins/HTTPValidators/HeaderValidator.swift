public import PCRE2Validator
public import ProbeCore

/// Judges one header field of a response; `header` in a pipeline file.
///
/// The name of the field is compared case-insensitively. If there are several fields with the name, one that
/// passes the test is enough.
public struct HeaderValidator: ConfigurableValidator {
  /// The field and its test; exactly one of `present`, `equals` and `matches` is required.
  public struct Options: Hashable, Sendable {
    /// The name of the field, in any case.
    public var name: String
    /// Whether the field must be present, or must be absent.
    public var present: Bool?
    /// The required value, without surrounding white space.
    public var equals: String?
    /// With `equals`: whether to ignore case.
    public var caseless: Bool?
    /// The pattern that its value must match.
    public var matches: MatchesValidator.Options?

    /// Creates options for a field.
    public init(
      name: String, present: Bool? = nil, equals: String? = nil, caseless: Bool? = nil,
      matches: MatchesValidator.Options? = nil
    ) {
      self.name = name
      self.present = present
      self.equals = equals
      self.caseless = caseless
      self.matches = matches
    }
  }

  /// The key in a pipeline file.
  public static let name = "header"

  private let field: String
  private let test: HeaderTest

  /// Creates a validator that requires the field.
  ///
  /// - Throws: `InvalidInput` if the text is not a field name.
  public init(_ name: String) throws(InvalidInput) {
    try self.init(options: Options(name: name, present: true))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the text is not a field name, if there is not exactly one test, or if the
  ///   pattern is not valid.
  public init(options: Options) throws(InvalidInput) {
    field = options.name
    try InvalidInput.at("name") { () throws(InvalidInput) in try Self.checkName(options.name) }
    test = try HeaderTest(options)
  }

  /// The content, and header fields, which only HTTP has.
  public var judges: AnswerParts { [.content, .http] }

  /// Judges the field.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let head = response.head else {
      return .rejected(.httpHeader, expected: expected, found: "an answer without header fields")
    }
    let values = head.fields.values(for: field)
    switch test.judge(values) {
    case .match(let captures):
      return .accepted(captures: captures)
    case .noMatch:
      // A response may repeat a field thousands of times.
      let others = values.count > 3 ? " and \(values.count - 3) more" : ""
      let found = values.prefix(3).map { "\(Excerpt($0))" }.joined(separator: " and ") + others
      return .rejected(.httpHeader, expected: expected, found: values.isEmpty ? "no such field" : found)
    case .limit:
      return .rejected(
        .matchLimit, expected: expected, found: "that the pattern needs more work than it may have")
    }
  }

  private var expected: String { "\(test.article) header field \(field)\(test.condition)" }

  /// A field name is a token (RFC 9110 §5.1, §5.6.2).
  private static func checkName(_ name: String) throws(InvalidInput) {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty else {
      throw InvalidInput("the name of the header field is empty", remedy: "give one, such as Content-Type")
    }
    guard let place = bytes.firstIndex(where: { !$0.isTokenCharacter }) else { return }
    let remedy =
      bytes[place] == UInt8(ascii: ":")
      ? "leave the colon out, and give the value as equals or matches"
      : "use letters, digits and hyphens"
    throw InvalidInput("\(Excerpt(name)) cannot name a header field", remedy: remedy, offset: place)
  }
}

extension HeaderValidator.Options: SchemaProviding {
  /// The name of a required field, or a mapping.
  public static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key("name", .text, required: true, summary: "the field's name, in any case"),
      .key("present", .boolean, summary: "whether the field must be there, or must not"),
      .key("equals", .text, summary: "the value it must have"),
      .key("caseless", .boolean, summary: "with equals: whether upper and lower case are the same"),
      .key("matches", MatchesValidator.Options.schema, summary: "the pattern its value must match"),
    ]),
  ])
}

extension HeaderValidator.Options: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, present, equals, caseless, matches
  }

  /// Decodes the name of a required field, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self.init(name: name, present: true)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      present: try container.decodeIfPresent(Bool.self, forKey: .present),
      equals: try container.decodeIfPresent(String.self, forKey: .equals),
      caseless: try container.decodeIfPresent(Bool.self, forKey: .caseless),
      matches: try container.decodeIfPresent(MatchesValidator.Options.self, forKey: .matches))
  }

  /// Encodes only the name if that is sufficient, otherwise a mapping.
  public func encode(to encoder: any Encoder) throws {
    guard self != Self(name: name, present: true) else {
      var container = encoder.singleValueContainer()
      try container.encode(name)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(present, forKey: .present)
    try container.encodeIfPresent(equals, forKey: .equals)
    try container.encodeIfPresent(caseless, forKey: .caseless)
    try container.encodeIfPresent(matches, forKey: .matches)
  }
}

extension HeaderValidator: Compiled {
  package var compiledSize: Int { test.compiledSize }
}
