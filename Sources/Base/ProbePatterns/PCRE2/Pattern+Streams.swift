internal import CProbePCRE2

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
