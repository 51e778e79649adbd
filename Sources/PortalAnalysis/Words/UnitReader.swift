/// Reads text as the units of ``LetterFolding``, a window at a time, so that memory does not grow with the text.
struct UnitReader {
  /// Where reading goes on.
  private(set) var place = 0
  /// Whether a space is due before the next letter.
  private var isSpaceDue = false

  /// Whether all of a text was read.
  func isAtEnd(of text: Span<UInt8>) -> Bool { place >= text.count }

  /// Reads on until a window is full or the text ends.
  ///
  /// - Parameters:
  ///   - text: The text; the same at each call.
  ///   - units: What is read goes behind what is there; never two spaces in a row, none at the very start.
  ///   - limit: How many units the window may have.
  mutating func read(_ text: Span<UInt8>, into units: inout [UInt16], upTo limit: Int) {
    let characters = LetterFolding.standard.units
    let folding = characters.span
    // What a caller sees is set at the end, so that the loop works on numbers of its own.
    var reader = self
    while reader.place < text.count, units.count + 1 < limit {
      let unit = reader.next(of: text, folding)
      if unit == LetterFolding.space {
        reader.isSpaceDue = true
      } else if unit != LetterFolding.nothing {
        if reader.isSpaceDue, !units.isEmpty { units.append(LetterFolding.space) }
        reader.isSpaceDue = false
        units.append(unit)
      }
    }
    self = reader
  }

  /// Takes the next character; nothing that is valid starts at an invalid byte, so each of those is passed alone.
  private mutating func next(of text: Span<UInt8>, _ folding: Span<UInt16>) -> UInt16 {
    let lead = text[place]
    if lead < 0x80 {
      place += 1
      if lead == UInt8(ascii: ":") { passAddress(in: text) }
      return folding[Int(lead)]
    }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard (0xC2...0xF4).contains(lead), place + length <= text.count else { return passInvalid() }
    var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length {
      let byte = text[place + offset]
      guard byte & 0xC0 == 0x80 else { return passInvalid() }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard length < 3 || value >= 0x800, !(0xD800...0xDFFF).contains(value) else { return passInvalid() }
    place += length
    // Beyond the plane there are pictures, and letters of scripts that no list has.
    return value > 0xFFFF ? LetterFolding.space : folding[Int(value)]
  }

  /// Passes what follows a scheme: pages show the address that was asked for, and it says nothing of them.
  private mutating func passAddress(in text: Span<UInt8>) {
    let slash = UInt8(ascii: "/")
    guard place + 1 < text.count, text[place] == slash, text[place + 1] == slash else { return }
    while place < text.count, (0x21...0x7E).contains(text[place]), text[place] != UInt8(ascii: "<") {
      place += 1
    }
  }

  private mutating func passInvalid() -> UInt16 {
    place += 1
    return LetterFolding.invalid
  }
}

extension UInt16 {
  /// The first unit of all unspaced scripts.
  static let firstUnspaced: UInt16 = 0x590

  /// Whether the unit is of a script that does not set words apart by spaces, or puts short words in front of others
  /// without one, so that a word may start at any letter.
  var isOfUnspacedScript: Bool {
    guard self >= Self.firstUnspaced else { return false }
    return self < 0x780  // Hebrew, Arabic
      || (0xE00...0xEFF).contains(self) || (0x1000...0x109F).contains(self)  // Thai, Lao, Burmese
      || (0x1200...0x137F).contains(self)  // Ethiopic
      || (0x1780...0x17FF).contains(self) || (0x3040...0x9FFF).contains(self)  // Khmer, kana, ideographs
      || (0xAC00...0xD7A3).contains(self)  // Hangul
  }
}
