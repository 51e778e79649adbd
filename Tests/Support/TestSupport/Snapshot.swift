import FoundationEssentials

/// An expected text stored in the folder of the tests' target; run them with `UPDATE_SNAPSHOTS=1` to update it.
package struct Snapshot {
  /// The stored text.
  package let text: String

  /// Reads the snapshot of this name from the folder `Snapshots` of the target, or beside another file.
  package init(_ name: String, is actual: String, extension suffix: String = "txt", path: String = #filePath)
    throws
  {
    let folder = Self.folder(for: path)
    let file = folder.appending(path: "\(name).\(suffix)")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
    }
    text = try String(contentsOf: file, encoding: .utf8)
  }

  private static func folder(for path: String) -> URL {
    let beside = URL(filePath: path).deletingLastPathComponent()
    guard path.hasSuffix(".swift") else { return beside.appending(path: "Snapshots") }
    let units = projectFile("Tests/Unit").path + "/"
    let target = path.dropFirst(units.count).prefix { $0 != "/" }
    return URL(filePath: "\(units)\(target)/Snapshots")
  }
}
