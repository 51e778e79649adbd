package import ProbeBase

/// A regular expression in the syntax of Go (RE2), matched by PCRE2.
///
/// A subject is decoded as in Go: each byte that is not UTF-8 is one character, U+FFFD.
package struct GoPattern: Sendable {
  /// The error of a search that exceeded its limit of work or memory; whether there is a match is unknown.
  package struct GaveUp: Error, Hashable, Sendable {}

  /// A match, with the groups of the expression.
  package struct Match: Sendable {
    /// The bytes of each group by its number, the whole match first; nil for a group that did not take part.
    package let groups: [[UInt8]?]
    /// The numbers of the groups with each name.
    package let names: [String: [Int]]
  }

  /// The expression as written.
  package let text: String
  /// The possible differences from Go's matches, one line each; empty for nearly all expressions.
  package let differences: [String]
  private let pattern: Pattern
  private let names: [String: [Int]]

  /// Compiles an expression.
  ///
  /// - Parameter text: The expression.
  /// - Throws: `InvalidInput` with the position of the mistake, if Go does not accept it or it is too large.
  package init(_ text: String) throws(InvalidInput) {
    var translation = GoTranslation(text)
    try translation.translate()
    self.text = text
    (names, differences) = (translation.names, translation.differences)
    do throws(PatternError) { pattern = try Pattern(translation.result, options: .dotall) } catch {
      throw InvalidInput("\(Excerpt(text)) cannot be compiled: \(error.message)", remedy: "make it smaller")
    }
  }

  /// Whether the expression matches somewhere.
  ///
  /// - Throws: ``GaveUp`` if the search exceeded its limit.
  package func matches(_ bytes: [UInt8]) throws(GaveUp) -> Bool {
    switch pattern.firstMatch(in: DecodedText(bytes).bytes) {
    case .match: return true
    case .noMatch: return false
    case .limit: throw GaveUp()
    }
  }

  /// The first match; nil if there is none.
  ///
  /// - Throws: ``GaveUp`` if the search exceeded its limit.
  package func match(in bytes: [UInt8]) throws(GaveUp) -> Match? {
    let subject = DecodedText(bytes)
    switch pattern.groupsOfFirstMatch(in: subject.bytes) {
    case .match(let ranges):
      return Match(groups: ranges.map { $0.map { Array(bytes[subject.original($0)]) } }, names: names)
    case .noMatch: return nil
    case .limit: throw GaveUp()
    }
  }
}

extension GoPattern: Hashable {
  /// Whether two expressions are written in the same way.
  package static func == (left: GoPattern, right: GoPattern) -> Bool { left.text == right.text }

  /// Hashes the text.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
