import ProbeBase

/// The reason why a text is not valid JSON, and the position of the error.
package struct JSONError: Error, Hashable, Sendable {
  /// A description, from libjansson for its own errors; it may contain bytes of the text.
  package var problem: String
  /// The line of the error, from 1; 0 if it has no position.
  package var line: Int
  /// The column of the error in characters, from 1.
  package var column: Int

  /// An error.
  package init(_ problem: String, line: Int = 0, column: Int = 0) {
    self.problem = problem
    self.line = line
    self.column = column
  }
}

extension JSONError: CustomStringConvertible {
  /// The description and the position.
  package var description: String {
    line > 0 ? "\(problem) at line \(line), column \(column)" : problem
  }
}
