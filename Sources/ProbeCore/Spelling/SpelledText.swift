/// A value as it is spelled in a text: each byte that is meant, and where it stands.
///
/// `aa%3Abb` means `aa:bb`; its third byte is spelled in three. What can be read in several ways is read in the one that
/// undoes the most; ``SpelledSearch`` knows them all.
package struct SpelledText {
  /// The bytes that are meant.
  package private(set) var bytes: [UInt8] = []
  /// Where each stands; those that one escape means together stand in the same place.
  package private(set) var places: [Range<Int>] = []

  /// Reads a part of a text.
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
