internal import ProbePatterns

/// A search in the unread bytes, which continues as more are received.
struct StreamSearch {
  /// The state of the search.
  enum Finding: Equatable {
    /// The first match, which later bytes cannot change; `groups` contains the groups that took part in it.
    case found(Range<Int>, groups: [String: Range<Int>])
    /// No match so far; one may start at or after this position.
    case open(from: Int)
    /// There is no match, and no further data is expected.
    case missing
    /// No further data is expected, and the pattern reached its match limit.
    case limit
  }

  private(set) var finding = Finding.open(from: 0)
  private var form: CompiledSearchTerm.Form

  init(_ term: CompiledSearchTerm) {
    form = term.form
  }

  /// Whether another search costs only as much as the new bytes.
  var isIncremental: Bool {
    if case .literal = form { true } else { false }
  }

  /// Searches all unread data.
  ///
  /// - Parameters:
  ///   - window: The bytes, with indices from 0: those of the last call, followed by new ones.
  ///   - isLast: Whether no further data is expected.
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
    // With more bytes, or at the end of the data, the search may take less work, so defer the decision.
    case .limit: .open(from: window.startIndex)
    }
  }

  private static func last(_ pattern: Pattern, _ window: ArraySlice<UInt8>) -> Finding {
    switch pattern.firstMatch(inWhole: window, namedGroups: true) {
    case .match(let match): .found(match.range, groups: match.groups)
    case .noMatch: .missing
    case .limit: .limit
    }
  }
}

/// The result of the searches of an expect step: one for each reject step in effect, then its own.
enum DialogDecision: Equatable {
  case met(Range<Int>, groups: [String: Range<Int>])
  /// The reject step at this position was met, at this byte.
  case rejected(Int, at: Int)
  /// The search at this position reached its match limit.
  case limit(Int)
  /// Nothing that is certain was found.
  case open
}

extension [StreamSearch] {
  /// The first match in the data, once it is certain; if both start at the same position, a reject step
  /// takes precedence over the expect step.
  var decision: DialogDecision {
    var first: (start: Int, rank: Int)?
    for (rank, search) in enumerated() {
      let start: Int
      switch search.finding {
      case .found(let range, _): start = range.lowerBound
      case .open(let position): start = position
      case .missing: continue
      case .limit: return .limit(rank)
      }
      if first.map({ start < $0.start }) ?? true { first = (start, rank) }
    }
    guard let first, case .found(let range, let groups) = self[first.rank].finding else { return .open }
    return first.rank < count - 1
      ? .rejected(first.rank, at: first.start) : .met(range, groups: groups)
  }
}
