internal import ProbeCore
internal import ProbeJSON

/// A checked test of the value at a pointer.
struct JSONTest: Sendable {
  /// The result of a test.
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
    pointer = try InvalidInput.at("at") { () throws(InvalidInput) in try JSONPointer(test.at) }
    var conditions: [Condition] = []
    if let value = test.equals {
      conditions.append(
        .oneOf([try InvalidInput.at("equals") { () throws(InvalidInput) in try value.json() }]))
    }
    if let values = test.in {
      guard !values.isEmpty else {
        throw InvalidInput("the list is empty", remedy: "give at least one value").at("in")
      }
      conditions.append(
        .oneOf(
          try InvalidInput.at("in") { () throws(InvalidInput) in
            try values.map { value throws(InvalidInput) in try value.json() }
          }))
    }
    if let pattern = test.matches {
      conditions.append(
        .matches(
          try InvalidInput.at("matches") { () throws(InvalidInput) in try TextPattern(pattern) }))
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
    let json = try InvalidInput.at(key) { () throws(InvalidInput) in try value.json() }
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

  /// Judges a document.
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
