/// The name and version of the program.
package struct ToolName: Hashable, Sendable {
  /// The name of its command.
  package var name: String
  /// Its version.
  package var version: String

  /// The name in the texts of commands.
  package static let ownName = "probekit"

  /// Creates a program.
  package init(name: String = ToolName.ownName, version: String) {
    self.name = name
    self.version = version
  }

  /// A text of a command with the name of this program in its command lines, as in `probekit profiles`.
  func renaming(_ text: String) -> String {
    guard name != Self.ownName else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0 == Self.ownName ? name : String($0) }
      .joined(separator: " ")
  }
}

extension ToolName {
  /// The name as a part of the name of a shell function.
  var functionName: String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
