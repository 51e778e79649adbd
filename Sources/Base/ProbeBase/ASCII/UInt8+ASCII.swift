/// ASCII classification and conversion of bytes.
///
/// The functions are inlinable, because parsers call them for each byte. They compare numbers: a range, or a byte made
/// of a character, costs many times as much in a debug build.
extension UInt8 {
  @inlinable package var isASCIIDigit: Bool {
    self >= 0x30 && self <= 0x39
  }

  /// Whether it can be in a number with a sign, a fraction and an exponent, as in JSON and YAML.
  package var isNumberCharacter: Bool { isASCIIDigit || "+-.eE".utf8.contains(self) }

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

/// Numbers and bytes in hexadecimal digits.
extension UInt8 {
  /// The value of a hexadecimal digit; nil for any other byte.
  @inlinable package var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The digit for the low half of the byte, in lower case.
  @inlinable package var lowHexDigit: UInt8 {
    let value = self & 15
    return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension FixedWidthInteger {
  /// Parses hexadecimal digits only, without sign and underscore; nil if another byte is among them.
  ///
  /// - Parameter digits: The digits, no more than the type has room for; none are 0.
  @inlinable package init?(hexDigits digits: some Sequence<UInt8>) {
    var value: Self = 0
    for digit in digits {
      guard let digit = digit.hexDigitValue else { return nil }
      value = value << 4 | Self(truncatingIfNeeded: digit)
    }
    self = value
  }
}

extension BinaryInteger {
  /// The number in hexadecimal, with zeros in front of fewer digits than `width`.
  @inlinable package func hexText(atLeast width: Int, isUppercase: Bool = false) -> String {
    let digits = String(self, radix: 16, uppercase: isUppercase)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Sequence<UInt8> {
  /// Two digits for each byte, in lower case.
  @inlinable package var hexDigits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      digits.append((byte >> 4).lowHexDigit)
      digits.append(byte.lowHexDigit)
    }
    return digits
  }

  /// Two digits for each byte, in lower case, as a text.
  @inlinable package var hexText: String { String(decoding: hexDigits, as: UTF8.self) }
}
