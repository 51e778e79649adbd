extension Charset {
  /// The bytes of a URL's query in a page of this charset, before they are percent-encoded (WHATWG URL §1.3
  /// "percent-encode after encoding").
  ///
  /// - Parameter text: The query in UTF-8.
  /// - Returns: The query in this charset. What it does not have is `%26%23` and `%3B` around the character's number. For
  ///   UTF-8, UTF-16 and charsets that are never decoded it is in UTF-8 (Encoding Standard §4.3 "get an output
  ///   encoding"), and so where this machine has no converter.
  public func encodedForQuery(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard let book = CodeBook.of(self) else { return Array(text) }
    var query = EncodedQuery(hasEscapes: name == "iso-2022-jp")
    for character in String(decoding: text, as: UTF8.self).unicodeScalars {
      query.append(character.isASCII ? [UInt8(character.value)] : book[character], for: character)
    }
    query.end()
    return query.bytes
  }
}

/// A query in a legacy charset, while it is written.
private struct EncodedQuery {
  private(set) var bytes: [UInt8] = []
  /// Whether escape sequences say how bytes are meant, as in iso-2022-jp (Encoding Standard §13.2.2).
  let hasEscapes: Bool
  private var state = ascii

  private static let ascii = Array("(B".utf8)
  private static let roman = Array("(J".utf8)
  private static let kanji = Array("$B".utf8)

  init(hasEscapes: Bool) {
    self.hasEscapes = hasEscapes
  }

  /// Writes a character by its code, nil when it has none.
  mutating func append(_ code: [UInt8]?, for character: Unicode.Scalar) {
    guard let code else {
      if state == Self.kanji { escape(to: Self.ascii) }
      bytes += "%26%23\(character.value)%3B".utf8
      return
    }
    if hasEscapes {
      let isRoman =
        code.count == 1 && (!character.isASCII || state == Self.roman && code != [0x5C] && code != [0x7E])
      escape(to: code.count == 2 ? Self.kanji : isRoman ? Self.roman : Self.ascii)
    }
    bytes += code
  }

  mutating func end() {
    escape(to: Self.ascii)
  }

  private mutating func escape(to state: [UInt8]) {
    guard state != self.state else { return }
    bytes += [0x1B] + state
    self.state = state
  }
}
