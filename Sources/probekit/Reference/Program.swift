import ProbeCore

/// The name and version of the program.
struct Program: Hashable, Sendable {
  /// The name of its command.
  var name = Program.ownName
  /// Its version.
  var version = probeKitVersion

  /// The name in the texts of commands.
  static let ownName = "probekit"

  /// The first line of `--version`: with the commit or, for another program, the version of the toolkit.
  var versionLine: String {
    name == Self.ownName
      ? "\(name) \(version)\(BuildVersion.commitNote)" : "\(name) \(version) (ProbeKit \(probeKitVersion))"
  }

  /// A text of a command with the name of this program in its command lines, as in `probekit profiles`.
  func renaming(_ text: String) -> String {
    guard name != Self.ownName else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0 == Self.ownName ? name : String($0) }
      .joined(separator: " ")
  }
}
