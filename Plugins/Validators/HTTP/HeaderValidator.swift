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
    if let name = options.name { try InvalidInput.at(key: "name", Self.checkName(name)) }
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

extension HeaderValidator.Options: DeclaredOptions {
  /// The name of a required field, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(), short: .value(of: { $0.name }, make: { Self(name: $0, present: true) }),
    [
      OptionField("name", \.name, required: true, summary: "the name of the field; case does not matter"),
      OptionField(
        "present", \.present, default: "true",
        summary: "whether the field must be present, or must be absent"),
      OptionField("equals", \.equals, summary: "the exact value of the field"),
      OptionField("caseless", \.caseless, default: "false", summary: "whether equals ignores case"),
      OptionField("matches", \.matches, summary: "the PCRE2 pattern that must match in the value"),
      OptionField(
        "capture", \.capture, .captureName,
        summary: "the name under which the report has the value, as for a named group of a pattern"),
    ],
    [
      OptionField(
        "line", \.line, required: true,
        summary:
          "the PCRE2 pattern that must match in the line of any field as received, including its line break")
    ])
}

extension HeaderValidator: Compiled {
  package var compiledSize: Int { test.compiledSize }
}

extension HeaderFields {
  /// The line of each field as received, including its line break.
  fileprivate var lines: [String] { indices.map { String(wireBytes: rawLine(at: $0)) } }
}

enum HeaderTest {
  case present
  case absent
  case equals(String)
  case equalsCaseless(String, TextPattern)
  case matches(TextPattern)

  init(_ options: HeaderValidator.Options) throws(InvalidInput) {
    guard let line = options.line else {
      try self.init(ofField: options)
      return
    }
    let others: [Any?] = [
      options.name, options.present, options.equals, options.caseless, options.matches, options.capture,
    ]
    guard others.allSatisfy({ $0 == nil }) else {
      throw InvalidInput(
        "line cannot be combined with other keys", remedy: "write the name of the field into its pattern")
    }
    self = .matches(try InvalidInput.at(key: "line", TextPattern(line)))
  }

  private init(ofField options: HeaderValidator.Options) throws(InvalidInput) {
    guard options.name != nil else {
      throw InvalidInput("the name of the header field is missing", remedy: "add name, or line alone")
    }
    guard options.caseless == nil || options.equals != nil else {
      throw InvalidInput(
        "caseless requires equals", remedy: "for matches write options: [caseless] beside its pattern"
      ).at("caseless")
    }
    if let name = options.capture {
      try CaptureName.check(name)
      guard options.present != false else {
        throw InvalidInput("an absent field has no value to capture", remedy: "omit capture, or present")
          .at("capture")
      }
    }
    switch (options.present, options.equals, options.matches) {
    case (let present?, nil, nil):
      self = present ? .present : .absent
    case (nil, let text?, nil):
      // Header values have no surrounding white space (RFC 9112 §5.1), so remove it from the expected text too.
      let text = String(text.trimming { $0 == " " || $0 == "\t" })
      guard options.caseless == true else {
        self = .equals(text)
        return
      }
      let pattern = try InvalidInput.at(key: "equals", TextPattern(equalInAnyCaseTo: text))
      self = .equalsCaseless(text, pattern)
    case (nil, nil, let pattern?):
      self = .matches(try InvalidInput.at(key: "matches", TextPattern(pattern)))
    case (nil, nil, nil) where options.capture != nil:
      self = .present
    case (nil, nil, nil):
      throw InvalidInput("the test of the header field is missing", remedy: "add present, equals or matches")
    default:
      throw InvalidInput(
        "the header field has more than one test",
        remedy: "keep one of present, equals and matches, and put several validators under all")
    }
  }

  /// The approximate size of its pattern in bytes.
  var compiledSize: Int {
    switch self {
    case .equalsCaseless(_, let pattern), .matches(let pattern): pattern.compiledSize
    case .present, .absent, .equals: 0
    }
  }

  /// The word before the field's name in a description of the test.
  var article: String {
    if case .absent = self { "no" } else { "a" }
  }

  /// The words after the field's name in a description of the test.
  var condition: String {
    switch self {
    case .present, .absent: ""
    case .equals(let text): " equal to \(Excerpt(text))"
    case .equalsCaseless(let text, _): " equal to \(Excerpt(text)) in any case"
    case .matches(let pattern): " that matches \(pattern)"
    }
  }

  /// Judges the values of all fields with the name.
  ///
  /// - Returns: The result, and the first value that passes the test, if there is one.
  func judge(_ values: [String]) -> (found: TextPattern.Found, passing: String?) {
    switch self {
    case .present: (values.isEmpty ? .noMatch : .match(captures: [:]), values.first)
    case .absent: (values.isEmpty ? .match(captures: [:]) : .noMatch, nil)
    case .equals(let text):
      values.first { $0.utf8.elementsEqual(text.utf8) }.map { (.match(captures: [:]), $0) } ?? (.noMatch, nil)
    case .equalsCaseless(_, let pattern), .matches(let pattern): Self.search(values, for: pattern)
    }
  }

  /// The first match; without a match, reaching a limit in any value makes the result undecided.
  private static func search(
    _ values: [String], for pattern: TextPattern
  ) -> (found: TextPattern.Found, passing: String?) {
    var result = TextPattern.Found.noMatch
    for (value, found) in zip(values, pattern.search(each: values)) {
      switch found {
      case .match: return (found, value)
      case .noMatch: break
      case .limit: result = .limit
      }
    }
    return (result, nil)
  }
}

extension HeaderValidator {
  /// Each kind of test.
  public static var examples: [ValidatorExample<Options>] {
    let (page, plain) = (field("text/html; charset=utf-8"), field("text/plain"))
    var captured = Options(name: "Content-Type")
    captured.capture = "type"
    return [
      ValidatorExample(Options(name: "content-type", present: true), accepts: page, rejects: .example()),
      ValidatorExample(Options(name: "Content-Type", present: false), accepts: .example(), rejects: page),
      ValidatorExample(Options(name: "Content-Type", equals: "text/plain"), accepts: plain, rejects: page),
      ValidatorExample(
        Options(name: "Content-Type", equals: "TEXT/PLAIN", caseless: true), accepts: plain, rejects: page),
      ValidatorExample(
        Options(name: "Content-Type", matches: MatchesValidator.Options(pattern: "^text/html\\b")),
        accepts: page, rejects: plain),
      ValidatorExample(
        Options(line: MatchesValidator.Options(pattern: "^Content-Type: text/html")), accepts: page,
        rejects: .example(fields: ["content-type": "text/html"])),
      ValidatorExample(captured, accepts: page, rejects: .example()),
    ]
  }

  private static func field(_ type: String) -> ProbeResponse {
    .example(fields: ["Content-Type": type])
  }
}
