public import ProbeCore

/// Accepts a response with one of the given HTTP statuses; `status` in a pipeline file.
public struct StatusValidator: ConfigurableValidator {
  /// The statuses to accept: in a file `status: 204`, `status: 2xx`, `status: 200-299` or a list of these.
  public struct Options: Hashable, Sendable {
    /// The statuses, as written: codes, classes such as `2xx`, and ranges such as `200-299`.
    public var statuses: [String]

    /// Creates options.
    public init(statuses: [String]) {
      self.statuses = statuses
    }
  }

  /// The key in a pipeline file.
  public static let name = "status"
  /// A summary of the accepted responses.
  public static let summary: String? =
    "the response has one of these status codes: a code, a class such as 2xx, a range, or a list"

  private let ranges: [ClosedRange<Int>]
  private let expected: String

  /// Creates a validator for these statuses.
  ///
  /// - Parameter statuses: Codes, classes such as `2xx`, and ranges such as `200-299`.
  /// - Throws: `InvalidInput` for anything else, or if there is no status.
  public init(_ statuses: String...) throws(InvalidInput) {
    try self.init(options: Options(statuses: statuses))
  }

  /// Creates a validator for one status.
  ///
  /// - Throws: `InvalidInput` if the code is not between 100 and 999.
  public init(_ code: Int) throws(InvalidInput) {
    try self.init(options: Options(statuses: ["\(code)"]))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if a text is not a status, or if there is no status.
  public init(options: Options) throws(InvalidInput) {
    ranges = try StatusRange.parseAll(options.statuses)
    let last = options.statuses.last ?? ""
    let others = options.statuses.dropLast().joined(separator: ", ")
    expected = others.isEmpty ? "status \(last)" : "status \(others) or \(last)"
  }

  /// The status, which only HTTP has.
  public var judges: ResponseParts { [.status, .content, .http] }

  /// Judges the status.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let head = response.head else {
      return .rejected(.httpStatus, expected: expected, found: "a response without an HTTP status")
    }
    if ranges.contains(where: { $0.contains(head.status) }) { return .accepted }
    return .rejected(.httpStatus, expected: expected, found: head.statusForDisplay)
  }
}

extension StatusValidator.Options: DeclaredOptions {
  /// One status, which is a number or a text, or a list of them.
  public static let declaration = OptionsDeclaration(
    Self(statuses: []),
    short: .value(
      of: { OneOrMore($0.statuses.map(Status.init(text:))) },
      make: { Self(statuses: $0.items.map(\.text)) }))

  private struct Status: Codable, Hashable, Sendable, SchemaProviding {
    static let schema: ValueSchema = {
      let text = ValueSchema.text(
        pattern: "^([1-9][xX]{2}|[1-9][0-9]{2}(-[1-9][0-9]{2})?)$", canBeNumber: false, canBeBoolean: false,
        examples: ["2xx", "200-299"])
      return .anyOf([.integer(in: 100...999), text])
    }()

    var text: String

    init(text: String) {
      self.text = text
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let code = try? container.decode(Int.self) {
        text = "\(code)"
      } else {
        text = try container.decode(String.self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let code = Int(text: text), "\(code)" == text {
        try container.encode(code)
      } else {
        try container.encode(text)
      }
    }
  }
}

/// Parses status codes in a pipeline file.
enum StatusRange {
  /// The valid codes: three digits (RFC 9112 §4), the first of them not zero.
  private static let possible = 100...999

  /// The codes that the texts of a list represent.
  ///
  /// - Throws: `InvalidInput` if a text is not a status, or if the list is empty.
  static func parseAll(_ texts: [String]) throws(InvalidInput) -> [ClosedRange<Int>] {
    guard !texts.isEmpty else {
      throw InvalidInput("the list of statuses is empty", remedy: "give at least one, such as 204 or 2xx")
    }
    return try texts.mapItems { text throws(InvalidInput) in try parse(text) }
  }

  /// The codes that a text represents: `204`, `2xx` or `200-299`.
  static func parse(_ text: String) throws(InvalidInput) -> ClosedRange<Int> {
    let bytes = Array(text.utf8)
    if bytes.count == 3, bytes[1...].allSatisfy({ $0 | 0x20 == UInt8(ascii: "x") }),
      let hundreds = Int(text: text.prefix(1)), hundreds > 0
    {
      return (hundreds * 100)...(hundreds * 100 + 99)
    }
    // A hyphen at the start is a sign, not a range.
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, !text.hasPrefix("-") else {
      let code = try code(text[...], in: text)
      return code...code
    }
    let (lower, upper) = (try code(parts[0], in: text), try code(parts[1], in: text))
    guard lower <= upper else {
      throw InvalidInput("the range \(text) of statuses runs backwards", remedy: "write \(upper)-\(lower)")
    }
    return lower...upper
  }

  private static func code(_ digits: Substring, in text: String) throws(InvalidInput) -> Int {
    guard !digits.hasPrefix("+"), let code = Int(text: digits) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a status", remedy: "write a code (204), a class (2xx) or a range (200-299)"
      )
    }
    guard possible.contains(code) else {
      throw InvalidInput("the status \(code) does not exist", remedy: "codes are from 100 to 999")
    }
    return code
  }
}

extension StatusValidator {
  /// A single code, and the ways to specify several.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(statuses: ["204"]), accepts: .example(status: 204), rejects: .example(body: "log in first")),
      ValidatorExample(
        Options(statuses: ["2xx", "401", "500-503"]), accepts: .example(status: 502),
        rejects: .example(status: 302, fields: ["Location": "http://login.example/"])),
    ]
  }
}
