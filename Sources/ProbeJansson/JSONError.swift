/// Why a text is not read as JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// What is wrong, in libjansson's words for what it finds; bytes of the text may stand in it.
  package var problem: String
  /// The line in which it was met, from 1; 0 where it is in no line.
  package var line: Int
  /// The character of the line at which it was met, from 1.
  package var column: Int

  /// A problem.
  package init(_ problem: String, line: Int = 0, column: Int = 0) {
    self.problem = problem
    self.line = line
    self.column = column
  }
}

extension JSONError: CustomStringConvertible {
  /// What is wrong and where.
  package var description: String {
    line > 0 ? "\(problem) at line \(line), column \(column)" : problem
  }
}
