import ProbeBase
internal import FoundationEssentials

/// A number as in JSON (RFC 8259 §6), exact: its text, and comparisons by its decimal value.
///
/// The grammar limits neither the digits nor the exponent of a number; a double has 53 bits, and no number beyond
/// about 1.8e308.
package struct JSONNumber: Hashable, Sendable {
  /// The number as it is written.
  package let text: String

  private init(checked text: String) { self.text = text }

  /// A number from its text; nil if the whole text is not a number in JSON.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let found = Self.find(in: bytes, from: 0), found.end == bytes.count else { return nil }
    self.init(checked: text)
  }

  package init(_ value: Int) { self.init(checked: "\(value)") }

  /// The shortest decimal number that a double is nearest to; nil if it is infinite or not a number.
  package init?(_ value: Double) { self.init("\(value)") }

  /// Finds the number that begins at a position in a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - start: The position of the first byte of the number.
  /// - Returns: The position after the number, and whether it has neither a fraction nor an exponent; nil if there is no
  ///   number.
  package static func find(in bytes: [UInt8], from start: Int) -> (end: Int, isInteger: Bool)? {
    var end = start
    func skipDigits() -> Bool {
      let first = end
      while end < bytes.count, bytes[end].isASCIIDigit { end += 1 }
      return end > first
    }
    func skip(_ characters: StaticString) -> Bool {
      guard end < bytes.count,
        unsafe UnsafeBufferPointer(
          start: characters.utf8Start, count: characters.utf8CodeUnitCount
        ).contains(bytes[end])
      else { return false }
      end += 1
      return true
    }
    _ = skip("-")
    if !skip("0"), !skipDigits() { return nil }
    var isInteger = true
    if skip(".") {
      isInteger = false
      guard skipDigits() else { return nil }
    }
    if skip("eE") {
      isInteger = false
      _ = skip("+-")
      guard skipDigits() else { return nil }
    }
    return (end, isInteger)
  }
}

extension JSONNumber {
  /// The parts of a value: the digits after `0.`, times 10 to the power of the exponent.
  private struct Parts {
    var isNegative = false
    /// The digits from the first to the last that is not 0; empty for zero.
    var digits: [UInt8] = []
    var exponent = 0
  }

  /// The exponents that are exact; one beyond them counts as the bound.
  private static let exponents = -1_000_000_000_000_000_000...1_000_000_000_000_000_000

  private var decimal: Parts {
    let zero = UInt8(ascii: "0")
    var decimal = Parts()
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") {
      decimal.isNegative = true
      rest = rest.dropFirst()
    }
    let whole = rest.prefix(while: \.isASCIIDigit)
    rest = rest[whole.endIndex...]
    decimal.digits = Array(whole)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
      decimal.digits += fraction
      rest = rest[fraction.endIndex...]
    }
    decimal.exponent = whole.count + Self.exponent(rest.dropFirst())
    guard let first = decimal.digits.firstIndex(where: { $0 != zero }),
      let last = decimal.digits.lastIndex(where: { $0 != zero })
    else { return Parts() }
    decimal.digits = Array(decimal.digits[first...last])
    decimal.exponent -= first
    return decimal
  }

  /// The exponent after the letter `e`; 0 if there is none.
  private static func exponent(_ text: Substring.UTF8View) -> Int {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.drop { !$0.isASCIIDigit }.drop { $0 == UInt8(ascii: "0") }
    guard digits.count <= 18 else { return isNegative ? exponents.lowerBound : exponents.upperBound }
    let size = digits.reduce(0) { $0 * 10 + Int(widening: $1 - UInt8(ascii: "0")) }
    return isNegative ? 0 - size : size
  }

  /// A negative number, 0 or a positive one, if the value is less than, equal to or greater than another.
  package func order(to other: JSONNumber) -> Int {
    let (left, right) = (decimal, other.decimal)
    func sign(_ number: Parts) -> Int { number.digits.isEmpty ? 0 : number.isNegative ? -1 : 1 }
    guard sign(left) == sign(right) else { return sign(left) < sign(right) ? -1 : 1 }
    if left.digits.isEmpty || left.exponent == right.exponent && left.digits == right.digits { return 0 }
    let isNearerToZero =
      left.exponent == right.exponent
      ? left.digits.lexicographicallyPrecedes(right.digits) : left.exponent < right.exponent
    return isNearerToZero == left.isNegative ? 1 : -1
  }

  /// Whether it has no fraction, however it is written: `1e3` and `1.0` have none.
  package var isWhole: Bool {
    let decimal = decimal
    return decimal.digits.count <= max(0, decimal.exponent)
  }

  /// The whole number; nil for one with a fraction, and one beyond 64 bits.
  package var wholeNumber: Int? {
    let decimal = decimal
    guard decimal.digits.count <= max(0, decimal.exponent), decimal.exponent <= 19 else { return nil }
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: decimal.exponent - decimal.digits.count)
    let digits = String(decoding: [UInt8(ascii: "0")] + decimal.digits + zeros, as: UTF8.self)
    return Int(text: (decimal.isNegative ? "-" : "") + digits, in: .min ... .max)
  }

  /// The nearest double; infinite for a number beyond the range of doubles.
  package var double: Double {
    Double(text) ?? (text.utf8.first == UInt8(ascii: "-") ? -.infinity : .infinity)
  }
}

extension JSONNumber: Decodable {
  /// Decodes a number as exactly as the decoder allows.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Decimal.self), let exact = Self("\(number)") {
      self = exact
      return
    }
    guard let number = Self(try container.decode(Double.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number in JSON")
    }
    self = number
  }
}
