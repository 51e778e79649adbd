public import ProbeCore

/// Judges one header field of a response; `header` in a pipeline file.
///
/// The name of the field is compared case-insensitively. If there are several fields with the name, only one
/// must pass the test.
public struct HeaderValidator: ConfigurableValidator {
  /// The field and its test: a name with exactly one of `present`, `equals` and `matches`, or `line` alone.
  public struct Options: Hashable, Sendable {
    /// The name of the field, in any case; nil with `line`.
    public var name: String?
    /// Whether the field must be present, or must be absent.
    public var present: Bool?
    /// The required value, without surrounding white space.
    public var equals: String?
    /// With `equals`: whether to ignore case.
    public var caseless: Bool?
    /// The pattern that its value must match.
    public var matches: MatchesValidator.Options?
    /// The pattern that must match in the line of any field as received, including its line break.
    public var line: MatchesValidator.Options?
    /// The name under which to capture the value that passes the test.
    public var capture: String?

    /// Creates options for a field.
    public init(
      name: String? = nil, present: Bool? = nil, equals: String? = nil, caseless: Bool? = nil,
      matches: MatchesValidator.Options? = nil, line: MatchesValidator.Options? = nil
    ) {
      self.name = name
      self.present = present
      self.equals = equals
      self.caseless = caseless
      self.matches = matches
      self.line = line
    }
  }

  /// The key in a pipeline file.
  public static let name = "header"
  /// A summary of the accepted responses.
  public static let summary: String? = "the response has the header field, with the value given"

  /// The name of the field; nil for the lines of all fields.
  private let field: String?
  private let test: HeaderTest
  private let capture: String?

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
    if let name = options.name {
      try InvalidInput.at("name") { () throws(InvalidInput) in try Self.checkName(name) }
    }
    test = try HeaderTest(options)
    capture = options.capture
  }

  /// The content, and header fields, which only HTTP has.
  public var judges: ResponseParts { [.content, .http] }

  /// Judges the field.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let head = response.head else {
      return .rejected(.httpHeader, expected: expected, found: "a response without header fields")
    }
    let values = field.map(head.fields.values) ?? head.fields.lines
    let (found, passing) = test.judge(values)
    switch found {
    case .match(var captures):
      if let capture { captures[capture] = passing }
      return .accepted(captures: captures)
    case .noMatch:
      // A response may repeat a field thousands of times.
      let others = values.count > 3 ? " and \(values.count - 3) more" : ""
      let found = values.prefix(3).map { "\(Excerpt($0))" }.joined(separator: " and ") + others
      let isNone = values.isEmpty || field == nil
      return .rejected(.httpHeader, expected: expected, found: isNone ? "no such field" : found)
    case .limit:
      return .rejected(
        .matchLimit, expected: expected, found: "that the pattern needs more work than it may have")
    }
  }

  private var expected: String {
    "\(test.article) header \(field.map { "field \($0)" } ?? "line")\(test.condition)"
  }

  /// A field name is a token (RFC 9110 §5.1, §5.6.2).
  private static func checkName(_ name: String) throws(InvalidInput) {
    let bytes = Array(name.utf8)
    guard !bytes.isEmpty else {
      throw InvalidInput("the name of the header field is empty", remedy: "give one, such as Content-Type")
    }
    guard let offset = bytes.firstIndex(where: { !$0.isTokenCharacter }) else { return }
    let remedy =
      bytes[offset] == UInt8(ascii: ":")
      ? "leave the colon out, and give the value as equals or matches"
      : "use letters, digits and hyphens"
    throw InvalidInput("\(Excerpt(name)) cannot name a header field", remedy: remedy, offset: offset)
  }
}

extension HeaderValidator.Options: SchemaProviding {
  /// The name of a required field, or a mapping.
  public static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key("name", .text, required: true, summary: "the name of the field; case does not matter"),
      .key(
        "present", .boolean, default: "true", summary: "whether the field must be present, or must be absent"),
      .key("equals", .text, summary: "the exact value of the field"),
      .key("caseless", .boolean, default: "false", summary: "whether equals ignores case"),
      .key(
        "matches", MatchesValidator.Options.schema, summary: "the PCRE2 pattern that must match in the value"),
      .key(
        "capture", .captureName,
        summary: "the name under which the report has the value, as for a named group of a pattern"),
    ]),
    .mapping([
      .key(
        "line", MatchesValidator.Options.schema, required: true,
        summary:
          "the PCRE2 pattern that must match in the line of any field as received, including its line break")
    ]),
  ])
}

extension HeaderValidator.Options: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, present, equals, caseless, matches, line, capture
  }

  /// Decodes the name of a required field, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self.init(name: name, present: true)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decodeIfPresent(String.self, forKey: .name),
      present: try container.decodeIfPresent(Bool.self, forKey: .present),
      equals: try container.decodeIfPresent(String.self, forKey: .equals),
      caseless: try container.decodeIfPresent(Bool.self, forKey: .caseless),
      matches: try container.decodeIfPresent(MatchesValidator.Options.self, forKey: .matches),
      line: try container.decodeIfPresent(MatchesValidator.Options.self, forKey: .line))
    capture = try container.decodeIfPresent(String.self, forKey: .capture)
  }

  /// Encodes only the name if that is sufficient, otherwise a mapping.
  public func encode(to encoder: any Encoder) throws {
    if let name, self == Self(name: name, present: true) {
      var container = encoder.singleValueContainer()
      try container.encode(name)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(name, forKey: .name)
    try container.encodeIfPresent(present, forKey: .present)
    try container.encodeIfPresent(equals, forKey: .equals)
    try container.encodeIfPresent(caseless, forKey: .caseless)
    try container.encodeIfPresent(matches, forKey: .matches)
    try container.encodeIfPresent(line, forKey: .line)
    try container.encodeIfPresent(capture, forKey: .capture)
  }
}

extension HeaderValidator: Compiled {
  package var compiledSize: Int { test.compiledSize }
}

extension HeaderFields {
  /// The line of each field as received, including its line break.
  fileprivate var lines: [String] { indices.map { String(wireBytes: rawLine(at: $0)) } }
}
