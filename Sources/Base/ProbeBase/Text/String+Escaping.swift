extension String {
  /// The text with each of these ASCII characters replaced, for escaping.
  ///
  /// Code points are compared: an accent that follows a character makes one `Character` of both, which is not equal to
  /// the one that must be escaped, and so does a line feed after a carriage return.
  ///
  /// - Parameter replacements: What to write for a character; one beyond ASCII is not looked for.
  /// - Returns: The text with the replacements.
  package func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    var table: [UInt8: String] = [:]
    for (scalar, replacement) in replacements where scalar.isASCII {
      table[UInt8(truncatingIfNeeded: scalar.value)] = replacement
    }
    guard utf8.contains(where: { table[$0] != nil }) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + utf8.count / 8)
    for byte in utf8 {
      if let replacement = table[byte] { bytes += replacement.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with a backslash before each of these ASCII characters.
  package func withBackslashes(before characters: String) -> String {
    replacing(
      Dictionary(characters.unicodeScalars.map { ($0, "\\\($0)") }, uniquingKeysWith: { first, _ in first }))
  }

  /// The text as content of markup and in attributes in double quotes, where `&`, `<`, `>` and `"` are references that
  /// HTML and XML both have; `>` among them, so that content never has `]]>`.
  ///
  /// - Parameter others: The references for other ASCII characters, for which the two, and their readers, differ.
  /// - Returns: The text with references.
  package func withMarkupReferences(and others: [Unicode.Scalar: String] = [:]) -> String {
    let common: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    return replacing(common.merging(others) { common, _ in common })
  }

  /// The text as content of HTML and in attributes in quotes of either kind, with a reference of HTML for `'`.
  package var withHTMLReferences: String { withMarkupReferences(and: ["'": "&#39;"]) }

  /// ``withHTMLReferences`` of text from the network, with invisible and control characters escaped.
  package var escapedForHTML: String { escapedForDisplay.withHTMLReferences }
}

extension String {
  /// The text as one word of a POSIX shell or zsh.
  package var inSingleQuotes: String { "'" + replacing(["'": "'\\''"]) + "'" }
}

extension String {
  /// The text escaped for Markdown (CommonMark §2.4), including table cells.
  package var escapedForMarkdown: String { escapedForDisplay.withBackslashes(before: "\\`*_{}[]<>#|!&~$:@") }
}

/// Markup as bytes.
extension ArraySlice<UInt8> {
  /// The bytes with XML entities (XML 1.0 §4.6) and character references decoded; others are unchanged.
  package var decodingEntities: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(count)
    var rest = self
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += rest[..<mark]
      let remainder = rest[(mark + 1)...]
      if let end = remainder.prefix(10).firstIndex(of: UInt8(ascii: ";")),
        let character = Self.character(named: remainder[..<end])
      {
        text += String(character).utf8
        rest = remainder[(end + 1)...]
      } else {
        text.append(UInt8(ascii: "&"))
        rest = remainder
      }
    }
    return text + rest
  }

  private static func character(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    if name.first == UInt8(ascii: "#") {
      let digits = name.dropFirst()
      let isHexadecimal = (digits.first ?? 0) | 0x20 == UInt8(ascii: "x")
      let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
      guard let first = text.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
        return nil
      }
      return UInt32(text: text, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: return nil
    }
  }
}

extension UInt8 {
  /// Whether the byte may occur in the name of an element of XML; ASCII only.
  package var isXMLNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
