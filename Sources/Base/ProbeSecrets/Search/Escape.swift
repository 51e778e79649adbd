import ProbeBase

/// One reading of bytes as an escape for other bytes, such as `%2F`, `&amp;` or `\u00e9`.
struct Escape {
  /// The length of the escape in the text, in bytes.
  let length: Int
  /// The number of bytes it decodes to, 0 to 4.
  let count: Int
  /// The decoded bytes, the first one lowest.
  private let packed: UInt32

  /// An escape that decodes to one byte.
  init(_ byte: UInt8, length: Int) {
    self.length = length
    count = 1
    packed = UInt32(widening: byte)
  }

  /// An escape that decodes to nothing, such as a line break in Base64.
  init(skipping length: Int) {
    self.length = length
    count = 0
    packed = 0
  }

  /// An escape that decodes to a character, in UTF-8.
  init(_ scalar: Unicode.Scalar, length: Int) {
    self.length = length
    var bytes: UInt32 = 0
    var count = 0
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      bytes |= UInt32(widening: byte) << (8 * count)
      count += 1
    }
    (packed, self.count) = (bytes, count)
  }

  /// The same escape with another length.
  init(_ other: Escape, length: Int) {
    self.length = length
    count = other.count
    packed = other.packed
  }

  /// One of the decoded bytes.
  subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * index)) }

  /// Whether it decodes to CR or LF.
  var meansLineBreak: Bool { count == 1 && (self[0] == 0x0D || self[0] == 0x0A) }

  /// Whether it decodes to the first byte of an escape, and so can be the start of another one.
  var meansIntroducer: Bool { count == 1 && Self.isIntroducer(self[0]) }

  /// Whether an escape can start with this byte.
  static func isIntroducer(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
  }
}

/// Parses escapes.
extension Escape {
  /// The maximum number of levels of percent-encoding, as for a URL in the query of a URL in the query of
  /// another.
  private static let maximumLevels = 3
  /// The maximum number of digits read of a numeric character reference, which can have leading zeros.
  private static let maximumDigits = 32
  /// The maximum length of an escape nested in another one.
  private static let maximumNestedLength = 10
  /// The maximum length of a line break with the white space behind it.
  private static let maximumIndentation = 64

  /// Calls a closure with each reading of what starts at a position, the longest first.
  ///
  /// - Parameters:
  ///   - start: The position.
  ///   - text: The text.
  ///   - end: The end of the part to read.
  ///   - body: Receives each reading; there are never more than a few.
  static func forEach(at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void) {
    switch text[start] {
    case UInt8(ascii: "%"): percentEncoded(at: start, of: text, upTo: end, body)
    case UInt8(ascii: "&"):
      if start + 1 < end, text[start + 1] == UInt8(ascii: "#") {
        numericReference(at: start, of: text, upTo: end, body)
      } else {
        namedReference(at: start, of: text, upTo: end, body)
      }
    case UInt8(ascii: "\\"): escapeOfScript(at: start, of: text, upTo: end, body)
    default: break
    }
  }

  /// Reads `%41` (RFC 3986 §2.1), or `%2541`, as in a URL within the query of another, where an encoded
  /// percent sign adds a level.
  private static func percentEncoded(
    at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void
  ) {
    var index = start + 1
    var level = 1
    while level < maximumLevels, index + 3 < end, text[index] == UInt8(ascii: "2"),
      text[index + 1] == UInt8(ascii: "5"), text[index + 2].hexDigitValue != nil,
      text[index + 3].hexDigitValue != nil
    {
      index += 2
      level += 1
    }
    while level > 0 {
      if let value = hexadecimal(index..<(index + 2), of: text, upTo: end) {
        body(Escape(UInt8(truncatingIfNeeded: value), length: index + 2 - start))
      }
      index -= 2
      level -= 1
    }
  }

  /// Reads `&#233;` and `&#x00e9;`, also without the semicolon, as browsers do (HTML standard §13.2.5.73).
  private static func numericReference(
    at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void
  ) {
    var index = start + 2
    let isHexadecimal = index < end && text[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let first = index
    var value: UInt32 = 0
    while index < min(end, first + maximumDigits), let digit = text[index].hexDigitValue,
      isHexadecimal || digit < 10
    {
      value = min(value * (isHexadecimal ? 16 : 10) + UInt32(widening: digit), 0x11_0000)
      index += 1
    }
    guard index > first, let scalar = Unicode.Scalar(value) else { return }
    if index < end, text[index] == UInt8(ascii: ";") { index += 1 }
    body(Escape(scalar, length: index - start))
  }

  /// Reads `&eacute;`, also without the semicolon.
  private static func namedReference(
    at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void
  ) {
    var name: UInt64 = 0
    var index = start + 1
    var escapes: [Escape] = []
    while index < min(end, start + 1 + CharacterNames.maximumLength),
      text[index].isASCIILetter || text[index].isASCIIDigit
    {
      name = name << 8 | UInt64(widening: text[index])
      index += 1
      guard let scalar = CharacterNames.all[name] else { continue }
      let isEnded = index < end && text[index] == UInt8(ascii: ";")
      escapes.append(Escape(scalar, length: index + (isEnded ? 1 : 0) - start))
    }
    for escape in escapes.reversed() { body(escape) }
  }

  /// Reads an escape that decodes to the start of another one: `&amp;lt;`, `%26lt%3b` and `\\u0026lt;` all
  /// decode to `<`.
  static func forEach(within outer: Escape, at start: Int, of text: [UInt8], _ body: (Escape) -> Void) {
    var bytes = [outer[0]]
    var ends = [start + outer.length]
    while bytes.count < maximumNestedLength, ends[ends.count - 1] < text.count {
      let next = ends[ends.count - 1]
      var escape: Escape?
      forEach(at: next, of: text, upTo: text.count) { escape = escape ?? $0 }
      let isOne = escape?.count == 1
      bytes.append(isOne ? escape?[0] ?? text[next] : text[next])
      ends.append(isOne ? next + (escape?.length ?? 1) : next + 1)
    }
    forEach(at: 0, of: bytes, upTo: bytes.count) { body(Escape($0, length: ends[$0.length - 1] - start)) }
  }

  /// Reads the backslash escapes of JSON (RFC 8259 §7), scripts, CSS, quoted strings of HTTP (RFC 9110 §5.6.4), and
  /// programs that print text.
  private static func escapeOfScript(
    at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void
  ) {
    guard start + 1 < end else { return }
    let byte = text[start + 1]
    switch byte {
    case UInt8(ascii: "u"): unicodeEscape(at: start, of: text, upTo: end, body)
    case UInt8(ascii: "x"):
      if let value = hexadecimal((start + 2)..<(start + 4), of: text, upTo: end) {
        // `\xNN` is a character in some languages, and a byte in others.
        let byte = UInt8(truncatingIfNeeded: value)
        body(Escape(Unicode.Scalar(byte), length: 4))
        if byte >= 0x80 { body(Escape(byte, length: 4)) }
      }
    case UInt8(ascii: "n"): body(Escape(0x0A, length: 2))
    case UInt8(ascii: "r"): body(Escape(0x0D, length: 2))
    case UInt8(ascii: "t"): body(Escape(0x09, length: 2))
    default: numberEscape(at: start, of: text, upTo: end, body)
    }
    if byte >= 0x20, byte < 0x7F { body(Escape(byte, length: 2)) }
  }

  /// Reads `\132` of scripts, and `\5a` and `\00005a` of CSS with the white space that may end it (CSS Syntax §4.3.7).
  private static func numberEscape(
    at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void
  ) {
    let digits = text[(start + 1)..<min(end, start + 7)].prefix { $0.hexDigitValue != nil }
    guard let value = hexadecimal(digits.startIndex..<digits.endIndex, of: text, upTo: end) else { return }
    // Octal numbers are bytes: `\400` is `\40` and a 0.
    let octal = digits.prefix(digits[start + 1] < UInt8(ascii: "4") ? 3 : 2).prefix { $0 < UInt8(ascii: "8") }
    func ofCSS() {
      guard let scalar = Unicode.Scalar(value) else { return }
      let space = text[digits.endIndex..<min(end, digits.endIndex + 2)]
      let count =
        space.starts(with: [0x0D, 0x0A]) ? 2 : space.prefix(1).count { " \t\n\u{0C}\r".utf8.contains($0) }
      if count > 0 { body(Escape(scalar, length: digits.count + 1 + count)) }
      body(Escape(scalar, length: digits.count + 1))
    }
    let byte = octal.reduce(0 as UInt8) { $0 << 3 | $1 & 7 }
    // `\0561` is more likely a dot and a 1 than a letter of a rare script.
    let isScriptEscape = octal.count == 3 && byte >= 0x20 && (digits.count == 3 || value >= 0x80)
    if !isScriptEscape { ofCSS() }
    if !octal.isEmpty {
      body(Escape(Unicode.Scalar(byte), length: octal.count + 1))
      if byte >= 0x80 { body(Escape(byte, length: octal.count + 1)) }
    }
    if isScriptEscape { ofCSS() }
  }

  /// Reads `=5A` of quoted-printable (RFC 2045 §6.7), which no browser decodes: ``UnescapedText`` does not either.
  static func quotedPrintable(at start: Int, of text: [UInt8]) -> Escape? {
    hexadecimal((start + 1)..<(start + 3), of: text, upTo: text.count).map {
      Escape(UInt8(truncatingIfNeeded: $0), length: 3)
    }
  }

  /// Reads the end of a line and the white space behind it, which Base64 may have anywhere (RFC 2045 §6.8).
  ///
  /// A backslash or `=` may be before it, as in scripts and in quoted-printable.
  static func lineBreak(at start: Int, of text: [UInt8]) -> Escape? {
    let sign = text[start] == UInt8(ascii: "\\") || text[start] == UInt8(ascii: "=") ? 1 : 0
    let rest = text[(start + sign)...].prefix(maximumIndentation)
    let breaks = rest.prefix { $0 == 0x0D || $0 == 0x0A }
    guard !breaks.isEmpty else { return nil }
    let spaces = rest[breaks.endIndex...].prefix(while: \.isFieldSpace)
    return Escape(skipping: sign + breaks.count + spaces.count)
  }

  /// Reads `\u00e9`, a pair of these for a character beyond 16 bits, and `\u{e9}`.
  private static func unicodeEscape(
    at start: Int, of text: [UInt8], upTo end: Int, _ body: (Escape) -> Void
  ) {
    let first = start + 2
    if first < end, text[first] == UInt8(ascii: "{") {
      let digits = text[(first + 1)..<min(end, first + 9)].prefix { $0.hexDigitValue != nil }
      guard digits.endIndex < end, text[digits.endIndex] == UInt8(ascii: "}"),
        let value = hexadecimal(digits.startIndex..<digits.endIndex, of: text, upTo: end),
        let scalar = Unicode.Scalar(value)
      else { return }
      return body(Escape(scalar, length: digits.endIndex + 1 - start))
    }
    guard let value = hexadecimal(first..<(first + 4), of: text, upTo: end) else { return }
    if let scalar = Unicode.Scalar(value) { return body(Escape(scalar, length: 6)) }
    guard value < 0xDC00, first + 5 < end, text[first + 4] == UInt8(ascii: "\\"),
      text[first + 5] == UInt8(ascii: "u"),
      let low = hexadecimal((first + 6)..<(first + 10), of: text, upTo: end), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00))
    else { return }
    body(Escape(scalar, length: 12))
  }

  /// The value of hexadecimal digits; nil if the range is empty, or goes beyond the end or has other bytes.
  private static func hexadecimal(_ range: Range<Int>, of text: [UInt8], upTo end: Int) -> UInt32? {
    range.upperBound <= end && !range.isEmpty ? UInt32(hexDigits: text[range]) : nil
  }
}
