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
  package static let all = CharsetLabels.all.indices.map { Charset(row: $0) }

  /// Every label of the charset, in lower case.
  package var labels: [String] { CharsetLabels.all[row].labels.split(separator: " ").map(String.init) }
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
  package func encodedForQuery(_ text: ArraySlice<UInt8>) -> [UInt8] {
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

/// One encoding of the WHATWG Encoding Standard: its name, its labels (§4.2), and how it is decoded here.
struct CharsetLabels: Sendable {
  /// The decoding method.
  enum Method: Sendable {
    /// The bytes are UTF-8 already.
    case none
    /// Two bytes for each code unit.
    case utf16(isBigEndian: Bool)
    /// One byte for each character, with a table created by iconv(3) under this name.
    case table(ConverterName)
    /// Several bytes for each character, with tables created in the same way.
    case multibyte(MultibyteText.Form)
    /// Like ``multibyte(_:)``, with escape sequences.
    case iso2022JP
    /// Bytes above 0x7F are U+F780 to U+F7FF (§14.5).
    case userDefined
    /// Never decoded: ASCII can be hidden in such text, so the standard displays none of it.
    case refused
  }

  let name: String
  let method: Method
  let labels: String

  private init(_ name: String, _ method: Method, _ labels: String) {
    self.name = name
    self.method = method
    self.labels = labels
  }
}

extension CharsetLabels {
  /// The standard's list, UTF-8 first.
  static let all: [CharsetLabels] = [
    CharsetLabels(
      "utf-8", .none, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
    CharsetLabels("ibm866", .table("CP866"), "866 cp866 csibm866 ibm866"),
    CharsetLabels(
      "iso-8859-2", .table("ISO-8859-2"),
      "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"),
    CharsetLabels(
      "iso-8859-3", .table("ISO-8859-3"),
      "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"),
    CharsetLabels(
      "iso-8859-4", .table("ISO-8859-4"),
      "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"),
    CharsetLabels(
      "iso-8859-5", .table("ISO-8859-5"),
      "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"),
    CharsetLabels(
      "iso-8859-6", .table("ISO-8859-6"),
      "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
        + "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"),
    CharsetLabels(
      "iso-8859-7", .table("ISO-8859-7"),
      "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        + "iso_8859-7:1987 sun_eu_greek"),
    CharsetLabels(
      "iso-8859-8", .table("ISO-8859-8"),
      "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
        + "iso_8859-8:1988 visual"),
    CharsetLabels("iso-8859-8-i", .table("ISO-8859-8"), "csiso88598i iso-8859-8-i logical"),
    CharsetLabels(
      "iso-8859-10", .table("ISO-8859-10"),
      "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
    CharsetLabels("iso-8859-13", .table("ISO-8859-13"), "iso-8859-13 iso8859-13 iso885913"),
    CharsetLabels("iso-8859-14", .table("ISO-8859-14"), "iso-8859-14 iso8859-14 iso885914"),
    CharsetLabels(
      "iso-8859-15", .table("ISO-8859-15"),
      "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"),
    CharsetLabels("iso-8859-16", .table("ISO-8859-16"), "iso-8859-16"),
    CharsetLabels("koi8-r", .table("KOI8-R"), "cskoi8r koi koi8 koi8-r koi8_r"),
    CharsetLabels("koi8-u", .table("KOI8-U"), "koi8-ru koi8-u"),
    CharsetLabels("macintosh", .table("MACINTOSH"), "csmacintosh mac macintosh x-mac-roman"),
    CharsetLabels(
      "windows-874", .table("CP874"), "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"),
    CharsetLabels("windows-1250", .table("CP1250"), "cp1250 windows-1250 x-cp1250"),
    CharsetLabels("windows-1251", .table("CP1251"), "cp1251 windows-1251 x-cp1251"),
    CharsetLabels(
      "windows-1252", .table("CP1252"),
      "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
        + "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252"),
    CharsetLabels("windows-1253", .table("CP1253"), "cp1253 windows-1253 x-cp1253"),
    CharsetLabels(
      "windows-1254", .table("CP1254"),
      "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
        + "windows-1254 x-cp1254"),
    CharsetLabels("windows-1255", .table("CP1255"), "cp1255 windows-1255 x-cp1255"),
    CharsetLabels("windows-1256", .table("CP1256"), "cp1256 windows-1256 x-cp1256"),
    CharsetLabels("windows-1257", .table("CP1257"), "cp1257 windows-1257 x-cp1257"),
    CharsetLabels("windows-1258", .table("CP1258"), "cp1258 windows-1258 x-cp1258"),
    CharsetLabels("x-mac-cyrillic", .table("MAC-UK"), "x-mac-cyrillic x-mac-ukrainian"),
    // The standard decodes gbk as gb18030, which is a superset.
    CharsetLabels(
      "gbk", .multibyte(.gb18030),
      "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"),
    CharsetLabels("gb18030", .multibyte(.gb18030), "gb18030"),
    CharsetLabels("big5", .multibyte(.big5), "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
    CharsetLabels("euc-jp", .multibyte(.eucJP), "cseucpkdfmtjapanese euc-jp x-euc-jp"),
    CharsetLabels("iso-2022-jp", .iso2022JP, "csiso2022jp iso-2022-jp"),
    CharsetLabels(
      "shift_jis", .multibyte(.shiftJIS),
      "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"),
    CharsetLabels(
      "euc-kr", .multibyte(.eucKR),
      "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
        + "windows-949"),
    CharsetLabels(
      "replacement", .refused, "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement"),
    CharsetLabels("utf-16be", .utf16(isBigEndian: true), "unicodefffe utf-16be"),
    CharsetLabels(
      "utf-16le", .utf16(isBigEndian: false),
      "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"),
    CharsetLabels("x-user-defined", .userDefined, "x-user-defined"),
  ]
}
