import ProbeCore

/// How the program is called, in every text that names it.
struct Program: Hashable, Sendable {
  /// The word that runs it.
  var name = Program.ownName
  /// Its version.
  var version = probeKitVersion

  /// What the texts of commands call it.
  static let ownName = "probekit"

  /// The first line of `--version`: with the commit, or with the version of the toolkit where the program is another one.
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
