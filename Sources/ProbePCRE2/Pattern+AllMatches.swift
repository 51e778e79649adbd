internal import CProbePCRE2

extension Pattern {
  /// Finds all matches in a subject, from left to right, without overlaps.
  ///
  /// Unlike a new search of the rest, a lookbehind sees what precedes a match.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search; invalid UTF-8 matches nothing.
  ///   - body: Receives each match with its named groups.
  /// - Returns: Whether the whole subject was searched; false if a search exceeded its limit of work or
  ///   memory.
  package func forEachMatch(in subject: [UInt8], _ body: (Match) -> Void) -> Bool {
    unsafe subject.withUnsafeBufferPointer { buffer in
      guard var search = unsafe Search(self, in: buffer) else { return false }
      var start = 0
      while start <= subject.count {
        let result = search.run(from: start)
        if result == PCRE2_ERROR_NOMATCH { return true }
        guard result >= 0, let match = match(of: search, base: 0, namedGroups: true) else { return false }
        body(match)
        start = max(match.range.upperBound, start + 1)
      }
      return true
    }
  }
}
