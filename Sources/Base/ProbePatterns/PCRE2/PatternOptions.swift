internal import CProbePCRE2

/// Options for the interpretation and matching of a pattern.
package struct PatternOptions: OptionSet, Hashable, Sendable {
  /// One bit for each option; the values are not PCRE2's.
  package let rawValue: UInt32

  /// Options from their bits.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Upper and lower case are the same, by Unicode's simple case folding.
  package static let caseless = PatternOptions(rawValue: 1 << 0)
  /// A dot also matches line breaks.
  package static let dotall = PatternOptions(rawValue: 1 << 1)
  /// `^` and `$` match at the start and end of every line, which ends with LF, CR or CRLF.
  package static let multiline = PatternOptions(rawValue: 1 << 2)
  /// White space in the pattern is ignored, and `#` starts a comment that runs to the end of its line.
  package static let extended = PatternOptions(rawValue: 1 << 3)
  /// The match must start at the first byte.
  package static let anchored = PatternOptions(rawValue: 1 << 4)
  /// The match must end at the last byte.
  package static let endAnchored = PatternOptions(rawValue: 1 << 5)
  /// The pattern is plain text without special characters.
  ///
  /// It can be combined only with caseless and the anchors.
  package static let literal = PatternOptions(rawValue: 1 << 6)
  /// The pattern will also be used for streams that may continue; see
  /// ``Pattern/firstMatch(inStart:namedGroups:)``.
  ///
  /// It changes no match, only the time and memory for compiling: machine code for streams is generated as
  /// well.
  package static let streaming = PatternOptions(rawValue: 1 << 7)
  /// The pattern will be used for all matches in a text; see ``Pattern/forEachMatch(in:_:)``.
  ///
  /// It changes no match, only the time, provided that a test compares the machine code of the pattern with the
  /// interpreter: it is generated without a precaution against faults of the library.
  package static let allMatches = PatternOptions(rawValue: 1 << 8)
}

extension PatternOptions {
  /// The corresponding PCRE2 bits.
  var compileOptions: UInt32 {
    let bits: [(PatternOptions, UInt32)] = [
      (.caseless, PCRE2_CASELESS), (.dotall, PCRE2_DOTALL), (.multiline, PCRE2_MULTILINE),
      (.extended, PCRE2_EXTENDED), (.anchored, PCRE2_ANCHORED), (.endAnchored, PCRE2_ENDANCHORED),
      (.literal, PCRE2_LITERAL),
    ]
    return bits.reduce(0) { contains($1.0) ? $0 | $1.1 : $0 }
  }
}
