internal import ProbeBase

/// A charset of the web: one of the encodings of the WHATWG Encoding Standard
/// (https://encoding.spec.whatwg.org/).
///
/// Labels are those of the standard, so that `latin1` means windows-1252 and `gb2312` means gbk, as in
/// browsers.
public struct Charset: Hashable, Sendable {
  private let row: Int

  /// Looks up a label (Encoding Standard §4.2 "get an encoding"); nil if it is unknown.
  ///
  /// - Parameter label: The label in any case; surrounding ASCII white space is ignored.
  public init?(label: some Collection<UInt8>) {
    let name = label.map(\.asciiLowercased).trimming(where: \.isASCIISpace)
    // A label has a maximum of 19 bytes; a server may send more.
    guard name.count < 32, let row = Self.rows[String(decoding: name, as: UTF8.self)] else { return nil }
    self.row = row
  }

  /// Looks up a name of the standard.
  private init(named name: String) {
    row = CharsetLabels.all.firstIndex { $0.name == name } ?? 0
  }

  private init(row: Int) {
    self.row = row
  }

  /// The standard's name in lower case, such as `windows-1251`.
  public var name: String { CharsetLabels.all[row].name }

  var method: CharsetLabels.Method { CharsetLabels.all[row].method }

  private static let rows: [String: Int] = {
    var rows: [String: Int] = [:]
    for (row, charset) in CharsetLabels.all.enumerated() {
      for label in charset.labels.split(separator: " ") { rows[String(label)] = row }
    }
    return rows
  }()
}

extension Charset {
  /// UTF-8, the first of the list.
  public static let utf8 = Charset(row: 0)
  /// UTF-16 in little-endian byte order.
  public static let utf16le = Charset(named: "utf-16le")
  /// UTF-16 in big-endian byte order.
  public static let utf16be = Charset(named: "utf-16be")
  /// The charset that Western pages use when they declare ISO 8859-1 or ASCII.
  public static let windows1252 = Charset(named: "windows-1252")
  /// Maps bytes above 0x7F to private-use characters.
  static let userDefined = Charset(named: "x-user-defined")

  /// Every charset of the standard, in its order.
  public static let all = CharsetLabels.all.indices.map { Charset(row: $0) }

  /// Every label of the charset, in lower case.
  public var labels: [String] { CharsetLabels.all[row].labels.split(separator: " ").map(String.init) }
}

extension Charset: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension Charset {
  /// Decodes bytes in this charset.
  ///
  /// Invalid bytes become U+FFFD, as does a truncated sequence at the end; decoding never fails because of
  /// them. It takes linear time, and the text has at most three times the size of the bytes.
  ///
  /// - Parameter bytes: The text in this charset; for UTF-8 the bytes are returned unchanged, valid or not.
  /// - Returns: The text in UTF-8; nil if this machine has no converter for the charset, or if it is one that
  ///   the standard never decodes (`replacement`).
  public func decode(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !leavesUnchanged(bytes) else { return bytes }
    return switch method {
    case .none: bytes
    case .refused: nil
    case .utf16(let isBigEndian): decodeUTF16(bytes, isBigEndian: isBigEndian)[...]
    case .userDefined: decodeUserDefined(bytes)[...]
    case .table(let name): CodeTable.of(.upperHalf(name)).map { decode(bytes, by: $0)[...] }
    case .multibyte(let form): MultibyteText(form)?.decode(bytes)[...]
    case .iso2022JP: ISO2022JPText.decode(bytes)?[...]
    }
  }

  /// Whether these bytes decode to themselves.
  package func leavesUnchanged(_ bytes: ArraySlice<UInt8>) -> Bool {
    switch method {
    case .none: true
    case .table, .userDefined, .multibyte: bytes.isASCII
    case .iso2022JP, .utf16, .refused: false
    }
  }

  private func decode(_ bytes: ArraySlice<UInt8>, by table: CodeTable) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if byte < 0x80 { text.append(byte) } else { text.append(character: table[Int(widening: byte & 0x7F)]) }
    }
    return text
  }

  private func decodeUserDefined(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { $0 < 0x80 ? [$0] : [0xEF, 0x9E + ($0 >> 6 & 1), 0x80 | $0 & 0x3F] }
  }

  private func decodeUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    func unit(at index: Int) -> UInt32 {
      let (first, second) = (UInt32(widening: bytes[index]), UInt32(widening: bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    while index + 1 < bytes.endIndex {
      var value = unit(at: index)
      index += 2
      if value < 0x80 {
        text.append(UInt8(truncatingIfNeeded: value))
        continue
      }
      if value & 0xFC00 == 0xD800, index + 1 < bytes.endIndex, unit(at: index) & 0xFC00 == 0xDC00 {
        value = 0x10000 + (value & 0x3FF) << 10 + unit(at: index) & 0x3FF
        index += 2
      }
      // A lone surrogate is not a scalar value.
      text.append(
        contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
    if index < bytes.endIndex { text.append(contentsOf: UTF8.encodedReplacementCharacter) }
    return text
  }
}

extension ArraySlice<UInt8> {
  /// Whether every byte is below 0x80.
  var isASCII: Bool {
    unsafe withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        guard word & 0x8080_8080_8080_8080 == 0 else { return false }
        index += 8
      }
      return unsafe bytes[index...].allSatisfy { $0 < 0x80 }
    }
  }
}

extension Charset {
  /// Encodes the query of a URL in a page of this charset, before percent-encoding (WHATWG URL §1.3
  /// "percent-encode after encoding").
  ///
  /// - Parameter text: The query in UTF-8.
  /// - Returns: The query in this charset. A character that the charset lacks is written as its number
  ///   between `%26%23` and `%3B`. For UTF-8, UTF-16 and charsets that are never decoded, the query stays in
  ///   UTF-8 (Encoding Standard §4.3 "get an output encoding"), and also if this machine has no converter.
  public func encodedForQuery(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard let book = CodeBook.of(self) else { return Array(text) }
    var query = EncodedQuery(hasEscapes: name == "iso-2022-jp")
    for character in String(decoding: text, as: UTF8.self).unicodeScalars {
      query.append(
        character.isASCII ? [UInt8(truncatingIfNeeded: character.value)] : book[character], for: character)
    }
    query.end()
    return query.bytes
  }
}

/// A query in a legacy charset that is being written.
private struct EncodedQuery {
  private(set) var bytes: [UInt8] = []
  /// Whether escape sequences select character sets, as in iso-2022-jp (Encoding Standard §13.2.2).
  let hasEscapes: Bool
  private var state = ascii

  private static let ascii = Array("(B".utf8)
  private static let roman = Array("(J".utf8)
  private static let kanji = Array("$B".utf8)

  init(hasEscapes: Bool) {
    self.hasEscapes = hasEscapes
  }

  /// Writes the code of a character; nil if it has none.
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
