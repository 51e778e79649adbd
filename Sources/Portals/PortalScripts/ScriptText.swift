internal import ProbeCore

/// Texts of scripts as UTF-8, in which a placeholder marks each unknown part.
enum ScriptText {
  /// The placeholder: a control character that no page uses.
  static let hole: UInt8 = 0x1A
  /// The maximum length of a text; longer ones are unknown.
  static let maximumLength = 64 * 1024

  /// The reference in a text, as far as it is known, and whether it is complete.
  ///
  /// Unknown parts are left out only where they do not change the page: in or after a query, or at the end of
  /// the path of a URL with a host. Otherwise the reference is unknown.
  ///
  /// - Returns: nil if it is unknown or too long.
  static func reference(_ text: [UInt8]) -> (text: String, isWhole: Bool)? {
    var known = text
    if let first = text.firstIndex(of: hole) {
      let prefix = text[..<first]
      if prefix.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
        known.removeAll { $0 == hole }
      } else if prefix.endsInPath {
        known = Array(prefix)
      } else {
        return nil
      }
    }
    guard known.count <= ScriptFindings.maximumReferenceLength else { return nil }
    return (String(decoding: known, as: UTF8.self), known.count == text.count)
  }
}

extension ArraySlice<UInt8> {
  /// Whether the text ends within the path of a URL with a host, or of an absolute path.
  fileprivate var endsInPath: Bool {
    let rest = drop { $0 <= 0x20 }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
      return rest[(colon + 3)...].drop { $0 == UInt8(ascii: "/") }.contains(UInt8(ascii: "/"))
    }
    if rest.starts(with: "//".utf8) { return rest.dropFirst(2).contains(UInt8(ascii: "/")) }
    return rest.first == UInt8(ascii: "/") && rest.count > 1
  }

  /// The text of a literal with its escapes decoded (ECMAScript §12.9.4, and §B.1.2 for octal escapes).
  var unescapedScriptText: [UInt8] {
    guard contains(UInt8(ascii: "\\")) else { return Array(self) }
    var text: [UInt8] = []
    text.reserveCapacity(count)
    var rest = self
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") { rest.takeEscape(into: &text) } else { text.append(byte) }
    }
    return text
  }

  /// The only text that this regular expression matches, such as `\?` or `[?]`; nil if it matches several.
  var textOfPattern: [UInt8]? {
    var text: [UInt8] = []
    var rest = self
    while var byte = rest.popFirst() {
      let isClass = byte == UInt8(ascii: "[")
      if isClass { byte = rest.popFirst() ?? byte }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst(), !escaped.isASCIILetter, !escaped.isASCIIDigit else { return nil }
        byte = escaped
      } else if isClass ? byte == UInt8(ascii: "^") : Self.patternMarks.contains(byte) {
        return nil
      }
      if isClass, rest.popFirst() != UInt8(ascii: "]") { return nil }
      text.append(byte)
    }
    return text
  }

  private static let patternMarks = Set(".*+?^$()|{}[]".utf8)

  private mutating func takeEscape(into text: inout [UInt8]) {
    guard let byte = popFirst() else { return }
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "\n"): break
    case UInt8(ascii: "\r"): if first == UInt8(ascii: "\n") { removeFirst() }
    case UInt8(ascii: "x"): takeCharacter(digits: 2, after: byte, into: &text)
    case UInt8(ascii: "u"):
      if first == UInt8(ascii: "{"), let close = prefix(10).firstIndex(of: UInt8(ascii: "}")) {
        let code = UInt32(text: String(decoding: self[(startIndex + 1)..<close], as: UTF8.self), radix: 16)
        self = self[(close + 1)...]
        text.append(scalar: code ?? 0xFFFD)
      } else {
        takeCharacter(digits: 4, after: byte, into: &text)
      }
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = UInt32(widening: byte - UInt8(ascii: "0"))
      while let digit = first, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit), code < 32 {
        code = code * 8 + UInt32(widening: digit - UInt8(ascii: "0"))
        removeFirst()
      }
      text.append(scalar: code)
    default: text.append(byte)
    }
  }

  private mutating func takeCharacter(digits: Int, after mark: UInt8, into text: inout [UInt8]) {
    guard var code = hexNumber(digits) else { return text.append(mark) }
    removeFirst(digits)
    // Two halves of a surrogate pair.
    if (0xD800..<0xDC00).contains(code), starts(with: "\\u".utf8),
      let low = dropFirst(2).hexNumber(4), (0xDC00..<0xE000).contains(low)
    {
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      removeFirst(6)
    }
    text.append(scalar: code)
  }

  /// The hexadecimal number in the first bytes.
  func hexNumber(_ digits: Int) -> UInt32? {
    let text = prefix(digits)
    guard text.count == digits else { return nil }
    return UInt32(hexDigits: text)
  }
}

extension [UInt8] {
  /// Appends a character by its code point; an invalid one is replaced.
  mutating func append(scalar code: UInt32) {
    append(contentsOf: String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
  }
}
