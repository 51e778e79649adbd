/// A place in a text, as libyaml counts.
public struct YAMLMark: Hashable, Sendable {
  /// The line, from 0.
  public var line: Int
  /// The column in characters, from 0.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
