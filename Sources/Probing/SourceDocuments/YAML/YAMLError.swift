/// The reason why a text is not valid YAML, and the position of the error.
package struct YAMLError: Error, Hashable, Sendable {
  /// The kind of error; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded identifier, suitable as a metric label.
    package let rawValue: String

    /// A code with an identifier.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// No memory is available.
    package static let noMemory = Code(rawValue: "noMemory")
    /// The bytes are not UTF-8.
    package static let encoding = Code(rawValue: "encoding")
    /// A character is not allowed in YAML (YAML 1.1 §4.1).
    package static let character = Code(rawValue: "character")
    /// The scanner found no valid token.
    package static let scanner = Code(rawValue: "scanner")
    /// A token is not allowed at its position.
    package static let parser = Code(rawValue: "parser")
  }

  /// The kind of error.
  package var code: Code
  /// A description, from libyaml for an error of the scanner or the parser.
  package var problem: String
  /// The position of the error.
  package var mark: YAMLMark
  /// The construct being parsed, as described by libyaml, such as `while parsing a flow mapping`, or nil.
  package var context: String?
  /// The start of the context, or nil.
  var contextMark: YAMLMark?

  /// An error.
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
  /// The description and the position, lines and columns from 1.
  package var description: String {
    let position = "line \(mark.line + 1), column \(mark.column + 1)"
    return "\(problem) at \(position)" + (context.map { " \($0)" } ?? "")
  }
}
