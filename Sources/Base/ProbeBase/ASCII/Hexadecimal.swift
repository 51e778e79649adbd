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
