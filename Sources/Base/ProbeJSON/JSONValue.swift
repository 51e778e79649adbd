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
