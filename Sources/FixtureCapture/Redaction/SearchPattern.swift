internal import ProbePCRE2
internal import ProbeCore

/// A built-in pattern of which all matches are needed.
struct SearchPattern: Sendable {
  /// One match with its range and those of its named groups.
  struct Match {
    let range: Range<Int>
    let groups: [String: Range<Int>]
  }

  // An invalid pattern would silently match nothing; a test checks that all compile.
  let pattern: Pattern?

  /// Creates a case-insensitive pattern.
  init(_ text: String, _ options: PatternOptions = []) {
    pattern = try? Pattern(text, options: options.union(.caseless))
  }

  /// All matches in a text, without overlaps.
  ///
  /// A search that exceeds its work limit, which only a hostile text causes, is repeated in small pieces,
  /// each with the full limit; matches where pieces overlap may be returned twice.
  func matches(in text: [UInt8]) -> [Match] {
    let (matches, isComplete) = search(text)
    guard !isComplete, text.count > Self.piece else { return matches }
    return stride(from: 0, to: text.count, by: Self.piece - Self.overlap).flatMap { start in
      search(Array(text[start..<min(text.count, start + Self.piece)])).matches.map { $0.moved(by: start) }
    }
  }

  /// The matches up to where the search stopped at its limit, if it did.
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
  /// Whether it is an ASCII letter or digit.
  var isWord: Bool { isASCIILetter || isASCIIDigit }
}

extension Collection<UInt8> {
  /// The bytes as text, with invalid UTF-8 repaired.
  var text: String { String(decoding: self, as: UTF8.self) }
  /// The bytes with ASCII letters in lower case.
  var lowercased: [UInt8] { map(\.asciiLowercased) }
}

extension Range<Int> {
  /// The range moved by a distance.
  func moved(by distance: Int) -> Range<Int> { (lowerBound + distance)..<(upperBound + distance) }
}
