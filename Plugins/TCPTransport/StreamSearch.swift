internal import ProbePCRE2

/// One search in the bytes that wait unread, going on while they come.
struct StreamSearch {
  /// How far it has got.
  enum Finding: Equatable {
    /// The first match, whatever comes; groups are those of a pattern that took part.
    case found(Range<Int>, groups: [String: Range<Int>])
    /// No match yet; one may start at this place or behind it.
    case open(from: Int)
    /// It is not there, and nothing more comes.
    case missing
    /// Nothing more comes, and the pattern needs more work than it may have.
    case limit
  }

  private(set) var finding = Finding.open(from: 0)
  private var form: SoughtBytes.Form

  init(_ sought: SoughtBytes) {
    form = sought.form
  }

  /// Whether looking again costs only what is new.
  var isIncremental: Bool {
    if case .literal = form { true } else { false }
  }

  /// Looks at all that waits.
  ///
  /// - Parameters:
  ///   - window: The bytes, with indices from 0; the same as the last time, and those that came since.
  ///   - isLast: Whether nothing more comes.
  mutating func look(at window: ArraySlice<UInt8>, isLast: Bool) {
    if case .found = finding { return }
    switch form {
    case .literal(var search):
      let (start, isFound) = search.look(at: window)
      form = .literal(search)
      finding = isFound ? .found(start..<(start + search.bytes.count), groups: [:]) : .open(from: start)
    case .pattern(let pattern):
      finding = isLast ? Self.last(pattern, window) : Self.start(pattern, window)
    }
    if isLast, case .open = finding { finding = .missing }
  }

  private static func start(_ pattern: Pattern, _ window: ArraySlice<UInt8>) -> Finding {
    switch pattern.firstMatch(inStart: window, namedGroups: true) {
    case .match(let match): .found(match.range, groups: match.groups)
    case .open(let start): .open(from: start)
    // With more bytes, or none to come, the same may be little work: what is known only later decides.
    case .limit: .open(from: window.startIndex)
    }
  }

  private static func last(_ pattern: Pattern, _ window: ArraySlice<UInt8>) -> Finding {
    switch pattern.firstMatch(in: window, namedGroups: true) {
    case .match(let match): .found(match.range, groups: match.groups)
    case .noMatch: .missing
    case .limit: .limit
    }
  }
}
