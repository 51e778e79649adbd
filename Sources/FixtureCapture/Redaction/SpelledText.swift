internal import ProbeCore

/// A value as it is spelled in a text: each byte that is meant, and where it stands.
///
/// `aa%3Abb` means `aa:bb`; its third byte is spelled in three. A stand-in is written unit by unit, so it has the length
/// of what it replaces in whatever way that is spelled.
struct SpelledText {
  /// The bytes that are meant.
  private(set) var bytes: [UInt8] = []
  /// How often what is met in captures is percent-encoded at most.
  private static let deepest = 3

  /// Where each stands.
  private(set) var places: [Range<Int>] = []

  /// Reads a part of a text.
  ///
  /// - Parameters:
  ///   - range: The part.
  ///   - text: The text.
  init(_ range: Range<Int>, of text: [UInt8]) {
    bytes.reserveCapacity(range.count)
    places.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let (byte, length) =
        Self.percentEncoded(at: index, of: text[..<range.upperBound])
        ?? Self.escaped(at: index, of: text[..<range.upperBound])
        ?? (text[index], 1)
      bytes.append(byte)
      places.append(index..<(index + length))
      index += length
    }
  }

  /// `%41`, or `%2541` in a URL within a URL's query, where an encoded percent sign stands for another level.
  private static func percentEncoded(
    at start: Int, of text: ArraySlice<UInt8>
  ) -> (UInt8, Int)? {
    guard text[start] == UInt8(ascii: "%") else { return nil }
    var index = start + 1
    var level = 1
    while level < deepest, index + 1 < text.endIndex, text[index] == UInt8(ascii: "2"),
      text[index + 1] == UInt8(ascii: "5")
    {
      index += 2
      level += 1
    }
    guard index + 1 < text.endIndex, let high = text[index].hexDigitValue,
      let low = text[index + 1].hexDigitValue
    else { return nil }
    return (high << 4 | low, index + 2 - start)
  }

  private static let escapes: [(spelling: [UInt8], byte: UInt8)] =
    ([
      ("\\/", "/"), ("&amp;", "&"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&#64;", "@"),
      ("&#x40;", "@"), ("&#43;", "+"), ("&#x2b;", "+"), ("&#47;", "/"), ("&#x2f;", "/"), ("&#61;", "="),
      ("&#x3d;", "="), ("&#58;", ":"), ("&#x3a;", ":"), ("\\u002b", "+"), ("\\u002f", "/"), ("\\u003d", "="),
      ("\\u0026", "&"), ("\\x2f", "/"), ("\\x3d", "="),
    ] as [(String, Character)]).map { (spelling: Array($0.0.utf8), byte: $0.1.asciiValue ?? 0) }

  /// A character of HTML or of a script that is written as more than itself.
  private static func escaped(at start: Int, of text: ArraySlice<UInt8>) -> (UInt8, Int)? {
    guard text[start] == UInt8(ascii: "&") || text[start] == UInt8(ascii: "\\") else { return nil }
    let next = text[start...].prefix(6).lowercased
    let escape = escapes.first { next.starts(with: $0.spelling) }
    return escape.map { ($0.byte, $0.spelling.count) }
  }

  /// Writes other bytes in place of those meant, one for one, each in as many bytes as the one it replaces.
  ///
  /// - Parameters:
  ///   - standIn: What is to be meant.
  ///   - start: Which byte of those meant is the first to be replaced.
  ///   - text: The text.
  func write(_ standIn: [UInt8], from start: Int = 0, to text: inout [UInt8]) {
    for (byte, index) in zip(standIn, start..<bytes.count) where byte != bytes[index] {
      let place = places[index]
      if place.count == 1 {
        text[place.lowerBound] = byte
      } else if text[place.lowerBound] == UInt8(ascii: "%") {
        let digits = Array("0123456789ABCDEF".utf8)
        text[place.upperBound - 2] = digits[Int(byte >> 4)]
        text[place.upperBound - 1] = digits[Int(byte & 15)]
      }
    }
  }

  /// How a byte is spelled where it first stands, or as itself.
  func spelling(of byte: UInt8, in text: [UInt8]) -> [UInt8] {
    bytes.firstIndex(of: byte).map { Array(text[places[$0]]) } ?? [byte]
  }
}
