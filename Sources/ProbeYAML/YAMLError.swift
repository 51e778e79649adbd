/// Why a text cannot be read as YAML, and where.
package struct YAMLError: Error, Hashable, Sendable {
  /// The kind of problem; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded word, fit for a metric label.
    package let rawValue: String

    /// A code from its word.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// There is no memory for it.
    package static let noMemory = Code(rawValue: "noMemory")
    /// The bytes are not UTF-8.
    package static let encoding = Code(rawValue: "encoding")
    /// A character that no YAML text may have (YAML 1.1 §4.1).
    package static let character = Code(rawValue: "character")
    /// The text makes no token.
    package static let scanner = Code(rawValue: "scanner")
    /// A token stands where it may not.
    package static let parser = Code(rawValue: "parser")
  }

  /// The kind of problem.
  package var code: Code
  /// What is wrong, in libyaml's words for a scanner's or a parser's problem.
  package var problem: String
  /// Where it was met.
  package var mark: YAMLMark
  /// What was being read, in libyaml's words, such as `while parsing a flow mapping`, or nil.
  package var context: String?
  /// Where that starts, or nil.
  package var contextMark: YAMLMark?

  /// A problem.
  package init(
    _ code: Code, _ problem: String, mark: YAMLMark, context: String? = nil, contextMark: YAMLMark? = nil
  ) {
    self.code = code
    self.problem = problem
    self.mark = mark
    self.context = context
    self.contextMark = contextMark
  }
}

extension YAMLError: CustomStringConvertible {
  /// What is wrong and where, lines and columns from 1.
  package var description: String {
    let place = "line \(mark.line + 1), column \(mark.column + 1)"
    return "\(problem) at \(place)" + (context.map { " \($0)" } ?? "")
  }
}
