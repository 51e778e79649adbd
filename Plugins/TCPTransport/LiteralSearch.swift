/// A search for a literal in a stream that looks at each byte once (Knuth, Morris and Pratt).
struct LiteralSearch: Sendable {
  /// What is searched for; not empty.
  let bytes: [UInt8]
  /// For each length, the length of the longest start of the literal that is also the end of its start of this length.
  private let fallback: [Int]
  /// How many bytes of the literal the end of what was looked at is.
  private var matched = 0
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var fallback = [0, 0]
    var length = 0
    for byte in bytes.dropFirst() {
      while length > 0, bytes[length] != byte { length = fallback[length] }
      if bytes[length] == byte { length += 1 }
      fallback.append(length)
    }
    self.fallback = fallback
  }

  /// Looks at the part of a stream that was not there before.
  ///
  /// - Parameter window: The stream from its beginning, with indices from 0.
  /// - Returns: The place of the first match, or the place from which on one may still start.
  mutating func look(at window: ArraySlice<UInt8>) -> (start: Int, isFound: Bool) {
    while position < window.endIndex, matched < bytes.count {
      let byte = window[position]
      while matched > 0, bytes[matched] != byte { matched = fallback[matched] }
      if bytes[matched] == byte { matched += 1 }
      position += 1
    }
    return (position - matched, matched == bytes.count)
  }
}
