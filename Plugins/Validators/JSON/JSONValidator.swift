internal import ProbeJSON
public import ProbeCore

/// Accepts a response whose body is JSON with the given values; `json` in a pipeline file.
///
/// The body must be one JSON text in UTF-8 (RFC 8259), without duplicate names in an object. Numbers are
/// compared by their decimal value, without rounding: `1` is equal to `1.0`, and `9007199254740993` is not equal to
/// `9007199254740992`. A captured number keeps its text.
public struct JSONValidator: ConfigurableValidator {
  /// The key in a pipeline file.
  public static let name = "json"
  /// A summary of the accepted responses.
  public static let summary: String? = "the body is JSON, and its values pass the tests"

  private let tests: [JSONTest]

  /// Creates a validator that requires the value at a pointer to be equal to the given one.
  ///
  /// - Throws: `InvalidInput` if the text is not a JSON Pointer.
  public init(at pointer: String, equals value: Value) throws(InvalidInput) {
    try self.init(options: Options([Test(at: pointer, equals: value)]))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is no test, or if one of them is invalid.
  public init(options: Options) throws(InvalidInput) {
    guard !options.tests.isEmpty else {
      throw InvalidInput("the list of tests is empty", remedy: "give at least one, such as { at: /status }")
    }
    // A single test is not written as a list.
    tests =
      try options.tests.count == 1
      ? [JSONTest(options.tests[0])]
      : options.tests.mapItems { test throws(InvalidInput) in try JSONTest(test) }
  }

  /// Parses the body, and runs the tests in order.
  public func validate(_ response: ProbeResponse) -> Validation {
    // A truncated JSON text is inconclusive: a member of the same name may follow.
    if response.bodyIsCut { return .rejectedBody(of: response, expected: expected) }
    let document: JSONValue
    do {
      document = try JSONParser(maximumLength: .max).value(of: response.body)
    } catch {
      return notJSON(response, error)
    }
    var captures: [String: String] = [:]
    for test in tests {
      switch test.judge(document) {
      case .passed(let found): captures.merge(found) { first, _ in first }
      case .failed(let found): return .rejected(.bodyMismatch, expected: test.expected, found: found)
      case .limit:
        return .rejected(
          .matchLimit, expected: test.expected,
          found: "that the pattern needs more work than it may have")
      }
    }
    return .accepted(captures: captures)
  }

  private var expected: String { "JSON with \(tests.map(\.expected).joined(separator: ", "))" }

  /// A rejection with the position of the error, and the start of a body that does not look like JSON.
  private func notJSON(_ response: ProbeResponse, _ error: JSONError) -> Validation {
    guard !response.body.isEmpty else { return .rejectedBody(of: response, expected: expected) }
    let location = error.line > 0 ? " in line \(error.line), column \(error.column)" : ""
    return .rejected(
      .bodyMismatch, expected: expected,
      found: "a body that is not JSON: \(error.problem)\(location)")
  }
}

extension JSONValidator: Compiled {
  package var compiledSize: Int { tests.reduce(0) { $0 + $1.compiledSize } }
}

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

extension JSONValidator.Test: DeclaredOptions {
  /// A pointer, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(at: ""), short: .value(\.at, pointer),
    [
      OptionField(
        "at", \.at, pointer, required: true,
        summary: "the JSON Pointer of the value, such as /checks/db/status or /items/0"),
      OptionField(
        "equals", \.equals, .anything, summary: "the value it is equal to; numbers compare as numbers"),
      OptionField(
        "in", \.in, .list(of: .anything, atLeast: 1), summary: "values, to one of which it is equal"),
      OptionField("matches", \.matches, summary: "the PCRE2 pattern that matches in the string"),
      OptionField("above", \.above, .number, summary: "the number that it is greater than"),
      OptionField("below", \.below, .number, summary: "the number that it is less than"),
      OptionField("exists", \.exists, default: "true", summary: "whether there is a value, or none"),
      OptionField(
        "capture", \.capture, .captureName,
        summary: "the name under which the report has the value, as for a named group of a pattern"),
    ])

  private static let pointer = ValueSchema.text(
    pattern: "^(/([^~]|~[01])*)?$", canBeNumber: false, canBeBoolean: false, examples: ["/status"])
}

extension JSONValidator.Options: DeclaredOptions {
  /// One test, or a list of them.
  public static let declaration = OptionsDeclaration(Self([]), short: .value(\.tests.oneOrMore))
}

extension JSONValidator {
  /// A value in the options of a test, as in JSON.
  ///
  /// In a file, an unquoted number is a number, `true` and `false` are booleans, and `null` is null; anything
  /// in quotes is text.
  public indirect enum Value: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number: the shortest decimal number whose nearest double is this one.
    case number(Double)
    /// A number that neither of them has exactly, as it is written in JSON, such as `18446744073709551617`.
    case decimal(String)
    /// A text.
    case text(String)
    /// A list.
    case list([Value])
    /// A mapping.
    case mapping([String: Value])
  }
}

extension JSONValidator.Value {
  /// Converts the value to that of the parser.
  ///
  /// - Throws: `InvalidInput` if it contains a number that JSON cannot express.
  func json() throws(InvalidInput) -> JSONValue {
    switch self {
    case .null: return .null
    case .boolean(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(try Self.number(JSONNumber(value), "\(value)"))
    case .decimal(let text): return .number(try Self.number(JSONNumber(text), text))
    case .text(let text): return .string(text)
    case .list(let items): return .array(try items.map { item throws(InvalidInput) in try item.json() })
    case .mapping(let entries):
      let members = entries.sorted { $0.key < $1.key }
      return .object(
        try members.map { entry throws(InvalidInput) in JSONValue.Member(entry.key, try entry.value.json()) })
    }
  }

  private static func number(_ number: JSONNumber?, _ text: String) throws(InvalidInput) -> JSONNumber {
    guard let number else {
      throw InvalidInput("\(Excerpt(text)) is not a number in JSON", remedy: "use digits, as in -1.5e3")
    }
    return number
  }
}

extension JSONValidator.Value: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      self = .list(try [Self](from: decoder))
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(JSONNumber.self) {
      // A double is enough for most numbers.
      let double = JSONNumber(value.double)
      self = double?.order(to: value) == 0 ? .number(value.double) : .decimal(value.text)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .mapping(try container.decode([String: Self].self))
    }
  }

  /// Encodes the value; a number that no other case has exactly is rounded to a double.
  ///
  /// - Throws: `EncodingError` for a number beyond the range of doubles.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let text): try container.encode(JSONNumber(text)?.double ?? .nan)
    case .text(let text): try container.encode(text)
    case .list(let items): try container.encode(items)
    case .mapping(let entries): try container.encode(entries)
    }
  }
}

extension JSONValidator {
  /// Each condition, and several tests.
  public static var examples: [ValidatorExample<Options>] {
    func test(_ pointer: String, _ change: (inout Test) -> Void = { _ in }) -> Options {
      var test = Test(at: pointer)
      change(&test)
      return Options([test])
    }
    return [
      ValidatorExample(
        test("/checks/db") { $0.equals = .text("pass") }, accepts: #"{"checks":{"db":"pass"}}"#,
        rejects: #"{"checks":{"db":"fail"}}"#),
      ValidatorExample(
        test("/status") { $0.in = [.text("pass"), .null, .integer(1)] }, accepts: #"{"status":1.0}"#,
        rejects: #"{"status":true}"#),
      ValidatorExample(
        test("/version") { test in
          test.matches = MatchesValidator.Options(pattern: "^(?<major>[0-9]+)[.]")
          test.capture = "version"
        }, accepts: #"{"version":"4.2"}"#, rejects: #"{"version":4.2}"#),
      ValidatorExample(
        test("/queue/0") { ($0.above, $0.below) = (.integer(0), .number(0.5)) },
        accepts: #"{"queue":[0.25]}"#,
        rejects: #"{"queue":[0.5]}"#),
      ValidatorExample(
        test("/error") { $0.exists = false }, accepts: #"{"status":"pass"}"#, rejects: #"{"error":null}"#),
      ValidatorExample(
        Options([Test(at: "/a~1b"), Test(at: "", equals: .mapping(["a/b": .list([.boolean(true)])]))]),
        accepts: #"{"a/b":[true]}"#, rejects: "<html>log in first</html>"),
    ]
  }
}
