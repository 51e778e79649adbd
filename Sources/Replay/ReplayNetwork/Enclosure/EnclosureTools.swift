import ProbeCore
import ProbeSystem
package import ProbeBase

/// The system programs that a replayed network needs, by path.
package struct EnclosureTools: Sendable {
  /// A program, and the Debian package that contains it.
  static let all = [
    ("unshare", "util-linux"), ("nsenter", "util-linux"), ("mount", "mount"), ("umount", "mount"),
    ("ip", "iproute2"), ("nft", "nftables"),
  ]

  /// The folders of programs for administrators, which a user's PATH may lack.
  private static let folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

  private let paths: [String: String]

  /// Finds the programs in folders.
  ///
  /// - Throws: `InvalidInput` with the missing programs and their packages.
  package init(in folders: [String] = folders) throws(InvalidInput) {
    var paths: [String: String] = [:]
    var missing: [(name: String, package: String)] = []
    for (name, package) in Self.all {
      let path = folders.lazy.map { "\($0)/\(name)" }.first { ProgramFile.state(of: $0) == .runnable }
      if let path { paths[name] = path } else { missing.append((name, package)) }
    }
    guard missing.isEmpty else {
      let packages = Set(missing.map(\.package)).sorted().joined(separator: " ")
      throw InvalidInput(
        "--exec needs \(missing.map(\.name).joined(separator: ", ")), which this machine lacks",
        remedy: "install \(packages), or \(Enclosure.otherWay)")
    }
    self.paths = paths
  }

  /// The path of a program; its name if it is not one of these programs.
  subscript(_ name: String) -> String { paths[name] ?? name }
}
