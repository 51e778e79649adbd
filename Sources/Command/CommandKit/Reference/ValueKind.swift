/// The kind of value of an option or an argument, for shell completion.
package enum ValueKind: Hashable, Sendable {
  /// Any text.
  case text
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// One of several words.
  case oneOf([String])
  /// Several of these words, separated by commas.
  case listOf([String])
}
