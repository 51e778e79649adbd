import FoundationEssentials

/// An expected text stored beside the tests; run them with `UPDATE_SNAPSHOTS=1` to update it.
package struct Snapshot {
  /// The stored text.
  package let text: String

  /// Reads the snapshot of this name from the folder `Snapshots` beside the test.
  package init(_ name: String, is actual: String, extension suffix: String = "txt", path: String = #filePath)
    throws
  {
    let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "Snapshots")
    let file = folder.appending(path: "\(name).\(suffix)")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
    }
    text = try String(contentsOf: file, encoding: .utf8)
  }
}
