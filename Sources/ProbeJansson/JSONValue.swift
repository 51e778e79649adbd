/// A value of a text in JSON (RFC 8259 §3).
package enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction and an exponent.
  case integer(Int)
  /// Another number, or one that is too large for an integer.
  case real(Double)
  /// A text.
  case string(String)
  /// Values in their order.
  case array([JSONValue])
  /// Members in the order of the text.
  case object([Member])

  /// A name of an object with its value.
  package struct Member: Hashable, Sendable {
    /// The name, unescaped.
    package let name: String
    /// The value.
    package let value: JSONValue

    /// A member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue {
  /// The value of the first member with this name; nil when there is none, and for what is no object.
  ///
  /// Names are compared by their characters' codes (RFC 8259 §8.3): an é in one is not an e with an accent in two.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The truth value, or nil for another kind.
  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The text, or nil for another kind.
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The whole number, however it is written, such as `1e3`; nil for another, for one beyond 64 bits, and for another
  /// kind.
  package var wholeNumber: Int? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int(exactly: value)
    default: nil
    }
  }
}
