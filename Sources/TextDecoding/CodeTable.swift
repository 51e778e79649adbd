internal import Iconv

/// The characters of an index, by the numbers of their codes.
///
/// iconv(3) says what the codes mean, once for each index. Reading by a table rather than through iconv keeps characters
/// apart that its converters would compose, gives what is invalid the meaning that the standard gives it, and is faster
/// for every page but the first.
struct CodeTable: Sendable {
  /// The characters in UTF-8, their first bytes lowest; 0 for a code without one.
  private(set) var characters: [UInt32]

  /// The tables made so far: at most one for each index.
  private static let known = MadeOnce<CodeIndex, CodeTable>()

  /// The table of an index; nil when this machine has no converter for it.
  static func of(_ index: CodeIndex) -> CodeTable? { known.value(for: index) { CodeTable($0) } }

  private init?(_ index: CodeIndex) {
    characters = Array(repeating: 0, count: index.count)
    for (name, numbers) in index.converters {
      guard var converter = Converter(from: name) else { return nil }
      for number in numbers {
        let text = converter.convert(index.code(number)[...])
        // Some codes of Big5 are a letter and its accent, of four bytes together.
        if text.count <= 4, !text.starts(with: UTF8.encodedReplacementCharacter) {
          characters[number] = text.packed
        }
      }
    }
    for (number, character) in index.differences { characters[number] = UInt32(utf8: character) }
    // The standard leaves no byte of the C1 range without a meaning.
    if case .upperHalf = index {
      for number in 0..<32 where characters[number] == 0 {
        characters[number] = UInt32(utf8: Unicode.Scalar(UInt8(0x80 + number)))
      }
    }
  }

  /// The character of a code, in UTF-8; 0 where it has none, and for a number beyond the index.
  subscript(number: Int) -> UInt32 {
    characters.indices.contains(number) ? characters[number] : 0
  }
}

extension UInt32 {
  /// U+FFFD.
  static let replacement = UInt32(utf8: "\u{FFFD}" as Unicode.Scalar)

  /// The UTF-8 of a character, its first byte lowest.
  init(utf8 character: Unicode.Scalar) {
    self = Array(String(character).utf8).packed
  }
}

extension [UInt8] {
  /// Four bytes at most as a number, the first one lowest.
  var packed: UInt32 {
    var number: UInt32 = 0
    for (place, byte) in enumerated() { number |= UInt32(byte) << (8 * place) }
    return number
  }

  /// Appends a character in UTF-8, its first byte lowest; 0 stands for one that is invalid.
  mutating func append(character: UInt32) {
    var rest = character == 0 ? .replacement : character
    repeat {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    } while rest > 0
  }
}
