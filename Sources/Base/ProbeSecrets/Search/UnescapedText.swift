import ProbeBase

/// A value with its escapes decoded, and the position of each byte in the original text.
///
/// For example, `aa%3Abb` decodes to `aa:bb`, whose third byte takes three bytes of the text. Ambiguous text
/// has the reading that decodes the most; ``EscapedTextSearch`` considers every reading.
package struct UnescapedText {
  /// The decoded bytes.
  package private(set) var bytes: [UInt8] = []
  /// The range of each decoded byte in the text; bytes that come from the same escape have the same range.
  package private(set) var ranges: [Range<Int>] = []

  /// Decodes a decoded text again, with the ranges in the original text.
  package init(decoding outer: UnescapedText) {
    let inner = UnescapedText(0..<outer.bytes.count, of: outer.bytes)
    bytes = inner.bytes
    ranges = inner.ranges.map { range in
      outer.ranges[range.lowerBound].lowerBound..<outer.ranges[range.upperBound - 1].upperBound
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
    ranges.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      var escape: Escape?
      if Escape.isIntroducer(text[index]) {
        Escape.forEach(at: index, of: text, upTo: range.upperBound) { escape = escape ?? $0 }
      }
      guard let escape else {
        bytes.append(text[index])
        ranges.append(index..<(index + 1))
        index += 1
        continue
      }
      for part in 0..<escape.count {
        bytes.append(escape[part])
        ranges.append(index..<(index + escape.length))
      }
      index += escape.length
    }
  }
}
