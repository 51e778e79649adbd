import ProbeBase

/// A value with its escapes decoded, and the position of each byte in the original text.
///
/// For example, `aa%3Abb` decodes to `aa:bb`, whose third byte takes three bytes of the text. Ambiguous text
/// gets the reading that decodes the most; ``SpelledSearch`` considers every reading.
package struct SpelledText {
  /// The decoded bytes.
  package private(set) var bytes: [UInt8] = []
  /// The range of each decoded byte in the text; bytes that come from the same escape have the same range.
  package private(set) var places: [Range<Int>] = []

  /// Decodes a decoded text again, with the places in the original text.
  package init(decoding outer: SpelledText) {
    let inner = SpelledText(0..<outer.bytes.count, of: outer.bytes)
    bytes = inner.bytes
    places = inner.places.map { place in
      outer.places[place.lowerBound].lowerBound..<outer.places[place.upperBound - 1].upperBound
    }
  }

  /// Whether an escape can start with this byte.
  package static func isIntroducer(_ byte: UInt8) -> Bool { Escape.isIntroducer(byte) }

  /// Decodes a part of a text.
  ///
  /// - Parameters:
  ///   - range: The part.
  ///   - text: The text.
  package init(_ range: Range<Int>, of text: [UInt8]) {
    bytes.reserveCapacity(range.count)
    places.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      var escape: Escape?
      if Escape.isIntroducer(text[index]) {
        Escape.forEach(at: index, of: text, upTo: range.upperBound) { escape = escape ?? $0 }
      }
      guard let escape else {
        bytes.append(text[index])
        places.append(index..<(index + 1))
        index += 1
        continue
      }
      for part in 0..<escape.count {
        bytes.append(escape[part])
        places.append(index..<(index + escape.length))
      }
      index += escape.length
    }
  }
}
