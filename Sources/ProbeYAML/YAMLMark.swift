/// A place in a text.
package struct YAMLMark: Hashable, Sendable {
  /// The line, from 0, as libyaml counts.
  package var line: Int
  /// The column in characters, from 0.
  package var column: Int
  /// The place in bytes from the start of what was given, a byte order mark included.
  package var offset: Int

  /// A place.
  package init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}
