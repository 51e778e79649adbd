/// ASCII classification and conversion of bytes.
///
/// The functions are inlinable, because parsers call them for each byte.
extension UInt8 {
  /// Whether it is a digit.
  @inlinable package var isASCIIDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  /// Whether no text in UTF-8 or a legacy charset has it: a "binary data byte" (WHATWG MIME Sniffing §3).
  @inlinable package var isBinaryData: Bool {
    self < 0x20 && !(0x09...0x0D).contains(self) && self != 0x1B || self == 0x0B
  }

  /// Whether it is a lowercase letter.
  @inlinable package var isASCIILowercase: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }

  /// Whether it is an uppercase letter.
  @inlinable package var isASCIIUppercase: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }

  /// Whether it is a letter.
  @inlinable package var isASCIILetter: Bool { (self | 0x20).isASCIILowercase }

  /// The byte, converted to lowercase if it is a letter.
  @inlinable package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  /// The byte, converted to uppercase if it is a letter.
  @inlinable package var asciiUppercased: UInt8 { isASCIILowercase ? self & ~0x20 : self }

  /// The value of a hexadecimal digit; nil for any other byte.
  @inlinable package var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether it is valid in a token, such as a method or a field name (RFC 9110 §5.6.2).
  @inlinable package var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
