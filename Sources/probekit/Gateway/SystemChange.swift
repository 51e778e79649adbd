/// A change of this machine's settings that can be taken back: a pair of shell commands.
struct SystemChange: Hashable, Sendable {
  /// What it does, for a message about its failure: "add the address 10.97.0.1/24".
  var summary: String
  /// The shell command that makes the change.
  var apply: String
  /// The shell command that takes it back, also if some of it is already gone.
  var undo: String

  /// Creates a change.
  init(_ summary: String, apply: String, undo: String = ":") {
    self.summary = summary
    self.apply = apply
    self.undo = undo
  }

  /// A word for the shell: in quotation marks, whatever it contains.
  static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
