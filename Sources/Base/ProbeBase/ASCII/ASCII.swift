/// ASCII classification and conversion of bytes.
///
/// The functions are inlinable, because parsers call them for each byte. They compare numbers: a range, or a byte made
/// of a character, costs many times as much in a debug build.
extension UInt8 {
  /// Whether it is a digit.
  @inlinable package var isASCIIDigit: Bool {
    self >= 0x30 && self <= 0x39
  }

  /// Whether it can be in a number with a sign, a fraction and an exponent, as in JSON and YAML.
  package var isOfNumber: Bool { isASCIIDigit || "+-.eE".utf8.contains(self) }

  /// Whether no text in UTF-8 or a legacy charset has it: a "binary data byte" (WHATWG MIME Sniffing §3).
  @inlinable package var isBinaryData: Bool {
    self < 0x20 && (self < 0x09 || self > 0x0D || self == 0x0B) && self != 0x1B
  }

  /// Whether it is a lowercase letter.
  @inlinable package var isASCIILowercase: Bool {
    self >= 0x61 && self <= 0x7A
  }

  /// Whether it is an uppercase letter.
  @inlinable package var isASCIIUppercase: Bool {
    self >= 0x41 && self <= 0x5A
  }

  /// Whether it is a letter.
  @inlinable package var isASCIILetter: Bool { (self | 0x20).isASCIILowercase }

  /// The byte, converted to lowercase if it is a letter.
  @inlinable package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  /// The byte, converted to uppercase if it is a letter.
  @inlinable package var asciiUppercased: UInt8 { isASCIILowercase ? self & ~0x20 : self }

  /// Whether it is valid in a token, such as a method or a field name (RFC 9110 §5.6.2).
  @inlinable package var isTokenCharacter: Bool {
    if isASCIILetter || isASCIIDigit { return true }
    return switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
