internal import CProbePCRE2

extension Pattern {
  /// A match of a pattern.
  package struct Match: Hashable, Sendable {
    /// The range of the whole match, in indices of the subject.
    package let range: Range<Int>
    /// The ranges of the named groups that matched, by name; empty unless they were requested.
    package let groups: [String: Range<Int>]
  }

  /// The result of a search.
  package enum SearchResult: Hashable, Sendable {
    /// The first match.
    case match(Match)
    /// There is no match.
    case noMatch
    /// The search exceeded its limit of work or memory; whether there is a match is unknown.
    case limit
  }

  /// Whether the pattern has named groups.
  var hasNamedGroups: Bool { !groups.isEmpty }

  /// The names of the named groups.
  package var groupNames: Set<String> { Set(groups.map(\.name)) }

  /// Whether the pattern may match the empty string.
  package var canMatchNothing: Bool {
    var matchesEmpty: UInt32 = 0
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_MATCHEMPTY), &matchesEmpty)
    return matchesEmpty != 0
  }

  /// Finds the first match in a subject.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search; invalid UTF-8 matches nothing.
  ///   - namedGroups: Whether to return the ranges of named groups.
  /// - Returns: The match, or the reason why there is none.
  package func firstMatch(in subject: [UInt8], namedGroups: Bool = false) -> SearchResult {
    unsafe subject.withUnsafeBufferPointer { unsafe firstMatch(in: $0, base: 0, namedGroups: namedGroups) }
  }

  /// Finds the first match in a part of an array; ranges are in indices of the slice, and thus of the array.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search; the pattern does not see the bytes around them.
  ///   - namedGroups: Whether to return the ranges of named groups.
  /// - Returns: The match, or the reason why there is none.
  package func firstMatch(in subject: ArraySlice<UInt8>, namedGroups: Bool = false) -> SearchResult {
    unsafe subject.withUnsafeBufferPointer {
      unsafe firstMatch(in: $0, base: subject.startIndex, namedGroups: namedGroups)
    }
  }

  /// Finds the first match in borrowed bytes; ranges are relative to their start.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search.
  ///   - namedGroups: Whether to return the ranges of named groups.
  /// - Returns: The match, or the reason why there is none.
  package func firstMatch(in subject: Span<UInt8>, namedGroups: Bool = false) -> SearchResult {
    unsafe subject.withUnsafeBufferPointer { unsafe firstMatch(in: $0, base: 0, namedGroups: namedGroups) }
  }

  /// Finds the first match in borrowed bytes, with a budget that other searches may share.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search.
  ///   - namedGroups: Whether to return the ranges of named groups.
  ///   - budget: The work that the search may take, which is taken from it.
  /// - Returns: The match, or the reason why there is none.
  package func firstMatch(
    in subject: Span<UInt8>, namedGroups: Bool = false, _ budget: inout WorkBudget
  ) -> SearchResult {
    unsafe subject.withUnsafeBufferPointer { subject in
      unsafe firstMatch(in: subject, base: 0, namedGroups: namedGroups, &budget)
    }
  }

  private func firstMatch(
    in subject: UnsafeBufferPointer<UInt8>, base: Int, namedGroups: Bool
  ) -> SearchResult {
    var budget = WorkBudget(bytes: subject.count)
    return unsafe firstMatch(in: subject, base: base, namedGroups: namedGroups, &budget)
  }

  func firstMatch(
    in subject: UnsafeBufferPointer<UInt8>, base: Int, namedGroups: Bool, _ budget: inout WorkBudget
  ) -> SearchResult {
    let wantsGroups = namedGroups && hasNamedGroups
    guard var search = unsafe Search(self, in: subject) else { return .limit }
    let result = search.run(&budget)
    if result == PCRE2_ERROR_NOMATCH { return .noMatch }
    // Any other error is a limit: work, depth, memory, stack.
    guard result >= 0, let match = match(of: search, base: base, namedGroups: wantsGroups) else {
      return .limit
    }
    return .match(match)
  }

  /// The match that a search has found.
  func match(of search: borrowing Search, base: Int, namedGroups: Bool) -> Match? {
    guard let range = search.range(ofGroup: 0) else { return nil }
    func inSubject(_ range: Range<Int>) -> Range<Int> {
      (range.lowerBound + base)..<(range.upperBound + base)
    }
    var found: [String: Range<Int>] = [:]
    for group in namedGroups ? groups : [] where found[group.name] == nil {
      // Several groups may have the same name; one of them matched.
      found[group.name] = search.range(ofGroup: group.number).map(inSubject)
    }
    return Match(range: inSubject(range), groups: found)
  }
}
