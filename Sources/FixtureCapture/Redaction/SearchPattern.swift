internal import ProbePCRE2
internal import ProbeCore

/// A pattern of this program's own, all matches of which are wanted.
struct SearchPattern: Sendable {
  /// One match: where it is, and where its named groups are.
  struct Match {
    let range: Range<Int>
    let groups: [String: Range<Int>]
  }

  // A pattern with a mistake in it would find nothing, silently: that all compile is tested.
  let pattern: Pattern?

  /// A pattern; upper and lower case are the same in it.
  init(_ text: String, _ options: PatternOptions = []) {
    pattern = try? Pattern(text, options: options.union(.caseless))
  }

  /// All matches in a text, none of which overlap.
  ///
  /// A search that takes more work than it may have, which somebody must have aimed at, is done anew in small pieces, in
  /// each of which it may have as much; there a match may be met twice.
  func matches(in text: [UInt8]) -> [Match] {
    let (matches, isComplete) = search(text)
    guard !isComplete, text.count > Self.piece else { return matches }
    return stride(from: 0, to: text.count, by: Self.piece - Self.overlap).flatMap { start in
      search(Array(text[start..<min(text.count, start + Self.piece)])).matches.map { $0.moved(by: start) }
    }
  }

  /// The matches up to where the search was given up, if it was.
  func search(_ text: [UInt8]) -> (matches: [Match], isComplete: Bool) {
    var matches: [Match] = []
    let isComplete =
      pattern?.forEachMatch(in: text) { matches.append(Match(range: $0.range, groups: $0.groups)) } ?? true
    return (matches, isComplete)
  }

  private static let piece = 4096
  private static let overlap = 512
}

extension SearchPattern.Match {
  fileprivate func moved(by distance: Int) -> Self {
    Self(range: range.moved(by: distance), groups: groups.mapValues { $0.moved(by: distance) })
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  var isWord: Bool { isASCIILetter || isASCIIDigit }
}

extension Collection<UInt8> {
  /// The bytes as a text, those that are not UTF-8 repaired.
  var text: String { String(decoding: self, as: UTF8.self) }
  /// The bytes with ASCII letters in lower case.
  var lowercased: [UInt8] { map(\.asciiLowercased) }
}

extension Range<Int> {
  /// The same range, so much further on.
  func moved(by distance: Int) -> Range<Int> { (lowerBound + distance)..<(upperBound + distance) }
}
