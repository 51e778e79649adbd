/// A place in a text.
public struct YAMLMark: Hashable, Sendable {
  /// The line, from 0, as libyaml counts.
  public var line: Int
  /// The column in characters, from 0.
  public var column: Int
  /// The place in bytes from the start of what was given, a byte order mark included.
  public var offset: Int

  /// A place.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}
