import ProbeBase

/// A decoder for charsets with multi-byte characters that include ASCII (Encoding Standard §10 to §14).
struct MultibyteText: Sendable {
  /// The encoding form.
  enum Form: Sendable {
    case gb18030, big5, eucJP, shiftJIS, eucKR
  }

  private let form: Form
  private let table: CodeTable
  /// The characters of the three-byte or four-byte codes.
  private let longTable: CodeTable?

  /// Creates a decoder; nil if this machine has no converter for the charset.
  init?(_ form: Form) {
    let index: CodeIndex =
      switch form {
      case .gb18030: .gb18030
      case .big5: .big5
      case .eucJP, .shiftJIS: .jis0208
      case .eucKR: .eucKR
      }
    guard let table = CodeTable.of(index) else { return nil }
    self.form = form
    self.table = table
    longTable =
      form == .eucJP ? CodeTable.of(.jis0212) : form == .gb18030 ? CodeTable.of(.gb18030Ranges) : nil
  }

  /// Decodes bytes to UTF-8.
  func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] < 0x80 {
        text.append(bytes[index])
        index += 1
      } else {
        let (character, length) = first(of: bytes[index...])
        text.append(character: character)
        index += length
      }
    }
    return text
  }

  /// The first character and its length in bytes; 0 for an invalid character.
  private func first(of bytes: ArraySlice<UInt8>) -> (character: UInt32, length: Int) {
    let lead = bytes[bytes.startIndex]
    switch (form, lead) {
    case (.gb18030, 0x80): return (UInt32(utf8: "\u{20AC}" as Unicode.Scalar), 1)
    case (.shiftJIS, 0x80): return (UInt32(utf8: "\u{80}" as Unicode.Scalar), 1)
    case (.shiftJIS, 0xA1...0xDF): return (.halfwidthKatakana(lead), 1)
    case (.shiftJIS, 0xA0), (.shiftJIS, 0xFD...), (.eucJP, ..<0x8E), (.eucJP, 0x90...0xA0), (_, 0x80),
      (_, 0xFF):
      return (0, 1)
    default: break
    }
    guard bytes.count > 1 else { return (0, 1) }
    let second = bytes[bytes.startIndex + 1]
    switch (form, lead, second) {
    case (.gb18030, _, 0x30...0x39): return four(bytes)
    case (.eucJP, 0x8F, 0xA1...0xFE):
      guard bytes.count > 2 else { return (0, 2) }
      let third = bytes[bytes.startIndex + 2]
      let (character, length) = end(Self.number94(second, third).map { longTable?[$0] ?? 0 }, with: third)
      return (character, length + 1)
    case (.eucJP, 0x8E, 0xA1...0xDF): return (.halfwidthKatakana(second), 2)
    default: return end(number(lead, second).map { table[$0] }, with: second)
    }
  }

  /// The result for a code that ends with this byte; if the code is invalid, an ASCII byte is decoded again
  /// on its own.
  private func end(_ character: UInt32?, with byte: UInt8) -> (character: UInt32, length: Int) {
    (character ?? 0, (character ?? 0) == 0 && byte < 0x80 ? 1 : 2)
  }

  /// The number of a two-byte code.
  private func number(_ lead: UInt8, _ trail: UInt8) -> Int? {
    let (row, cell) = (Int(widening: lead) - 0x81, Int(widening: trail))
    switch (form, trail) {
    case (.gb18030, 0x40...0x7E), (.gb18030, 0x80...0xFE):
      return row * 190 + cell - (cell < 0x7F ? 0x40 : 0x41)
    case (.big5, 0x40...0x7E), (.big5, 0xA1...0xFE): return row * 157 + cell - (cell < 0x7F ? 0x40 : 0x62)
    case (.shiftJIS, 0x40...0x7E), (.shiftJIS, 0x80...0xFC):
      return (lead < 0xA0 ? row : row - 0x40) * 188 + cell - (cell < 0x7F ? 0x40 : 0x41)
    case (.eucKR, 0x41...0xFE): return row * 190 + cell - 0x41
    case (.eucJP, _): return Self.number94(lead, trail)
    default: return nil
    }
  }

  private static func number94(_ lead: UInt8, _ trail: UInt8) -> Int? {
    guard lead >= 0xA1, (0xA1...0xFE).contains(trail) else { return nil }
    return Int(widening: lead - 0xA1) * 94 + Int(widening: trail - 0xA1)
  }

  /// Decodes a four-byte code of gb18030 (§10.2.1).
  private func four(_ bytes: ArraySlice<UInt8>) -> (character: UInt32, length: Int) {
    let code = Array(bytes.prefix(4))
    guard code.count > 2 else { return (0, 2) }
    guard (0x81...0xFE).contains(code[2]) else { return (0, 1) }
    guard code.count > 3 else { return (0, 3) }
    guard (0x30...0x39).contains(code[3]) else { return (0, 1) }
    let number =
      ((Int(widening: code[0] - 0x81) * 10 + Int(widening: code[1] - 0x30)) * 126
        + Int(widening: code[2] - 0x81)) * 10
      + Int(widening: code[3] - 0x30)
    guard number >= 189_000 else { return (longTable?[number] ?? 0, 4) }
    return (
      Unicode.Scalar(UInt32(truncatingIfNeeded: number - 189_000 + 0x10000)).map { UInt32(utf8: $0) } ?? 0, 4
    )
  }
}

extension UInt32 {
  /// The half-width Katakana for a byte of JIS X 0201.
  static func halfwidthKatakana(_ byte: UInt8) -> UInt32 {
    UInt32(utf8: Unicode.Scalar(0xFF61 + UInt16(widening: byte - 0xA1)) ?? "\u{FFFD}")
  }
}

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
