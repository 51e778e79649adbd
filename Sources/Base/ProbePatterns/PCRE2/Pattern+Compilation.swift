import ProbeBase
internal import CProbePCRE2

extension Pattern {
  /// The maximum total size of the ranges in a caseless pattern, in characters.
  ///
  /// PCRE2 computes the other case of each character of a range beyond U+00FF, which takes milliseconds for a
  /// class.
  static let maximumCaselessRangeSize = 2 * 0x11_0000

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
      guard sum <= maximumCaselessRangeSize else {
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

/// Patterns for which PCRE2 before 10.43 generates incorrect machine code; Debian 12 has 10.42.
///
/// With both faults, machine code finds other matches than the interpreter. Patterns are recognized by their
/// bytes, with false positives.
extension Pattern {
  /// The way to obtain correct machine code for a pattern from the running library.
  enum Translation: Equatable {
    /// The pattern is compiled unchanged.
    case same
    /// The pattern must have a callout at its start.
    case calloutAtStart
    /// There is none; the pattern is interpreted.
    case none
  }

  private static let isLibraryFaulty: Bool = {
    let numbers = libraryVersion.split(separator: ".").map { Int(text: $0.prefix(while: \.isNumber)) ?? 0 }
    return numbers.lexicographicallyPrecedes([10, 43])
  }()

  /// The way to obtain correct machine code for a valid pattern.
  ///
  /// - A possessively repeated group, such as `(a)*+`, has false matches (issue 324 of PCRE2).
  /// - After a group with alternatives, positions at which a match starts are skipped: `(a|)b*a` does not
  ///   match `a` (fixed by commit 2b926df8 of PCRE2). A callout at the start prevents only this optimization.
  static func translation(of bytes: [UInt8], _ options: PatternOptions) -> Translation {
    guard isLibraryFaulty, options.isDisjoint(with: [.literal, .allMatches]) else { return .same }
    let text = String(decoding: bytes, as: UTF8.self)
    if [")*+", ")++", ")?+", "}+"].contains(where: { text.contains($0) }) { return .none }
    guard var rest = bytes.firstIndex(of: UInt8(ascii: "(")).map({ bytes[$0...] }) else { return .same }
    for byte in "|)".utf8 {
      guard let index = rest.firstIndex(of: byte) else { return .same }
      rest = rest[index...]
    }
    guard rest.contains(where: { "*+{".utf8.contains($0) }) else { return .same }
    // A comment or quotation could contain the end of the group; verbs such as `(*LF)` must be at the start.
    guard !["#", #"\Q"#, "(*"].contains(where: { text.contains($0) }) else { return .none }
    return .calloutAtStart
  }
}
