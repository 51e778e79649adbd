internal import CProbePCRE2

extension Pattern {
  /// Finds all matches in a subject, from left to right, none of which overlap.
  ///
  /// Unlike searching the rest anew, what is before a match exists for it: a lookbehind sees it.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search; those that are not UTF-8 match nothing.
  ///   - body: Is told each match with its named groups.
  /// - Returns: Whether all of the subject was searched; not when a search would have needed more work or memory than it
  ///   may have.
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
