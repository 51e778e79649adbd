internal import ProbePatterns
internal import ProbeCore
import ProbeBase

/// A built-in pattern of which all matches are needed.
struct SearchPattern: Sendable {
  // An invalid pattern would silently match nothing; a test checks that all compile.
  let pattern: Pattern?
  /// The expression and its options, with which tests compile it otherwise.
  let source: (text: String, options: PatternOptions)

  /// Creates a case-insensitive pattern.
  init(_ text: String, _ options: PatternOptions = []) {
    source = (text, options.union([.caseless, .allMatches]))
    pattern = try? Pattern(source.text, options: source.options)
  }

  /// Calls a closure with each match in a text, from left to right, without overlaps.
  ///
  /// A search that exceeds its limit, which no text is known to cause, continues in small pieces, each with the
  /// full limit; matches where pieces overlap may be found twice.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - body: Receives each match.
  func forEachMatch(in text: [UInt8], _ body: (Pattern.FoundMatch) -> Void) {
    guard let pattern else { return }
    var end = 0
    let isComplete = pattern.forEachMatch(in: text) { match in
      end = match.range.upperBound
      body(match)
    }
    guard !isComplete, text.count - end > Self.piece else { return }
    for start in stride(from: end, to: text.count, by: Self.piece - Self.overlap) {
      let piece = Array(text[start..<min(text.count, start + Self.piece)])
      _ = pattern.forEachMatch(in: piece) { body($0.moved(by: start)) }
    }
  }

  /// The results of a closure for each match in a text, without those that are nil.
  func compactMap<Result>(
    in text: [UInt8], _ transform: (Pattern.FoundMatch) -> Result?
  ) -> [Result] {
    var results: [Result] = []
    forEachMatch(in: text) { match in
      if let result = transform(match) { results.append(result) }
    }
    return results
  }

  private static let piece = 4096
  private static let overlap = 512
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
