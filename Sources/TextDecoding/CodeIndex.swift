internal import Iconv

/// One of the indexes of the Encoding Standard (§5): which code has which number, and which character.
///
/// The characters are those of iconv(3), asked under a name of the C library, except where the standard has others.
enum CodeIndex: Hashable, Sendable {
  /// The bytes 0x80 to 0xFF of a charset with one byte a character, by the C library's name of it.
  case upperHalf(ConverterName)
  case gb18030, big5, jis0208, jis0212, eucKR
  /// The codes of four bytes for the characters below U+10000.
  case gb18030Ranges

  /// How many codes it numbers.
  var count: Int {
    switch self {
    case .upperHalf: 128
    case .gb18030, .eucKR: 126 * 190
    case .gb18030Ranges: 39_420
    case .big5: 126 * 157
    case .jis0208: 60 * 188
    // glibc has characters of its own behind the last row of the standard.
    case .jis0212: 77 * 94
    }
  }

  /// The code with a number, as its converter takes it.
  func code(_ number: Int) -> [UInt8] {
    func pair(_ width: Int, lead: Int = 0x81, gap: Int) -> [UInt8] {
      let trail = number % width
      return [UInt8(number / width + lead), UInt8(trail + (trail < 0x3F ? 0x40 : gap))]
    }
    switch self {
    case .upperHalf: return [UInt8(0x80 + number)]
    case .gb18030: return pair(190, gap: 0x41)
    case .eucKR: return [UInt8(number / 190 + 0x81), UInt8(number % 190 + 0x41)]
    case .big5: return pair(157, gap: 0x62)
    case .jis0208: return pair(188, lead: number < 31 * 188 ? 0x81 : 0xC1, gap: 0x41)
    case .jis0212: return [0x8F, UInt8(number / 94 + 0xA1), UInt8(number % 94 + 0xA1)]
    case .gb18030Ranges:
      return [
        UInt8(number / 12_600 + 0x81), UInt8(number / 1260 % 10 + 0x30), UInt8(number / 10 % 126 + 0x81),
        UInt8(number % 10 + 0x30),
      ]
    }
  }

  /// Under which name the C library knows the codes with these numbers.
  var converters: [(name: ConverterName, numbers: Range<Int>)] {
    switch self {
    case .upperHalf(let name): [(name, 0..<count)]
    case .gb18030, .gb18030Ranges: [("GB18030", 0..<count)]
    // The rows 0xA1 to 0xA3 have their symbols from the first Big5, the rest what Hong Kong added.
    case .big5: [("BIG5-HKSCS", 0..<count), ("BIG5", 32 * 157..<35 * 157)]
    case .jis0208: [("WINDOWS-31J", 0..<count)]
    case .jis0212: [("EUC-JP-MS", 0..<count)]
    case .eucKR: [("UHC", 0..<count)]
    }
  }
}
