public import ProbeCore

extension JSONValidator {
  /// One test, or several that must all pass: in a file `json: { at: /status, equals: pass }`, or a list; a
  /// pointer alone requires any value.
  public struct Options: Hashable, Sendable {
    /// The tests.
    public var tests: [Test]

    /// Creates options.
    public init(_ tests: [Test]) {
      self.tests = tests
    }
  }

  /// A test of the value at a pointer; without conditions, it requires any value.
  public struct Test: Hashable, Sendable {
    /// The JSON Pointer (RFC 6901) of the value, such as `/checks/db/status`; empty for the whole document.
    public var at: String
    /// The required value.
    public var equals: Value?
    /// The accepted values.
    public var `in`: [Value]?
    /// The pattern that must match in the value, which must be a string.
    public var matches: MatchesValidator.Options?
    /// The number that the value must exceed.
    public var above: Value?
    /// The number that the value must be less than.
    public var below: Value?
    /// Whether a value, even null, is required or forbidden.
    public var exists: Bool?
    /// The name under which to capture the value.
    public var capture: String?

    /// Creates a test that requires a value; conditions are added by setting its properties.
    public init(at pointer: String, equals: Value? = nil) {
      at = pointer
      self.equals = equals
    }
  }
}

extension JSONValidator.Test: SchemaProviding {
  /// A pointer, or a mapping.
  public static let schema = ValueSchema.anyOf([pointer, .mapping(keys)])

  private static let pointer = ValueSchema.text(
    pattern: "^(/([^~]|~[01])*)?$", canBeNumber: false, canBeBoolean: false, examples: ["/status"])

  private static let keys: [ValueSchema.Key] = [
    .key(
      "at", pointer, required: true,
      summary: "the JSON Pointer of the value, such as /checks/db/status or /items/0"),
    .key("equals", .anything, summary: "the value it is equal to; numbers compare as numbers"),
    .key("in", .list(of: .anything, atLeast: 1), summary: "values, to one of which it is equal"),
    .key(
      "matches", MatchesValidator.Options.schema, summary: "the PCRE2 pattern that matches in the string"),
    .key("above", .number, summary: "the number that it is greater than"),
    .key("below", .number, summary: "the number that it is less than"),
    .key("exists", .boolean, default: "true", summary: "whether there is a value, or none"),
    .key(
      "capture", .captureName,
      summary: "the name under which the report has the value, as for a named group of a pattern"),
  ]
}

extension JSONValidator.Test: Codable {
  private enum CodingKeys: String, CodingKey {
    case at, equals, `in`, matches, above, below, exists, capture
  }

  /// Decodes a pointer, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let pointer = try? decoder.singleValueContainer().decode(String.self) {
      self.init(at: pointer)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(at: try container.decode(String.self, forKey: .at))
    // Null is a value to compare with, not a missing value.
    equals =
      container.contains(.equals) ? try container.decode(JSONValidator.Value.self, forKey: .equals) : nil
    `in` = try container.decodeIfPresent([JSONValidator.Value].self, forKey: .in)
    matches = try container.decodeIfPresent(MatchesValidator.Options.self, forKey: .matches)
    above = try container.decodeIfPresent(JSONValidator.Value.self, forKey: .above)
    below = try container.decodeIfPresent(JSONValidator.Value.self, forKey: .below)
    exists = try container.decodeIfPresent(Bool.self, forKey: .exists)
    capture = try container.decodeIfPresent(String.self, forKey: .capture)
  }

  /// Encodes only the pointer if that is sufficient, otherwise a mapping.
  public func encode(to encoder: any Encoder) throws {
    guard self != Self(at: at) else {
      var container = encoder.singleValueContainer()
      try container.encode(at)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(at, forKey: .at)
    if let equals { try container.encode(equals, forKey: .equals) }
    try container.encodeIfPresent(`in`, forKey: .in)
    try container.encodeIfPresent(matches, forKey: .matches)
    try container.encodeIfPresent(above, forKey: .above)
    try container.encodeIfPresent(below, forKey: .below)
    try container.encodeIfPresent(exists, forKey: .exists)
    try container.encodeIfPresent(capture, forKey: .capture)
  }
}

extension JSONValidator.Options: SchemaProviding {
  /// One test, or a list of them.
  public static let schema = ValueSchema.oneOrMore(of: JSONValidator.Test.schema)
}

extension JSONValidator.Options: Codable {
  /// Decodes one test, or a list of them.
  public init(from decoder: any Decoder) throws {
    guard var list = try? decoder.unkeyedContainer() else {
      self.init([try decoder.singleValueContainer().decode(JSONValidator.Test.self)])
      return
    }
    var tests: [JSONValidator.Test] = []
    while !list.isAtEnd { tests.append(try list.decode(JSONValidator.Test.self)) }
    self.init(tests)
  }

  /// Encodes a single test as it is, several as a list.
  public func encode(to encoder: any Encoder) throws {
    if let only = tests.first, tests.count == 1 {
      try only.encode(to: encoder)
    } else {
      try tests.encode(to: encoder)
    }
  }
}
