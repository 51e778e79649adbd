internal import ProbeCore

/// The patterns of a ``RecordsValidator``, for the records as lines of a zone file.
struct RecordPatterns {
  private let any: TextPattern?
  private let all: TextPattern?
  private let none: TextPattern?

  /// - Throws: `InvalidInput` for an invalid pattern.
  init(_ options: RecordsValidator.Options) throws(InvalidInput) {
    any = try Self.pattern(options.matches, "matches")
    all = try Self.pattern(options.allMatch, "allMatch")
    none = try Self.pattern(options.noneMatches, "noneMatches")
  }

  private static func pattern(
    _ options: MatchesValidator.Options?, _ key: String
  ) throws(InvalidInput) -> TextPattern? {
    guard let options else { return nil }
    return try InvalidInput.at(key) { () throws(InvalidInput) in try TextPattern(options) }
  }

  var compiledSize: Int { [any, all, none].reduce(0) { $0 + ($1?.compiledSize ?? 0) } }

  /// Judges records.
  ///
  /// - Returns: The rejection, or nil.
  func judge(_ records: [DNSRecord]) -> Validation? {
    let lines = records.map(\.description)
    if let any,
      let rejection = judge(
        lines, any, expected: "a record that matches \(any)", accepts: { $0.contains(true) })
    {
      return rejection
    }
    if let all,
      let rejection = judge(
        lines, all, expected: "only records that match \(all)", accepts: { !$0.contains(false) })
    {
      return rejection
    }
    return none.flatMap { none in
      judge(lines, none, expected: "no record that matches \(none)", accepts: { !$0.contains(true) })
    }
  }

  private func judge(
    _ lines: [String], _ pattern: TextPattern, expected: String, accepts: ([Bool]) -> Bool
  ) -> Validation? {
    var matches: [Bool] = []
    for (line, found) in zip(lines, pattern.search(each: lines)) {
      switch found {
      case .match: matches.append(true)
      case .noMatch: matches.append(false)
      case .limit:
        return .rejected(
          .matchLimit, expected: expected,
          found: "that the pattern needs more work on \(Excerpt(line)) than it may have")
      }
    }
    guard !accepts(matches) else { return nil }
    // The first record with the wrong result.
    let isWanted = !expected.hasPrefix("no ")
    let line = zip(lines, matches).first { $0.1 != isWanted }?.0
    return .rejected(.recordMismatch, expected: expected, found: line.map { "\(Excerpt($0))" } ?? "none")
  }
}
