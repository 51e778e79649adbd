import ProbeBase

/// A change of this machine's settings that can be undone: a pair of shell commands.
package struct SystemChange: Hashable, Sendable {
  /// The description of the change, for a message about its failure: "add the address 10.97.0.1/24".
  var summary: String
  /// The shell command that makes the change.
  var apply: String
  /// The shell command that undoes the change, even if it has been partly undone.
  var undo: String

  /// Creates a change.
  package init(_ summary: String, apply: String, undo: String = ":") {
    self.summary = summary
    self.apply = apply
    self.undo = undo
  }

  /// The word in single quotes, for the shell; it may contain any character.
  package static func quoted(_ word: String) -> String { word.inSingleQuotes }
}
