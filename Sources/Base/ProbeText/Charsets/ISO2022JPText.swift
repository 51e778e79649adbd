import ProbeBase

/// A decoder for iso-2022-jp, in which escape sequences select character sets (Encoding Standard §13.2).
struct ISO2022JPText {
  private enum State {
    case ascii, roman, katakana, kanji
  }

  private let table: CodeTable
  private var state = State.ascii
  /// Whether no byte has followed the last escape sequence: then another one is an error.
  private var followsEscape = false
  private var text: [UInt8] = []

  /// Decodes bytes to UTF-8; nil if this machine has no converter for the charset.
  static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let table = CodeTable.of(.jis0208) else { return nil }
    var reader = ISO2022JPText(table: table)
    reader.text.reserveCapacity(bytes.count * 2)
    var index = bytes.startIndex
    while index < bytes.endIndex { index += reader.take(bytes[index...]) }
    return reader.text
  }

  private init(table: CodeTable) {
    self.table = table
  }

  /// Decodes the next character or escape sequence, and returns its length in bytes.
  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Int {
    let byte = bytes[bytes.startIndex]
    if byte == 0x1B { return takeEscape(bytes.dropFirst()) }
    followsEscape = false
    switch (state, byte) {
    case (.katakana, 0x21...0x5F): text.append(character: .halfwidthKatakana(byte + 0x80))
    case (.kanji, 0x21...0x7E): return takeKanji(byte, bytes.dropFirst().first)
    case (.roman, 0x5C): text.append(character: UInt32(utf8: "\u{A5}" as Unicode.Scalar))
    case (.roman, 0x7E): text.append(character: UInt32(utf8: "\u{203E}" as Unicode.Scalar))
    case (.ascii, 0...0x7F), (.roman, 0...0x7F):
      if byte == 0x0E || byte == 0x0F { text.append(character: 0) } else { text.append(byte) }
    default: text.append(character: 0)
    }
    return 1
  }

  private mutating func takeKanji(_ lead: UInt8, _ trail: UInt8?) -> Int {
    // An escape sequence inside a character is processed as such.
    guard let trail, trail != 0x1B else {
      text.append(character: 0)
      return 1
    }
    let isCode = (0x21...0x7E).contains(trail)
    text.append(character: isCode ? table[Int(widening: lead - 0x21) * 94 + Int(widening: trail - 0x21)] : 0)
    return 2
  }

  /// Processes an escape sequence after its first byte.
  private mutating func takeEscape(_ rest: ArraySlice<UInt8>) -> Int {
    let next: State? =
      switch (rest.first, rest.dropFirst().first) {
      case (0x28, 0x42): .ascii
      case (0x28, 0x4A): .roman
      case (0x28, 0x49): .katakana
      case (0x24, 0x40), (0x24, 0x42): .kanji
      default: nil
      }
    if next == nil || followsEscape { text.append(character: 0) }
    followsEscape = next != nil
    state = next ?? state
    return next == nil ? 1 : 3
  }
}
