/// A search for a literal in a stream that examines each byte only once (Knuth, Morris and Pratt).
struct LiteralSearch: Sendable {
  /// The literal; not empty.
  let bytes: [UInt8]
  /// For each length, the length of the longest proper prefix of the literal's prefix of that length that is
  /// also its suffix.
  private let fallback: [Int]
  /// The number of bytes of the literal that match the end of the data searched so far.
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

  /// Searches the part of a stream that is new since the last call.
  ///
  /// - Parameter window: The stream from its beginning, with indices from 0.
  /// - Returns: The position of the first match, or the position from which one may still start.
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
