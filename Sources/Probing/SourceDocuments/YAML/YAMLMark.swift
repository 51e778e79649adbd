/// A position in a text.
package struct YAMLMark: Hashable, Sendable {
  /// The line, from 0, as in libyaml.
  package var line: Int
  /// The column in characters, from 0.
  package var column: Int
  /// The offset in bytes from the start of the input, including a byte order mark.
  package var offset: Int

  /// A position.
  package init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}
