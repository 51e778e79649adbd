internal import CProbePCRE2

extension Pattern {
  /// How many characters the ranges of a pattern that is read without case may take in together.
  ///
  /// PCRE2 looks for the other case of each character of a range that goes beyond U+00FF: milliseconds for a class.
  static let maximumRange = 2 * 0x11_0000

  /// About how many bytes a compiled pattern takes, with as much for the work of compiling it: some 10 ns each.
  static func compiledSize(of code: OpaquePointer, length: Int, range: Int) -> Int {
    var (size, translated, names) = (0, 0, UInt32(0))
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_SIZE), &size)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_JITSIZE), &translated)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &names)
    // Each name is compared with all others.
    return translated + 4 * (size + length) + Int(names) * Int(names) / 4 + range / 2
  }

  /// How many characters the ranges beyond U+00FF may take in, if case does not count in some part of the pattern.
  ///
  /// What only looks like a range counts too; written by hand, none of these is large.
  ///
  /// - Throws: ``PatternError`` when they are too many.
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

  /// Whether `(?i)` or the like stands in a pattern.
  private static func turnsCaseOff(_ bytes: [UInt8]) -> Bool {
    let flags = Set("^-imnsxaJUDSWPTr".utf8)
    return bytes.indices.dropFirst().contains { index in
      guard bytes[index] == UInt8(ascii: "?"), bytes[index - 1] == UInt8(ascii: "(") else { return false }
      return bytes[(index + 1)...].prefix { flags.contains($0) }.contains(UInt8(ascii: "i"))
    }
  }

  /// The character that stands behind a hyphen: 0 for none beyond those of one byte.
  private static func endOfRange(_ bytes: ArraySlice<UInt8>) -> Int {
    var rest = bytes
    while let byte = rest.first {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
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
      // The most that characters of so many bytes can be.
      return first >= 0xF0 ? 0x10FFFF : first >= 0xE0 ? 0xFFFF : 0x7FF
    }
    guard first == UInt8(ascii: "\\"), let kind = rest.dropFirst().first,
      kind != UInt8(ascii: "x") || rest.dropFirst(2).first == UInt8(ascii: "{"),
      "xoN".utf8.contains(kind)
    else { return 0 }
    let isOctal = kind == UInt8(ascii: "o")
    // Up to what can be no part of it, so that no byte is looked at for two hyphens.
    let digits = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "-") }
    return digits.reduce(0) { sum, digit in
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return sum }
      return min(0x10FFFF, sum * (isOctal ? 8 : 16) + value)
    }
  }
}
