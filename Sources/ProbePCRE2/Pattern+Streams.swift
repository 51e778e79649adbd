internal import CProbePCRE2

extension Pattern {
  /// What a search in the start of a stream found.
  package enum StreamResult: Hashable, Sendable {
    /// The first match, which stays the first match whatever comes.
    case match(Match)
    /// There is no match yet; one may start at this index or behind it, depending on what comes.
    case open(from: Int)
    /// The search needed more work or memory than it may have; whether there is a match is not known.
    case limit
  }

  /// Finds the first match in the start of a stream of which more may come.
  ///
  /// A match is told only when no byte that comes later can change it: one that reaches for the end of what is there
  /// (`a+`, `$`, `\b`, a lookahead) is open until more comes. So the answer does not depend on how much is there,
  /// except that it may be open for longer. When nothing more comes, ``firstMatch(in:namedGroups:)-(ArraySlice<UInt8>,_)``
  /// decides. (`PCRE2_PARTIAL_HARD`; pcre2partial, "Partial matching using pcre2_match()".)
  ///
  /// - Parameters:
  ///   - subject: The bytes that are there; what is before them does not exist for the pattern.
  ///   - namedGroups: Whether to say where the named groups matched.
  /// - Returns: The match, or how far the search has got.
  package func firstMatch(inStart subject: ArraySlice<UInt8>, namedGroups: Bool = false) -> StreamResult {
    // To the library a character of which a part is missing is an invalid one, not one that more may come of.
    let whole = subject.dropLast(subject.missingCharacterStart)
    // What may come first decides whether even an empty pattern matches there.
    guard !whole.isEmpty else { return .open(from: whole.startIndex) }
    return unsafe whole.withUnsafeBufferPointer {
      unsafe firstMatch(inStart: $0, base: whole.startIndex, namedGroups: namedGroups)
    }
  }

  private func firstMatch(
    inStart subject: UnsafeBufferPointer<UInt8>, base: Int, namedGroups: Bool
  ) -> StreamResult {
    let wantsGroups = namedGroups && hasNamedGroups
    var start = 0
    // The interpreter, unlike machine code, takes every byte that is not UTF-8 for the end of what is there, and loses
    // matches before it. Nothing matches across such a byte, so what is before the last one is complete.
    if !isTranslatedForStreams, let invalid = unsafe subject.lastInvalidUTF8 {
      let complete = unsafe Search(self, in: subject)
      guard var complete else { return .limit }
      let result = complete.run(through: invalid)
      guard result == PCRE2_ERROR_NOMATCH else {
        let match = result < 0 ? nil : match(of: complete, base: base, namedGroups: wantsGroups)
        return match.map { .match($0) } ?? .limit
      }
      start = invalid + 1
      // What looks at the place where a search starts cannot go on behind it.
      if isSearchedAtOnce { return .open(from: base + start) }
    }
    let search = unsafe Search(self, in: subject, moreMayCome: true)
    guard var search else { return .limit }
    switch search.run(from: start) {
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
  /// The place of the last byte that belongs to no UTF-8 character, or nil when all do.
  fileprivate var lastInvalidUTF8: Int? {
    var decoder = Unicode.UTF8.ForwardParser()
    var place = 0
    var last: Int?
    var bytes = unsafe makeIterator()
    while true {
      switch unsafe decoder.parseScalar(from: &bytes) {
      case .valid(let scalar): place += scalar.count
      case .error(let length):
        place += length
        last = place - 1
      case .emptyInput: return last
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// How many bytes at the end are the start of a UTF-8 character of which the rest is missing (RFC 3629 §3).
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
