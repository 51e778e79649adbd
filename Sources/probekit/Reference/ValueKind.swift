/// What the value of an option or an argument is, for the completion of shells.
enum ValueKind: Hashable, Sendable {
  /// A text that nothing is known of.
  case text
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// One of several words.
  case oneOf([String])
  /// Several of these words, with commas between them.
  case listOf([String])
}
