internal import CProbePCRE2

extension Pattern {
  /// The result of a search that returns groups by their numbers.
  package enum GroupsResult: Hashable, Sendable {
    /// The ranges of the first match and of its groups; nil for a group that did not take part.
    case match([Range<Int>?])
    /// There is no match.
    case noMatch
    /// The search exceeded its limit of work or memory; whether there is a match is unknown.
    case limit
  }

  /// Finds the first match in a subject, with all groups.
  ///
  /// - Parameter subject: The bytes to search; invalid UTF-8 matches nothing.
  /// - Returns: The ranges of the whole match and of each group by its number, or the reason why there are
  ///   none.
  func groupsOfFirstMatch(in subject: [UInt8]) -> GroupsResult {
    unsafe subject.withUnsafeBufferPointer { buffer in
      guard var search = unsafe Search(self, in: buffer) else { return .limit }
      let result = search.run()
      if result == PCRE2_ERROR_NOMATCH { return .noMatch }
      guard result >= 0 else { return .limit }
      return .match((0...groupCount).map { search.range(ofGroup: $0) })
    }
  }

  /// The number of groups, not counting the whole match.
  var groupCount: Int { unsafe Self.groupCount(of: code) }

  /// The number of groups of a compiled pattern.
  static func groupCount(of code: OpaquePointer) -> Int {
    var count: UInt32 = 0
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    return Int(clamping: count)
  }
}
