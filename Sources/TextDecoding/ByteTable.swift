internal import Iconv
internal import Locking

/// The characters of a charset with one byte a character.
///
/// iconv(3) says what the bytes mean, once for each charset. Asking it for one byte at a time rather than for a whole
/// page keeps characters apart that its converters of windows-1255 and windows-1258 would compose, and is faster for
/// every page but the first.
struct ByteTable: Sendable {
  /// The UTF-8 of bytes 0x80 to 0xFF.
  private let upperHalf: [[UInt8]]

  /// The tables made so far: at most one for each charset with one byte a character.
  private static let known = Guarded<[String: ByteTable]>([:])

  /// The table of a charset by iconv's name of it; nil when this machine has no converter for it.
  static func named(_ charset: StaticString) -> ByteTable? {
    let name = String(describing: charset)
    return known.withLock { known in
      if let table = known[name] { return table }
      let table = ByteTable(charset)
      known[name] = table
      return table
    }
  }

  private init?(_ charset: StaticString) {
    guard var converter = Converter(from: charset) else { return nil }
    let standard = Self.differences[String(describing: charset)] ?? [:]
    upperHalf = (UInt8(0x80)...0xFF).map { byte in
      if let character = standard[byte] { return Array(String(character).utf8) }
      let text = converter.convert([byte])
      // The standard leaves no byte of the C1 range without a meaning.
      let isControl = byte < 0xA0 && text == Array("\u{FFFD}".utf8)
      return isControl ? Array(String(Unicode.Scalar(byte)).utf8) : text
    }
  }

  /// Bytes that glibc and the Encoding Standard take for different characters.
  private static let differences: [String: [UInt8: Unicode.Scalar]] = [
    "CP1255": [0xCA: "\u{5BA}"], "MAC-UK": [0xFF: "\u{20AC}"],
    "MACINTOSH": [0xC6: "\u{2206}", 0xF0: "\u{F8FF}"],
  ]

  /// The text that bytes stand for, in UTF-8.
  func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(contentsOf: upperHalf[Int(byte & 0x7F)])
      }
    }
    return text
  }
}
