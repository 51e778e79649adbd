internal import ProbeCore
import ProbeBase

/// Parses scalars as texts, numbers, booleans and times, and creates the errors for unexpected values.
enum ScalarRules {
  /// Reads a scalar as a type.
  ///
  /// - Returns: The value; nil if those of the type are not read from scalars by these rules.
  /// - Throws: The error in the scalar.
  static func value(
    of node: SourceNode, _ field: String, as type: any Any.Type
  ) throws(InvalidInput) -> Any? {
    switch type {
    case is String.Type: try text(node, field)
    case is Bool.Type: try boolean(node, field)
    case is Duration.Type: try duration(node, field)
    case is JSONNumber.Type: try exactNumber(node, field)
    case let type as any FixedWidthInteger.Type: try integer(node, field, type)
    case let type as any (BinaryFloatingPoint & LosslessStringConvertible).Type: try number(node, field, type)
    default: nil
    }
  }

  /// A text.
  static func text(
    _ node: SourceNode, _ field: String, canBeEmpty: Bool = true
  ) throws(InvalidInput) -> String {
    guard let scalar = node.scalar else {
      throw InvalidInput("\(field) must be a text, not \(node.kindName)")
    }
    guard canBeEmpty || !scalar.text.isEmpty else { throw InvalidInput("\(field) is empty") }
    return scalar.text
  }

  private static func integer<Number: FixedWidthInteger>(
    _ node: SourceNode, _ field: String, _ type: Number.Type
  ) throws(InvalidInput) -> Number {
    try integer(node, field, in: type.min...type.max)
  }

  /// An integer within bounds, in decimal digits without quotes.
  static func integer<Number: FixedWidthInteger>(
    _ node: SourceNode, _ field: String, in bounds: ClosedRange<Number>
  ) throws(InvalidInput) -> Number {
    let scalar = node.scalar
    let digits = scalar?.text.hasPrefix("-") == true ? scalar?.text.dropFirst() : scalar?.text[...]
    guard let scalar, scalar.isPlain, let digits, !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit)
    else {
      throw mismatch(
        node, field, "a whole number", isMeant: scalar.map { Int(text: $0.text) != nil } ?? false)
    }
    guard let number = Number(scalar.text), bounds.contains(number) else {
      let (low, high) = (bounds.lowerBound, bounds.upperBound)
      let remedy =
        high == .max && Number.bitWidth >= 64
        ? "\(low) or more" : low == high ? "\(low)" : "one from \(low) to \(high)"
      throw InvalidInput("\(field) cannot be \(Excerpt(scalar.text, limit: 24))", remedy: "use " + remedy)
    }
    return number
  }

  /// A number in decimal digits without quotes, optionally with a decimal point and an exponent.
  static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ node: SourceNode, _ field: String, _ type: Number.Type
  ) throws(InvalidInput) -> Number {
    let scalar = node.scalar
    let isNumber = scalar.map {
      $0.text.utf8.contains(where: \.isASCIIDigit) && $0.text.utf8.allSatisfy(\.isNumberCharacter)
    }
    guard let scalar, isNumber == true, scalar.isPlain, let number = Number(scalar.text) else {
      throw mismatch(node, field, "a number", isMeant: isNumber ?? false)
    }
    guard number.isFinite else {
      throw InvalidInput(
        "\(field) cannot be \(Excerpt(scalar.text, limit: 24))", remedy: "use a smaller number")
    }
    return number
  }

  /// A number as in JSON without quotes, with all its digits.
  static func exactNumber(_ node: SourceNode, _ field: String) throws(InvalidInput) -> JSONNumber {
    if let scalar = node.scalar, scalar.isPlain, let number = JSONNumber(scalar.text) { return number }
    throw mismatch(node, field, "a number", isMeant: node.scalar.map { JSONNumber($0.text) != nil } ?? false)
  }

  /// `true` or `false`, without quotes.
  static func boolean(_ node: SourceNode, _ field: String) throws(InvalidInput) -> Bool {
    if let scalar = node.scalar, scalar.isPlain, let value = Bool(scalar.text) { return value }
    throw mismatch(node, field, "true or false", isMeant: node.scalar.map { Bool($0.text) != nil } ?? false)
  }

  /// A time such as `5s`.
  static func duration(
    _ node: SourceNode, _ field: String, in bounds: ClosedRange<Duration> = .zero ... .nanoseconds(Int.max)
  ) throws(InvalidInput) -> Duration {
    guard let scalar = node.scalar else {
      throw InvalidInput("\(field) must be a time such as 5s, not \(node.kindName)")
    }
    return try ValueSyntax.duration(scalar.text, in: bounds)
  }

  /// The error for a word that is not one of the possible names.
  static func noChoice(_ node: SourceNode, _ field: String, among names: [String]) -> InvalidInput {
    guard let text = node.scalar?.text else {
      return InvalidInput(
        "\(field) must be one word, not \(node.kindName)", remedy: "use \(names.alternatives)")
    }
    let nearest = nearestName(to: text, among: names).map { "did you mean \($0)?" }
    return InvalidInput("\(field) cannot be \(Excerpt(text))", remedy: nearest ?? "use \(names.alternatives)")
  }

  /// The error for a list or a scalar instead of a mapping.
  static func noMapping(_ node: SourceNode, _ field: String) -> InvalidInput {
    InvalidInput(
      "\(field) must be a mapping, not \(node.kindName)", remedy: "write it as lines of KEY: VALUE")
  }

  /// The error for a mapping or a scalar instead of a list.
  static func noList(_ node: SourceNode, _ field: String) -> InvalidInput {
    InvalidInput(
      "\(field) must be a list, not \(node.kindName)",
      remedy: "write its items in lines that start with \"- \"")
  }

  /// The error for a field without a value.
  static func noValue(_ field: String) -> InvalidInput {
    InvalidInput("\(field) has no value", remedy: "give it one, or omit the key")
  }

  /// The error for a missing required key.
  static func noKey(_ key: String, in name: String, example: String) -> InvalidInput {
    InvalidInput("\(name) has no \(key)", remedy: "add a line such as \(key): \(example)")
  }

  private static func mismatch(
    _ node: SourceNode, _ field: String, _ kind: String, isMeant: Bool
  ) -> InvalidInput {
    let found = node.scalar.map { Excerpt($0.text).description } ?? node.kindName
    let isQuoted = isMeant && node.scalar?.isPlain == false
    return InvalidInput(
      "\(field) must be \(kind), not \(found)\(isQuoted ? " in quotes" : "")",
      remedy: isQuoted ? "remove the quotes" : nil)
  }
}
