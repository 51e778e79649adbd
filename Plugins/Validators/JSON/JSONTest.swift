internal import ProbeCore
internal import ProbeJSON

/// A checked test of the value at a pointer.
struct JSONTest: Sendable {
  enum Finding {
    case passed(captures: [String: String])
    case failed(found: String)
    case limit
  }

  private enum Condition: Sendable {
    case oneOf([JSONValue])
    case matches(TextPattern)
    case above(JSONValue)
    case below(JSONValue)
  }

  private let pointer: JSONPointer
  private let isAbsent: Bool
  private let conditions: [Condition]
  private let capture: String?

  /// Checks a test.
  ///
  /// - Throws: `InvalidInput` if the pointer, a pattern or the name of the capture is invalid, or if a test
  ///   for a missing value has other conditions.
  init(_ test: JSONValidator.Test) throws(InvalidInput) {
    pointer = try InvalidInput.at(key: "at", JSONPointer(test.at))
    var conditions: [Condition] = []
    if let value = test.equals {
      conditions.append(.oneOf([try InvalidInput.at(key: "equals", value.json())]))
    }
    if let values = test.in {
      guard !values.isEmpty else {
        throw InvalidInput("the list is empty", remedy: "give at least one value").at("in")
      }
      conditions.append(
        .oneOf(try values.mapItems(at: "in") { value throws(InvalidInput) in try value.json() }))
    }
    if let pattern = test.matches {
      conditions.append(.matches(try InvalidInput.at(key: "matches", TextPattern(pattern))))
    }
    if let bound = test.above { conditions.append(.above(try Self.number(bound, "above"))) }
    if let bound = test.below { conditions.append(.below(try Self.number(bound, "below"))) }
    if let name = test.capture { try CaptureName.check(name) }
    isAbsent = test.exists == false
    if isAbsent, !conditions.isEmpty || test.capture != nil {
      throw InvalidInput(
        "exists: false cannot be combined with other conditions", remedy: "omit it, or the others"
      ).at("exists")
    }
    self.conditions = conditions
    capture = test.capture
  }

  private static func number(_ value: JSONValidator.Value, _ key: String) throws(InvalidInput) -> JSONValue {
    let json = try InvalidInput.at(key: key, value.json())
    guard json.number != nil else {
      throw InvalidInput("\(key) must be a number, not \(json.shown)").at(key)
    }
    return json
  }

  /// The approximate size of its patterns in bytes.
  var compiledSize: Int {
    conditions.reduce(0) { size, condition in
      if case .matches(let pattern) = condition { size + pattern.compiledSize } else { size }
    }
  }

  /// A description of the requirement, such as `"pass" at /status`.
  var expected: String {
    let location = pointer.text.isEmpty ? "as the document" : "at \(pointer.text.escapedForDisplay)"
    if isAbsent { return "no value \(location)" }
    if conditions.isEmpty { return "a value \(location)" }
    return conditions.map(Self.words).joined(separator: " and ") + " " + location
  }

  private static func words(_ condition: Condition) -> String {
    switch condition {
    case .oneOf(let values):
      let shown = values.prefix(5).map(\.shown).joined(separator: " or ")
      return values.count > 5 ? "\(shown) or \(values.count - 5) others" : shown
    case .matches(let pattern): return "a string that matches \(pattern)"
    case .above(let bound): return "a number above \(bound.shown)"
    case .below(let bound): return "a number below \(bound.shown)"
    }
  }

  func judge(_ document: JSONValue) -> Finding {
    let value: JSONValue
    switch pointer.find(in: document) {
    case .failure(let missing): return isAbsent ? .passed(captures: [:]) : .failed(found: missing.words)
    case .success(let found): value = found
    }
    if isAbsent { return .failed(found: value.shown) }
    var captures: [String: String] = [:]
    for condition in conditions {
      switch Self.judge(value, condition) {
      case .passed(let groups): captures.merge(groups) { first, _ in first }
      case let other: return other
      }
    }
    if let capture { captures[capture] = value.string ?? value.text }
    return .passed(captures: captures)
  }

  private static func judge(_ value: JSONValue, _ condition: Condition) -> Finding {
    switch condition {
    case .oneOf(let values):
      return values.contains { value.isEqual(to: $0) }
        ? .passed(captures: [:]) : .failed(found: value.shown)
    case .above(let bound): return judge(value.order(to: bound).map { $0 > 0 }, value)
    case .below(let bound): return judge(value.order(to: bound).map { $0 < 0 }, value)
    case .matches(let pattern):
      guard let text = value.string else { return judge(nil, value) }
      switch pattern.search(Array(text.utf8).span) {
      case .match(let captures): return .passed(captures: captures)
      case .noMatch: return .failed(found: value.shown)
      case .limit: return .limit
      }
    }
  }

  /// The result of a condition; nil if the value is of another kind.
  private static func judge(_ holds: Bool?, _ value: JSONValue) -> Finding {
    if holds == true { return .passed(captures: [:]) }
    return .failed(found: holds == nil ? "\(value.shown), which is \(value.kind)" : value.shown)
  }
}

/// A JSON Pointer (RFC 6901): the path from a document to a value in it.
struct JSONPointer: Hashable, Sendable {
  /// The pointer as written.
  let text: String
  /// The names and indexes on the path, unescaped.
  private let tokens: [String]

  /// Parses a pointer; an empty one refers to the whole document.
  ///
  /// - Throws: `InvalidInput` if the text does not start with a slash, or has a `~` without 0 or 1 after it.
  init(_ text: String) throws(InvalidInput) {
    self.text = text
    guard !text.isEmpty else {
      tokens = []
      return
    }
    // Compare code points: otherwise, an accent after a slash would hide it.
    guard text.unicodeScalars.first == "/" else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a JSON Pointer",
        remedy: "write it as \(Self.guess(from: text)), with a slash before each name or index")
    }
    var tokens: [String] = []
    for part in text.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      tokens.append(try Self.unescaped(part, in: text))
    }
    self.tokens = tokens
  }

  /// The pointer that probably corresponds to a path in another notation, such as `$.checks.db[0]`.
  private static func guess(from text: String) -> String {
    let names = text.split { "./[]$'\"".contains($0) }
    return names.isEmpty ? "/status" : names.map { "/\($0)" }.joined().escapedForDisplay
  }

  private static func unescaped(
    _ part: Substring.UnicodeScalarView, in text: String
  ) throws(InvalidInput) -> String {
    var token = String.UnicodeScalarView()
    var rest = part
    while let scalar = rest.popFirst() {
      guard scalar == "~" else {
        token.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "0": token.append("~")
      case "1": token.append("/")
      default:
        throw InvalidInput(
          "\(Excerpt(text)) has a ~ without 0 or 1 after it", remedy: "write ~0 for ~, and ~1 for / in a name"
        )
      }
    }
    return String(token)
  }

  /// The value at the pointer in a document, or the reason why there is none.
  func find(in document: JSONValue) -> Result<JSONValue, Missing> {
    var value = document
    for (depth, token) in tokens.enumerated() {
      let next: JSONValue?
      switch value {
      case .object: next = value[token]
      case .array(let elements): next = Self.index(token).flatMap { $0 < elements.count ? elements[$0] : nil }
      default: next = nil
      }
      guard let next else { return .failure(Missing(path: tokens.prefix(depth), token: token, in: value)) }
      value = next
    }
    return .success(value)
  }

  /// The array index in a token: digits without leading zeros (RFC 6901 §4).
  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy(\.isASCIIDigit), token == "0" || !token.hasPrefix("0") else { return nil }
    return Int(text: token)
  }
}

extension JSONPointer {
  /// The reason why a document has no value at a pointer.
  struct Missing: Error {
    /// The reason, such as `no member "db" in the object at /checks`.
    let words: String

    fileprivate init(path: some Sequence<String>, token: String, in value: JSONValue) {
      let path = path.map { "/\($0)" }.joined()
      let location = path.isEmpty ? "the document" : "the value at \(path.escapedForDisplay)"
      switch value {
      case .object: words = "no member \(Excerpt(token)) in \(location)"
      case .array(let elements):
        words = "no element \(Excerpt(token)) in the \(elements.count) of \(location)"
      default: words = "\(value.kind) as \(location), which has no members"
      }
    }
  }
}

extension JSONValue {
  /// The kind of value with its article, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value for a message: JSON, truncated if it is long.
  var shown: String {
    let text = text
    let limit = 80
    guard text.utf8.count > limit else { return text.escapedForDisplay }
    return String(decoding: text.utf8.prefix(limit), as: UTF8.self).escapedForDisplay + "…"
  }
}
