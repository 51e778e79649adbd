import ProbeBase
internal import CProbePCRE2

extension Pattern {
  /// The maximum total size of the ranges in a caseless pattern, in characters.
  ///
  /// PCRE2 computes the other case of each character of a range beyond U+00FF, which takes milliseconds for a
  /// class.
  static let maximumRange = 2 * 0x11_0000

  /// The approximate size of a compiled pattern in bytes, plus the cost of compiling it at some 10 ns per
  /// byte.
  static func compiledSize(of code: OpaquePointer, length: Int, range: Int) -> Int {
    var (size, translated, names) = (0, 0, UInt32(0))
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_SIZE), &size)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_JITSIZE), &translated)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &names)
    // Each name is compared with all others.
    return translated + 4 * (size + length) + Int(clamping: names) * Int(clamping: names) / 4 + range / 2
  }

  /// The total size of the ranges beyond U+00FF, if any part of the pattern is caseless.
  ///
  /// Anything that looks like a range counts; ranges written by hand are small.
  ///
  /// - Throws: ``PatternError`` if it exceeds the maximum.
  static func checkedRange(of bytes: [UInt8], _ options: PatternOptions) throws(PatternError) -> Int {
    guard !options.contains(.literal), options.contains(.caseless) || turnsCaseOff(bytes) else { return 0 }
    var sum = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "-") {
      let end = endOfRange(bytes[(index + 1)...])
      if end > 0xFF { sum += end }
      guard sum <= maximumRange else {
        throw PatternError(
          .tooLarge, "its ranges have too many characters to be read without case", offset: index)
      }
    }
    return sum
  }

  /// Whether a pattern contains `(?i)` or a similar option setting.
  private static func turnsCaseOff(_ bytes: [UInt8]) -> Bool {
    let flags = Set("^-imnsxaJUDSWPTr".utf8)
    return bytes.indices.dropFirst().contains { index in
      guard bytes[index] == UInt8(ascii: "?"), bytes[index - 1] == UInt8(ascii: "(") else { return false }
      return bytes[(index + 1)...].prefix { flags.contains($0) }.contains(UInt8(ascii: "i"))
    }
  }

  /// The character after a hyphen; 0 unless it is beyond a single byte.
  private static func endOfRange(_ bytes: ArraySlice<UInt8>) -> Int {
    var rest = bytes
    while let byte = rest.first {
      if byte.isSpaceInC {
        rest.removeFirst()
      } else if byte == UInt8(ascii: "\\"), let next = rest.dropFirst().first,
        next == UInt8(ascii: "Q") || next == UInt8(ascii: "E")
      {
        rest.removeFirst(2)
      } else {
        break
      }
    }
    guard let first = rest.first else { return 0 }
    if first >= 0x80 {
      // The maximum code point of characters of this length.
      return first >= 0xF0 ? 0x10FFFF : first >= 0xE0 ? 0xFFFF : 0x7FF
    }
    guard first == UInt8(ascii: "\\"), let kind = rest.dropFirst().first,
      kind != UInt8(ascii: "x") || rest.dropFirst(2).first == UInt8(ascii: "{"),
      "xoN".utf8.contains(kind)
    else { return 0 }
    let isOctal = kind == UInt8(ascii: "o")
    // Up to the first byte that cannot be part of it, so that no byte is examined for two hyphens.
    let digits = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "-") }
    return digits.reduce(0) { sum, digit in
      guard let value = digit.hexDigitValue else { return sum }
      return min(0x10FFFF, sum * (isOctal ? 8 : 16) + Int(widening: value))
    }
  }
}
