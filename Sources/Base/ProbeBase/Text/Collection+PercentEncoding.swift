/// Percent-encoding (RFC 3986 §2.1).
extension Collection<UInt8> {
  /// The bytes with `%XX` decoded once; any other `%` is kept, as in browsers.
  ///
  /// - Parameter readsPlusAsSpace: Whether `+` is a space, as in forms (WHATWG URL §5.1).
  /// - Returns: The decoded bytes.
  @inlinable package func percentDecoded(readsPlusAsSpace: Bool = false) -> [UInt8] {
    decoded(readsPlusAsSpace: readsPlusAsSpace, isStrict: false) ?? []
  }

  /// The bytes with `%XX` decoded once; nil if there is any other `%`.
  ///
  /// - Parameter readsPlusAsSpace: Whether `+` is a space, as in forms (WHATWG URL §5.1).
  /// - Returns: The decoded bytes, or nil.
  @inlinable package func strictlyPercentDecoded(readsPlusAsSpace: Bool = false) -> [UInt8]? {
    decoded(readsPlusAsSpace: readsPlusAsSpace, isStrict: true)
  }

  @inlinable func decoded(readsPlusAsSpace: Bool, isStrict: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var rest = self[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = rest.prefix(2)
        if digits.count == 2, let value = UInt8(hexDigits: digits) {
          bytes.append(value)
          rest = rest[digits.endIndex...]
          continue
        }
        if isStrict { return nil }
      }
      bytes.append(readsPlusAsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
    return bytes
  }

  /// The bytes with those percent-encoded, in capital digits, for which the closure returns true.
  @inlinable package func percentEncoded(where mustBe: (UInt8) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for byte in self {
      if mustBe(byte) {
        result.append(UInt8(ascii: "%"))
        result.append((byte >> 4).lowHexDigit.asciiUppercased)
        result.append(byte.lowHexDigit.asciiUppercased)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// The text with every byte percent-encoded for which the closure returns true.
  @inlinable package func percentEncodedText(where mustBe: (UInt8) -> Bool) -> String {
    contains(where: mustBe)
      ? String(decoding: percentEncoded(where: mustBe), as: UTF8.self) : String(decoding: self, as: UTF8.self)
  }

  /// The text with every byte percent-encoded that is not unreserved (RFC 3986 §2.3), except those that
  /// `isKept` names.
  @inlinable package func percentEncodedComponent(keeping isKept: (UInt8) -> Bool = { _ in false }) -> String
  {
    percentEncodedText(where: {
      !($0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) || isKept($0))
    })
  }
}
