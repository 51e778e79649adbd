internal import ProbePatterns
internal import ProbeCore

extension ArraySlice<UInt8> {
  /// The bytes without ASCII white space at either end.
  var withoutOuterSpace: Self { trimming(where: \.isSpaceInC) }

  /// The first position where these bytes differ from others; nil if they are equal.
  ///
  /// If the others only continue after these bytes, it is the end of these bytes.
  func firstDifference(from other: Self) -> Int? {
    let common = Swift.min(count, other.count)
    let same = unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in
        var index = 0
        // Compare eight bytes at a time, because the standard library compares them one by one.
        while index + 8 <= common,
          unsafe mine.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            == theirs.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
          index += 8
        }
        while index < common, unsafe mine[index] == theirs[index] { index += 1 }
        return index
      }
    }
    return same == count && same == other.count ? nil : startIndex + same
  }

  /// The first position where the bytes are known to differ even if case is ignored.
  func firstCaselessDifference(from other: Self) -> Int {
    var index = startIndex
    var theirs = String(decoding: other, as: UTF8.self).unicodeScalars.makeIterator()
    // A change of case makes a character up to three times as long (k and the Kelvin sign).
    for mine in String(decoding: prefix(3 * other.count + 4), as: UTF8.self).unicodeScalars {
      guard let other = theirs.next(), mine.isSameLetter(as: other) else { return Swift.min(index, endIndex) }
      index += UTF8.width(mine)
    }
    // If Unicode's two definitions of case disagree, there is no such position.
    return theirs.next() == nil ? startIndex : Swift.min(index, endIndex)
  }
}

extension Unicode.Scalar {
  fileprivate func isSameLetter(as other: Unicode.Scalar) -> Bool {
    self == other || properties.lowercaseMapping == other.properties.lowercaseMapping
  }
}

extension Pattern {
  /// Creates a pattern from literal text.
  ///
  /// - Throws: ``InvalidInput`` if the text is too long.
  convenience init(text: String, options: PatternOptions) throws(InvalidInput) {
    do {
      try self.init(text, options: options.union(.literal))
    } catch {
      throw InvalidInput("the text cannot be compared without case", remedy: error.message)
    }
  }
}
