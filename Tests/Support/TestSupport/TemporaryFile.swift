import FoundationEssentials

/// A file that lives as long as this object.
package final class TemporaryFile: Sendable {
  package let path: String

  /// Writes a file.
  package init(_ text: String) throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "probekit-test-\(UInt64.random(in: 0 ... .max))")
    path = url.path
    try Data(text.utf8).write(to: url)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
