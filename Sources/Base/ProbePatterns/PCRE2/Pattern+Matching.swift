internal import CProbePCRE2

extension Pattern {
  package struct Match: Hashable, Sendable {
    /// The range of the whole match, in indices of the subject.
    package let range: Range<Int>
    /// The ranges of the named groups that matched, by name; empty unless they were requested.
    package let groups: [String: Range<Int>]
  }

  package enum SearchResult: Hashable, Sendable {
    /// The first match.
    case match(Match)
    case noMatch
    /// The search exceeded its limit of work or memory; whether there is a match is unknown.
    case limit
  }

  var hasNamedGroups: Bool { !groups.isEmpty }

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

extension Pattern {
  /// The result of a search that returns groups by their numbers.
  package enum GroupsResult: Hashable, Sendable {
    /// The ranges of the first match and of its groups; nil for a group that did not take part.
    case match([Range<Int>?])
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

extension Pattern {
  /// The result of a search in the beginning of a stream.
  package enum StreamResult: Hashable, Sendable {
    /// The first match, whatever follows in the stream.
    case match(Match)
    /// There is no match yet; one may start at or after this index, depending on what follows.
    case open(from: Int)
    /// The search exceeded its limit of work or memory; whether there is a match is unknown.
    case limit
  }

  /// Finds the first match in the beginning of a stream that may continue.
  ///
  /// A match is returned only if no later byte can change it: one that depends on the end of the available
  /// bytes (`a+`, `$`, `\b`, a lookahead) is open until more arrive. Therefore the result does not depend on
  /// how many bytes are available, except that it may be open for longer. At the end of the stream,
  /// ``firstMatch(inWhole:namedGroups:)`` decides. (`PCRE2_PARTIAL_HARD`; pcre2partial,
  /// "Partial matching using pcre2_match()".)
  ///
  /// - Parameters:
  ///   - subject: The available bytes; the pattern does not see the bytes before them.
  ///   - namedGroups: Whether to return the ranges of named groups.
  /// - Returns: The match, or the progress of the search.
  package func firstMatch(inStart subject: ArraySlice<UInt8>, namedGroups: Bool = false) -> StreamResult {
    // The library treats a truncated character as invalid, not as one that may be continued.
    let whole = subject.dropLast(subject.missingCharacterStart)
    // The next byte decides whether even an empty pattern matches there.
    guard !whole.isEmpty else { return .open(from: whole.startIndex) }
    return unsafe whole.withUnsafeBufferPointer {
      unsafe firstMatch(inStart: $0, base: whole.startIndex, namedGroups: namedGroups)
    }
  }

  /// The number of bytes from which on a search in a stream may take no more work: it is made on the thread of
  /// the connection, which it must not stop for more than 0.1 s.
  private static var maximumWork: Int { 1 << 18 }

  /// Finds the first match in a whole stream, with the limit for its beginning.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search.
  ///   - namedGroups: Whether to return the ranges of named groups.
  /// - Returns: The match, or the reason why there is none.
  package func firstMatch(inWhole subject: ArraySlice<UInt8>, namedGroups: Bool = false) -> SearchResult {
    var budget = WorkBudget(bytes: min(subject.count, Self.maximumWork))
    return unsafe subject.withUnsafeBufferPointer {
      unsafe firstMatch(in: $0, base: subject.startIndex, namedGroups: namedGroups, &budget)
    }
  }

  private func firstMatch(
    inStart subject: UnsafeBufferPointer<UInt8>, base: Int, namedGroups: Bool
  ) -> StreamResult {
    let wantsGroups = namedGroups && hasNamedGroups
    var budget = WorkBudget(bytes: min(subject.count, Self.maximumWork))
    var start = 0
    // The interpreter, unlike machine code, treats every invalid UTF-8 byte as the end of the subject, and
    // loses matches before it. Nothing matches across such a byte, so the part before the last one is
    // complete.
    if !isTranslatedForStreams, let invalid = unsafe subject.lastInvalidUTF8 {
      let complete = unsafe Search(self, in: subject)
      guard var complete else { return .limit }
      let result = complete.run(through: invalid, &budget)
      guard result == PCRE2_ERROR_NOMATCH else {
        let match = result < 0 ? nil : match(of: complete, base: base, namedGroups: wantsGroups)
        return match.map { .match($0) } ?? .limit
      }
      start = invalid + 1
      // A pattern that depends on the start of the search cannot be continued after it.
      if dependsOnSearchStart { return .open(from: base + start) }
    }
    let search = unsafe Search(self, in: subject, moreMayCome: true)
    guard var search else { return .limit }
    switch search.run(from: start, &budget) {
    case PCRE2_ERROR_NOMATCH:
      return .open(from: base + subject.count)
    case PCRE2_ERROR_PARTIAL:
      return .open(from: base + (search.range(ofGroup: 0)?.lowerBound ?? 0))
    case 0...:
      let match = match(of: search, base: base, namedGroups: wantsGroups)
      return match.map { .match($0) } ?? .limit
    default:
      return .limit
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The index of the last byte that is not part of valid UTF-8, or nil if there is none.
  fileprivate var lastInvalidUTF8: Int? {
    var decoder = Unicode.UTF8.ForwardParser()
    var index = 0
    var last: Int?
    var bytes = unsafe makeIterator()
    while true {
      switch unsafe decoder.parseScalar(from: &bytes) {
      case .valid(let scalar): index += scalar.count
      case .error(let length):
        index += length
        last = index - 1
      case .emptyInput: return last
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// The number of bytes at the end that start an incomplete UTF-8 character (RFC 3629 §3).
  fileprivate var missingCharacterStart: Int {
    for (index, byte) in suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length =
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
