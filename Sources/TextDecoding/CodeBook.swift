internal import ProbeLocking

/// The codes of a charset by their characters: the way back, as the encoders of the Encoding Standard go it.
///
/// Characters and codes are numbers of four bytes at most, their first bytes lowest.
struct CodeBook: Sendable {
  private var codes: [UInt32: UInt32] = [:]
  /// Whether it has every character beyond U+FFFF by its number.
  private var hasAllPlanes = false

  /// The books made so far: at most one for each charset.
  private static let known = MadeOnce<Charset, CodeBook>()

  /// The book of a charset; nil when it has none, or this machine has no converter for it.
  static func of(_ charset: Charset) -> CodeBook? { known.value(for: charset) { CodeBook($0) } }

  private init?(_ charset: Charset) {
    switch charset.method {
    case .none, .utf16, .refused: return nil
    case .userDefined:
      for byte in UInt8(0x80)...0xFF {
        codes[UInt32(utf8: Unicode.Scalar(0xF700 + UInt16(byte)) ?? "\u{0}")] = UInt32(byte)
      }
    case .table(let name): guard add(.upperHalf(name)) else { return nil }
    case .multibyte(.gb18030):
      hasAllPlanes = charset.name == "gb18030"
      guard !hasAllPlanes || add(.gb18030Ranges), add(.gb18030) else { return nil }
      if !hasAllPlanes { codes[UInt32(utf8: "\u{20AC}" as Unicode.Scalar)] = 0x80 }
    case .multibyte(.eucKR): guard add(.eucKR) else { return nil }
    case .multibyte(.big5):
      // What Hong Kong added in front of the first row is only read.
      let numbers = 32 * 157..<CodeIndex.big5.count
      guard add(.big5, numbers), let table = CodeTable.of(.big5) else { return nil }
      // Of these the later code counts (§5, "index Big5 pointer").
      let later = Set(
        ("\u{2550}\u{255E}\u{2561}\u{256A}\u{5341}\u{5345}" as String).unicodeScalars.map { UInt32(utf8: $0) }
      )
      for number in numbers where later.contains(table[number]) {
        codes[table[number]] = CodeIndex.big5.code(number).packed
      }
    case .multibyte(.shiftJIS):
      // What NEC chose of IBM's characters has codes among those (§5, "index Shift_JIS pointer"), and what people make
      // themselves is only read.
      guard add(.jis0208, 10_716..<CodeIndex.jis0208.count), add(.jis0208, 0..<8272) else { return nil }
      codes[UInt32(utf8: "\u{80}" as Unicode.Scalar)] = 0x80
      addJapanese { [$0] }
    case .multibyte(.eucJP):
      guard add(.jis0208, 0..<94 * 94, as: { [UInt8($0 / 94 + 0xA1), UInt8($0 % 94 + 0xA1)] }) else {
        return nil
      }
      addJapanese { [0x8E, $0] }
    case .iso2022JP:
      guard add(.jis0208, 0..<94 * 94, as: { [UInt8($0 / 94 + 0x21), UInt8($0 % 94 + 0x21)] }) else {
        return nil
      }
      addJapanese { _ in nil }
    }
  }

  /// Adds the codes of an index; a character's first code counts, and replaces what it has in the book.
  private mutating func add(
    _ index: CodeIndex, _ numbers: Range<Int>? = nil, as code: ((Int) -> [UInt8])? = nil
  ) -> Bool {
    guard let table = CodeTable.of(index) else { return false }
    for number in (numbers ?? 0..<index.count).reversed() where table[number] != 0 {
      codes[table[number]] = (code ?? index.code)(number).packed
    }
    return true
  }

  /// Adds what all Japanese charsets have beside their index, with the code of a Katakana of half the width.
  private mutating func addJapanese(_ katakana: (UInt8) -> [UInt8]?) {
    codes[UInt32(utf8: "\u{A5}" as Unicode.Scalar)] = 0x5C
    codes[UInt32(utf8: "\u{203E}" as Unicode.Scalar)] = 0x7E
    codes[UInt32(utf8: "\u{2212}" as Unicode.Scalar)] = codes[UInt32(utf8: "\u{FF0D}" as Unicode.Scalar)]
    for (byte, wide) in zip(UInt8(0xA1)...0xDF, Self.wideKatakana.unicodeScalars) {
      codes[.halfwidthKatakana(byte)] = katakana(byte)?.packed ?? codes[UInt32(utf8: wide)]
    }
  }

  /// The characters of the bytes 0xA1 to 0xDF of JIS X 0201, as wide as a Kanji.
  private static let wideKatakana =
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜"

  /// The code of a character beyond ASCII; nil when the charset does not have it.
  subscript(character: Unicode.Scalar) -> [UInt8]? {
    if hasAllPlanes, character.value >= 0x10000 {
      return CodeIndex.gb18030Ranges.code(Int(character.value) - 0x10000 + 189_000)
    }
    guard let code = codes[UInt32(utf8: character)] else { return nil }
    var bytes: [UInt8] = []
    bytes.append(character: code)
    return bytes
  }
}

/// Values that take long to make, each made by the first who needs it; who needs another one does not wait for that.
final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The value of a key, once it was made, or that none can be.
  private enum Cell: Sendable {
    case empty
    case made(Value?)
  }

  private let cells = Guarded<[Key: Guarded<Cell>]>([:])

  /// The value for a key.
  ///
  /// - Parameters:
  ///   - key: The key; there are only so many.
  ///   - make: Makes the value; nil when there is none.
  /// - Returns: What was made, now or before.
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
