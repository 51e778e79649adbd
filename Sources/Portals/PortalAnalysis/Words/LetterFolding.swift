import ProbeBase

/// Folds letters for comparison, ignoring case and diacritics in every script that has them.
///
/// Each character of the Basic Multilingual Plane becomes one unit; anything other than a letter or a digit
/// becomes a space.
struct LetterFolding: Sendable {
  /// The unit between words.
  static let space: UInt16 = 0x20
  /// The unit of a character that is left out, such as a combining accent.
  static let nothing: UInt16 = 0
  /// The unit of an invalid UTF-8 byte, which occurs in no known word.
  static let invalid: UInt16 = 0xFFFD

  /// The folding for the words of the lists.
  static let standard = LetterFolding()
  /// A folding that keeps the diacritics of Latin letters, which distinguish the short words of languages.
  static let spelling = LetterFolding(keepsDiacritics: true)

  /// The unit of each character.
  let units: [UInt16]

  private init(keepsDiacritics: Bool = false) {
    var units = [UInt16](repeating: 0, count: 0x1_0000)
    for unit in units.indices { units[unit] = UInt16(truncatingIfNeeded: unit) }
    for range in Self.separators { for unit in range { units[Int(widening: unit)] = Self.space } }
    for range in Self.leftOut { for unit in range { units[Int(widening: unit)] = Self.nothing } }
    func fold(_ range: ClosedRange<UInt16>, by distance: Int) {
      for unit in range {
        units[Int(widening: unit)] = UInt16(truncatingIfNeeded: Int(widening: unit) + distance)
      }
    }
    fold(0x41...0x5A, by: 0x20)
    fold(0x391...0x3A9, by: 0x20)
    fold(0x410...0x42F, by: 0x20)
    fold(0x400...0x40F, by: 0x50)
    fold(0x531...0x556, by: 0x30)
    // Georgian capital letters, and full-width letters and digits.
    fold(0x1C90...0x1CBA, by: 0x10D0 - 0x1C90)
    fold(0xFF10...0xFF19, by: 0x30 - 0xFF10)
    fold(0xFF21...0xFF3A, by: 0x61 - 0xFF21)
    fold(0xFF41...0xFF5A, by: 0x61 - 0xFF41)
    // Cyrillic letters of languages other than Russian are in pairs, the capital first.
    for unit in stride(from: UInt16(0x460), to: 0x530, by: 2) where !(0x482...0x48A).contains(unit) {
      units[Int(widening: unit)] = unit + 1
    }
    if keepsDiacritics {
      for (capitals, distance) in Self.capitals {
        for unit in capitals { units[Int(widening: unit)] = unit + distance }
      }
    } else {
      for (start, letters) in Self.latin {
        for (offset, letter) in letters.utf16.enumerated() where letter != 0x2E {
          units[start + offset] = letter
        }
      }
    }
    for (letters, base) in Self.bases {
      for letter in letters.utf16 { units[Int(widening: letter)] = units[Int(widening: base.value)] }
    }
    self.units = units
  }

  private static let separators: [ClosedRange<UInt16>] = [
    0x00...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0xA9, 0xAB...0xB4, 0xB6...0xB9, 0xBB...0xBF,
    0xD7...0xD7, 0xF7...0xF7, 0x37E...0x37E, 0x387...0x387, 0x55A...0x55F, 0x589...0x58A, 0x5BE...0x5BE,
    0x5F3...0x5F4, 0x60C...0x60D, 0x61B...0x61F, 0x66A...0x66D, 0x6D4...0x6D4, 0x964...0x965,
    0xE4F...0xE4F, 0xE5A...0xE5B, 0x104A...0x104F, 0x17D4...0x17DA, 0x1361...0x1368,
    0x2000...0x200B, 0x2010...0x2027, 0x202F...0x206F, 0x2190...0x2BFF,
    0x3000...0x3004, 0x3008...0x3020, 0x30FB...0x30FB, 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40,
    0xFF5B...0xFF65,
  ]

  /// Accents, vowel points, joiners, directional marks, the soft hyphen.
  private static let leftOut: [ClosedRange<UInt16>] = [
    0xAD...0xAD, 0x300...0x36F, 0x591...0x5BD, 0x5BF...0x5C7, 0x610...0x61A, 0x640...0x640,
    0x64B...0x65F, 0x670...0x670, 0x200C...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0xFE00...0xFE0F,
    0xFEFF...0xFEFF,
  ]

  /// The capital letters of the same blocks as ``latin``, and the distance to their small letters.
  private static let capitals: [(StrideThrough<UInt16>, UInt16)] = [
    (stride(from: 0xC0, through: 0xD6, by: 1), 0x20), (stride(from: 0xD8, through: 0xDE, by: 1), 0x20),
    (stride(from: 0x100, through: 0x12E, by: 2), 1), (stride(from: 0x132, through: 0x136, by: 2), 1),
    (stride(from: 0x139, through: 0x147, by: 2), 1), (stride(from: 0x14A, through: 0x176, by: 2), 1),
    (stride(from: 0x179, through: 0x17D, by: 2), 1), (stride(from: 0x18F, through: 0x18F, by: 1), 0xCA),
    (stride(from: 0x1A0, through: 0x1A0, by: 1), 1), (stride(from: 0x1AF, through: 0x1AF, by: 1), 1),
    (stride(from: 0x218, through: 0x21A, by: 2), 1), (stride(from: 0x1E00, through: 0x1E94, by: 2), 1),
    (stride(from: 0x1EA0, through: 0x1EF8, by: 2), 1),
    // Romanian is also written with cedillas instead of commas.
    (stride(from: 0x15F, through: 0x15F, by: 1), 0xBA), (stride(from: 0x163, through: 0x163, by: 1), 0xB8),
    (stride(from: 0x15E, through: 0x15E, by: 1), 0xBB), (stride(from: 0x162, through: 0x162, by: 1), 0xB9),
  ]

  /// The base letters of Latin-1 Supplement, Latin Extended-A and -B and Latin Extended Additional.
  ///
  /// A full stop is an unchanged character.
  private static let latin: [(Int, String)] = [
    (0xC0, "aaaaaaæceeeeiiiiðnooooo.ouuuuyþßaaaaaaæceeeeiiiiðnooooo.ouuuuyþy"),
    (0x100, "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllllll"),
    (0x142, "lnnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"),
    (0x18F, "ə"), (0x1A0, "oo"), (0x1AF, "uu"), (0x1CD, "aaiioouuuuuuuuuu"), (0x218, "sstt"),
    (0x1E00, "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllll"),
    (0x1E3E, "mmmmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"),
    (0x1E80, "wwwwwwwwwwxxxxyyzzzzzzhtwyas...."),
    (0x1EA0, "aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooo"),
    (0x1EE4, "uuuuuuuuuuuuuuyyyyyyyy"),
  ]

  /// Letters that fold to another one.
  private static let bases: [(letters: String, base: Unicode.Scalar)] = [
    ("Æ", "æ"), ("Ð", "ð"), ("Þ", "þ"), ("ẞ", "ß"), ("Œ", "œ"), ("Ŋ", "ŋ"),
    ("ΆάἈἀ", "α"), ("Έέ", "ε"), ("Ήή", "η"), ("ΊίΪϊΐ", "ι"), ("Όό", "ο"), ("ΎύΫϋΰ", "υ"), ("Ώώ", "ω"),
    ("ς", "σ"), ("ЀѐЁё", "е"), ("Йй", "и"), ("Ѝѝ", "и"), ("Її", "і"), ("Ѓѓ", "г"), ("Ќќ", "к"), ("Ўў", "у"),
    ("أإآٱ", "ا"), ("ىی", "ي"), ("ک", "ك"), ("ةۀہھ", "ه"), ("ؤ", "و"), ("ئ", "ي"),
  ]
}

/// Reads text as the units of ``LetterFolding``, in windows, so that memory does not grow with the text.
struct UnitReader {
  private let folding: LetterFolding

  /// Creates a reader at the start of a text.
  init(_ folding: LetterFolding = .standard) { self.folding = folding }

  private(set) var position = 0
  /// Whether a space must precede the next letter.
  private var isSpaceDue = false

  /// Whether the whole text has been read.
  func isAtEnd(of text: Span<UInt8>) -> Bool { position >= text.count }

  /// Reads until a window is full or the text ends.
  ///
  /// - Parameters:
  ///   - text: The text; the same at each call.
  ///   - units: Units are appended to it; never two spaces in a row, none at the very start.
  ///   - limit: The maximum number of units in the window.
  ///   - end: The position in the text from which on nothing is read.
  mutating func read(
    _ text: Span<UInt8>, into units: inout [UInt16], upTo limit: Int, before end: Int = Int.max
  ) {
    let characters = folding.units
    let folding = characters.span
    // The caller's reader is updated at the end, so that the loop works on local values.
    var reader = self
    let end = min(end, text.count)
    var count = units.count
    // A byte gives at most one unit, and a space that is due one more.
    let room = min(limit - count, end - reader.position + 1)
    guard room > 0 else { return }
    units += [UInt16](repeating: LetterFolding.nothing, count: room)
    var window = units.mutableSpan
    while reader.position < end, count + 1 < limit {
      let lead = text[reader.position]
      let unit: UInt16
      if lead < 0x80, lead != UInt8(ascii: ":") {
        unit = folding[Int(widening: lead)]
        reader.position += 1
      } else {
        unit = reader.next(of: text, folding)
      }
      if unit == LetterFolding.space {
        reader.isSpaceDue = true
      } else if unit != LetterFolding.nothing {
        if reader.isSpaceDue, count > 0 {
          window[count] = LetterFolding.space
          count += 1
        }
        reader.isSpaceDue = false
        window[count] = unit
        count += 1
      }
    }
    units.removeLast(units.count - count)
    self = reader
  }

  /// Reads the next character; each invalid byte is skipped separately, because no valid character starts at
  /// one.
  private mutating func next(of text: Span<UInt8>, _ folding: Span<UInt16>) -> UInt16 {
    let lead = text[position]
    if lead < 0x80 {
      position += 1
      if lead == UInt8(ascii: ":") { passAddress(in: text) }
      return folding[Int(widening: lead)]
    }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard (0xC2...0xF4).contains(lead), position + length <= text.count else { return passInvalid() }
    var value = UInt32(widening: lead) & (0xFF >> (length + 1))
    for offset in 1..<length {
      let byte = text[position + offset]
      guard byte & 0xC0 == 0x80 else { return passInvalid() }
      value = value << 6 | UInt32(widening: byte & 0x3F)
    }
    guard length < 3 || value >= 0x800, !(0xD800...0xDFFF).contains(value) else { return passInvalid() }
    position += length
    // Beyond the plane there are pictograms, and letters of scripts that no list contains.
    return value > 0xFFFF ? LetterFolding.space : folding[Int(widening: value)]
  }

  /// Skips the rest of a URL after its scheme: pages show the requested URL, which reveals nothing about them.
  private mutating func passAddress(in text: Span<UInt8>) {
    let slash = UInt8(ascii: "/")
    guard position + 1 < text.count, text[position] == slash, text[position + 1] == slash else { return }
    while position < text.count, (0x21...0x7E).contains(text[position]), text[position] != UInt8(ascii: "<") {
      position += 1
    }
  }

  private mutating func passInvalid() -> UInt16 {
    position += 1
    return LetterFolding.invalid
  }
}

extension UInt16 {
  /// The first unit of all unspaced scripts.
  static let firstUnspaced: UInt16 = 0x590

  /// Whether a word may start at any letter of the unit's script.
  ///
  /// Such scripts do not separate words by spaces, or prepend short words to others without one.
  var isUnspacedScript: Bool {
    guard self >= Self.firstUnspaced else { return false }
    return self < 0x780  // Hebrew, Arabic
      || (0xE00...0xEFF).contains(self) || (0x1000...0x109F).contains(self)  // Thai, Lao, Burmese
      || (0x1200...0x137F).contains(self)  // Ethiopic
      || (0x1780...0x17FF).contains(self) || (0x3040...0x9FFF).contains(self)  // Khmer, kana, ideographs
      || (0xAC00...0xD7A3).contains(self)  // Hangul
  }

  /// Whether a word may end after one unit and another one start with the next one, without a space between.
  static func isBoundary(_ unit: UInt16, _ next: UInt16) -> Bool {
    (unit | next) >= Self.firstUnspaced && (unit.isUnspacedScript || next.isUnspacedScript)
  }
}
