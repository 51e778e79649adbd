internal import ProbeBase

/// The codes of a charset by character: the reverse of decoding, as in the encoders of the Encoding Standard.
///
/// Characters and codes are stored as numbers of up to four bytes, with the first byte lowest.
struct CodeBook: Sendable {
  private var codes: [UInt32: UInt32] = [:]
  /// Whether it encodes every character beyond U+FFFF by its number.
  private var hasAllPlanes = false

  /// The cached books: at most one for each charset.
  private static let known = ValueCache<Charset, CodeBook>()

  /// The book of a charset; nil if there is none, or this machine has no converter.
  static func of(_ charset: Charset) -> CodeBook? { known.value(for: charset) { CodeBook($0) } }

  private init?(_ charset: Charset) {
    switch charset.method {
    case .none, .utf16, .refused: return nil
    case .userDefined:
      for byte in UInt8(0x80)...0xFF {
        codes[UInt32(utf8: Unicode.Scalar(0xF700 + UInt16(widening: byte)) ?? "\u{0}")] = UInt32(
          widening: byte)
      }
    case .table(let name): guard add(.upperHalf(name)) else { return nil }
    case .multibyte(.gb18030):
      hasAllPlanes = charset.name == "gb18030"
      guard !hasAllPlanes || add(.gb18030Ranges), add(.gb18030) else { return nil }
      if !hasAllPlanes { codes[UInt32(utf8: "\u{20AC}" as Unicode.Scalar)] = 0x80 }
    case .multibyte(.eucKR): guard add(.eucKR) else { return nil }
    case .multibyte(.big5):
      // The Hong Kong additions before the first row are only decoded.
      let numbers = 32 * 157..<CodeIndex.big5.count
      guard add(.big5, numbers), let table = CodeTable.of(.big5) else { return nil }
      // For these characters the last code is used (§5, "index Big5 pointer").
      let later = Set(
        ("\u{2550}\u{255E}\u{2561}\u{256A}\u{5341}\u{5345}" as String).unicodeScalars.map { UInt32(utf8: $0) }
      )
      for number in numbers where later.contains(table[number]) {
        codes[table[number]] = CodeIndex.big5.code(number).packed
      }
    case .multibyte(.shiftJIS):
      // NEC's selection of IBM characters uses the codes of the IBM rows (§5, "index Shift_JIS pointer"), and
      // user-defined characters are only decoded.
      guard add(.jis0208, 10_716..<CodeIndex.jis0208.count), add(.jis0208, 0..<8272) else { return nil }
      codes[UInt32(utf8: "\u{80}" as Unicode.Scalar)] = 0x80
      addJapanese { [$0] }
    case .multibyte(.eucJP):
      guard
        add(
          .jis0208, 0..<94 * 94,
          as: { [UInt8(truncatingIfNeeded: $0 / 94 + 0xA1), UInt8(truncatingIfNeeded: $0 % 94 + 0xA1)] })
      else {
        return nil
      }
      addJapanese { [0x8E, $0] }
    case .iso2022JP:
      guard
        add(
          .jis0208, 0..<94 * 94,
          as: { [UInt8(truncatingIfNeeded: $0 / 94 + 0x21), UInt8(truncatingIfNeeded: $0 % 94 + 0x21)] })
      else {
        return nil
      }
      addJapanese { _ in nil }
    }
  }

  /// Adds the codes of an index; a character's first code in it is used, and replaces an earlier one in the
  /// book.
  private mutating func add(
    _ index: CodeIndex, _ numbers: Range<Int>? = nil, as code: ((Int) -> [UInt8])? = nil
  ) -> Bool {
    guard let table = CodeTable.of(index) else { return false }
    for number in (numbers ?? 0..<index.count).reversed() where table[number] != 0 {
      codes[table[number]] = (code ?? index.code)(number).packed
    }
    return true
  }

  /// Adds the characters that all Japanese charsets have in addition to their index; `katakana` encodes
  /// half-width ones.
  private mutating func addJapanese(_ katakana: (UInt8) -> [UInt8]?) {
    codes[UInt32(utf8: "\u{A5}" as Unicode.Scalar)] = 0x5C
    codes[UInt32(utf8: "\u{203E}" as Unicode.Scalar)] = 0x7E
    codes[UInt32(utf8: "\u{2212}" as Unicode.Scalar)] = codes[UInt32(utf8: "\u{FF0D}" as Unicode.Scalar)]
    for (byte, wide) in zip(UInt8(0xA1)...0xDF, Self.wideKatakana.unicodeScalars) {
      codes[.halfwidthKatakana(byte)] = katakana(byte)?.packed ?? codes[UInt32(utf8: wide)]
    }
  }

  /// The full-width characters for the bytes 0xA1 to 0xDF of JIS X 0201.
  private static let wideKatakana =
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜"

  /// The code of a non-ASCII character; nil if the charset lacks it.
  subscript(character: Unicode.Scalar) -> [UInt8]? {
    if hasAllPlanes, character.value >= 0x10000 {
      return CodeIndex.gb18030Ranges.code(Int(widening: character.value) - 0x10000 + 189_000)
    }
    guard let code = codes[UInt32(utf8: character)] else { return nil }
    var bytes: [UInt8] = []
    bytes.append(character: code)
    return bytes
  }
}

/// Caches values that are expensive to create; creating one value does not block access to others.
final class ValueCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The value of a key after its creation; nil if it could not be created.
  private enum Cell: Sendable {
    case empty
    case made(Value?)
  }

  private let cells = Guarded<[Key: Guarded<Cell>]>([:])

  /// Returns the value for a key, creating it at first use.
  ///
  /// - Parameters:
  ///   - key: The key; the number of keys must be bounded.
  ///   - make: Creates the value; returns nil if there is none.
  /// - Returns: The new or cached value.
  func value(for key: Key, _ make: (Key) -> Value?) -> Value? {
    let cell = cells.withLock { cells in
      if let cell = cells[key] { return cell }
      let cell = Guarded(Cell.empty)
      cells[key] = cell
      return cell
    }
    return cell.withLock { cell in
      if case .made(let value) = cell { return value }
      let value = make(key)
      cell = .made(value)
      return value
    }
  }
}
