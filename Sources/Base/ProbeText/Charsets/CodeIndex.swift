import ProbeBase

/// One of the indexes of the Encoding Standard (§5): maps numbers to codes and characters.
///
/// The characters are those of iconv(3) under a name of the C library, except where the standard differs.
enum CodeIndex: Hashable, Sendable {
  /// The bytes 0x80 to 0xFF of a single-byte charset, by the C library's name for it.
  case upperHalf(ConverterName)
  case gb18030, big5, jis0208, jis0212, eucKR
  /// The four-byte codes for the characters below U+10000.
  case gb18030Ranges

  var count: Int {
    switch self {
    case .upperHalf: 128
    case .gb18030, .eucKR: 126 * 190
    case .gb18030Ranges: 39_420
    case .big5: 126 * 157
    case .jis0208: 60 * 188
    // glibc has its own characters after the standard's last row.
    case .jis0212: 77 * 94
    }
  }

  /// The code with this number in the form that the converter expects.
  func code(_ number: Int) -> [UInt8] {
    func pair(_ width: Int, lead: Int = 0x81, gap: Int) -> [UInt8] {
      let trail = number % width
      return [
        UInt8(truncatingIfNeeded: number / width + lead),
        UInt8(truncatingIfNeeded: trail + (trail < 0x3F ? 0x40 : gap)),
      ]
    }
    switch self {
    case .upperHalf: return [UInt8(truncatingIfNeeded: 0x80 + number)]
    case .gb18030: return pair(190, gap: 0x41)
    case .eucKR:
      return [UInt8(truncatingIfNeeded: number / 190 + 0x81), UInt8(truncatingIfNeeded: number % 190 + 0x41)]
    case .big5: return pair(157, gap: 0x62)
    case .jis0208: return pair(188, lead: number < 31 * 188 ? 0x81 : 0xC1, gap: 0x41)
    case .jis0212:
      return [
        0x8F, UInt8(truncatingIfNeeded: number / 94 + 0xA1), UInt8(truncatingIfNeeded: number % 94 + 0xA1),
      ]
    case .gb18030Ranges:
      return [
        UInt8(truncatingIfNeeded: number / 12_600 + 0x81),
        UInt8(truncatingIfNeeded: number / 1260 % 10 + 0x30),
        UInt8(truncatingIfNeeded: number / 10 % 126 + 0x81),
        UInt8(truncatingIfNeeded: number % 10 + 0x30),
      ]
    }
  }

  /// The C library's names of the converters for ranges of numbers.
  var converters: [(name: ConverterName, numbers: Range<Int>)] {
    switch self {
    case .upperHalf(let name): [(name, 0..<count)]
    case .gb18030, .gb18030Ranges: [("GB18030", 0..<count)]
    // The symbols in rows 0xA1 to 0xA3 are from the original Big5, the rest is from the Hong Kong extension.
    case .big5: [("BIG5-HKSCS", 0..<count), ("BIG5", 32 * 157..<35 * 157)]
    case .jis0208: [("WINDOWS-31J", 0..<count)]
    case .jis0212: [("EUC-JP-MS", 0..<count)]
    case .eucKR: [("UHC", 0..<count)]
    }
  }
}

/// The differences between the Encoding Standard and the C library.
extension CodeIndex {
  /// A code's number in the index, and its character.
  typealias Difference = (number: Int, character: Unicode.Scalar)

  /// The characters for which the C library has different codes, or none.
  var differences: [Difference] {
    switch self {
    case .upperHalf(let name): Self.single[name, default: []]
    // An ideographic space, and six characters that are still private use.
    case .gb18030:
      [
        (6555, "\u{3000}"), (23_767, "\u{E816}"), (23_768, "\u{E817}"), (23_769, "\u{E818}"),
        (23_794, "\u{E831}"), (23_804, "\u{E83B}"), (23_830, "\u{E855}"),
      ]
    // Characters that GB 18030-2022 has moved to two-byte codes also keep their four-byte codes.
    case .gb18030Ranges: Self.run(of: 8, 0x9FB4, from: 19_057) + Self.run(of: 10, 0xFE10, from: 39_076)
    case .big5: Self.run(of: 32, 0x2400, from: 5432) + Self.run(of: 1, 0x2421, from: 5464) + Self.compatible
    case .jis0212: [(128, "\u{A6}")]
    case .jis0208, .eucKR: []
    }
  }

  /// Consecutive characters with consecutive codes.
  private static func run(of count: Int, _ first: UInt32, from number: Int) -> [Difference] {
    (0..<count).map { (number + $0, Unicode.Scalar(first + UInt32(truncatingIfNeeded: $0)) ?? "\u{FFFD}") }
  }

  private static let single: [ConverterName: [Difference]] = [
    "CP1255": [(0x4A, "\u{5BA}")], "MAC-UK": [(0x7F, "\u{20AC}")],
    "MACINTOSH": [(0x46, "\u{2206}"), (0x70, "\u{F8FF}")], "KOI8-U": [(0x2E, "\u{45E}"), (0x3E, "\u{40E}")],
  ]

  /// Big5 codes whose characters have another code too, which glibc omits; pages based on earlier character
  /// sets of Hong Kong and Taiwan use them.
  private static let compatible: [Difference] = """
    8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 8fcb覦 8fcc覩 8ffe起 906d都 907a銹 90dc靜
    90f1響 91bf鼖 9244蔃 92af兙 92b0兛 92b1兝 92b2兞 92c8鍮 92d1瑹 9447浧 94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨 9b76爁
    9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶 9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐 9cbd秣 9cd0婧 9d57輋
    9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fcb僭 9fd8弌 a063蠏 a077拎 a0d5瑨 a0df煢 a0e4牐 c6cf廴 c6d3无
    c6d5癶 c6d7隶 c6de〃 c6df仝 fa5f倩 fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4f彘 fc6c悤 fcb9撐
    fce2晴 fcf1杞 fdb7沜 fdb8渝 fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 fedd砉
    """.split(whereSeparator: \.isWhitespace).compactMap { entry in
      guard let code = Int(text: entry.prefix(4), radix: 16), let character = entry.unicodeScalars.last else {
        return nil
      }
      let trail = code & 0xFF
      return ((code >> 8 - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62), character)
    }
}

/// The characters of an index, by the numbers of their codes.
///
/// iconv(3) is called once for each index to build the table. A table keeps characters apart that the
/// converters would compose, handles invalid bytes as the standard requires, and is faster for every page but
/// the first.
struct CodeTable: Sendable {
  /// The characters in UTF-8, with the first byte lowest; 0 for a code without a character.
  private(set) var characters: [UInt32]

  /// The cached tables: at most one for each index.
  private static let known = ValueCache<CodeIndex, CodeTable>()

  /// The table of an index; nil if this machine has no converter.
  static func of(_ index: CodeIndex) -> CodeTable? { known.value(for: index) { CodeTable($0) } }

  private init?(_ index: CodeIndex) {
    characters = Array(repeating: 0, count: index.count)
    for (name, numbers) in index.converters {
      guard var converter = Converter(from: name) else { return nil }
      for number in numbers {
        let text = converter.convert(index.code(number)[...])
        // Some codes of Big5 represent a letter and a combining accent, with four bytes in total.
        if text.count <= 4, !text.starts(with: UTF8.encodedReplacementCharacter) {
          characters[number] = text.packed
        }
      }
    }
    for (number, character) in index.differences { characters[number] = UInt32(utf8: character) }
    // In the standard, every byte of the C1 range is assigned.
    if case .upperHalf = index {
      for number in 0..<32 where characters[number] == 0 {
        characters[number] = UInt32(utf8: Unicode.Scalar(UInt8(truncatingIfNeeded: 0x80 + number)))
      }
    }
  }

  /// The character of a code in UTF-8; 0 if it has none, or the number is out of range.
  subscript(number: Int) -> UInt32 {
    characters.indices.contains(number) ? characters[number] : 0
  }
}

extension UInt32 {
  static let replacement = UInt32(utf8: "\u{FFFD}" as Unicode.Scalar)

  /// The UTF-8 of a character, its first byte lowest.
  init(utf8 character: Unicode.Scalar) {
    self = Array(String(character).utf8).packed
  }
}

extension [UInt8] {
  /// Up to four bytes as a number, with the first byte lowest.
  var packed: UInt32 {
    var number: UInt32 = 0
    for (index, byte) in enumerated() { number |= UInt32(widening: byte) << (8 * index) }
    return number
  }

  /// Appends a character in UTF-8, with the first byte lowest; 0 represents an invalid one.
  mutating func append(character: UInt32) {
    var rest = character == 0 ? .replacement : character
    repeat {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    } while rest > 0
  }
}
