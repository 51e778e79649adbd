import ProbeBase

/// A JSON value (RFC 8259 §3).
package enum JSONValue: Hashable, Sendable {
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number of 64 bits without a fraction or an exponent.
  case integer(Int)
  /// Any other number.
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  /// An object, with its members in the order of the text.
  case object([Member])

  /// A name and a value of an object.
  package struct Member: Hashable, Sendable {
    /// The name, unescaped.
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue {
  /// The value of the first member with this name; nil if there is none, or if it is not an object.
  ///
  /// Names are compared by code points (RFC 8259 §8.3): a precomposed é differs from an e with a combining
  /// accent.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The boolean, or nil for another type.
  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The string, or nil for another type.
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The number as an integer, however it is written, such as `1e3`.
  ///
  /// Nil for one with a fraction, one beyond 64 bits, and another type.
  package var wholeNumber: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): value.wholeNumber
    default: nil
    }
  }

  /// The number, however it is written; nil for another type.
  package var number: JSONNumber? {
    switch self {
    case .integer(let value): JSONNumber(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The double nearest to the number; nil for one beyond the range of doubles, and for another type.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value.double.isFinite ? value.double : nil
    default: nil
    }
  }
}

extension JSONValue {
  /// The value as JSON on one line.
  package var text: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .number(let value): return value.text
    case .string(let text): return text.quotedInJSON
    case .array(let elements): return "[\(elements.map(\.text).joined(separator: ","))]"
    case .object(let members):
      return "{\(members.map { "\($0.name.quotedInJSON):\($0.value.text)" }.joined(separator: ","))}"
    }
  }
}

extension JSONValue {
  /// Whether two values are equal in JSON's data model.
  ///
  /// Numbers are compared by value, regardless of their notation. The order of an object's members is
  /// ignored. Strings are compared by code points.
  package func isEqual(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      // Use a dictionary: looking up each name in a list takes quadratic time.
      let values = Dictionary(
        right.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.allSatisfy { values[Array($0.name.utf8)]?.isEqual(to: $0.value) == true }
    default: return order(to: other) == 0
    }
  }

  /// A negative number, 0 or a positive one, if the value is less than, equal to or greater than another; nil
  /// unless both are numbers.
  ///
  /// Numbers are compared as decimals, without rounding.
  package func order(to other: JSONValue) -> Int? {
    if case (.integer(let left), .integer(let right)) = (self, other) {
      return left < right ? -1 : left == right ? 0 : 1
    }
    guard let left = number, let right = other.number else { return nil }
    return left.order(to: right)
  }
}
