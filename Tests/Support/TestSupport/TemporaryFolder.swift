import FoundationEssentials
import Glibc

/// A folder that lives as long as this object.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Creates a folder with these files, by path.
  package init(_ files: [String: String] = [:]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "probekit-test-\(UInt64.random(in: 0 ... .max))")
    path = folder.path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder, which need not exist.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file all at once, and replaces an existing one.
  ///
  /// - Returns: Its path.
  @discardableResult package func write(_ name: String, _ text: String) throws -> String {
    let file = URL(filePath: path(of: name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
    return path(of: name)
  }

  /// Writes a program that can be started at once.
  ///
  /// No process that starts meanwhile may have the file open for writing: it could not be executed then.
  ///
  /// - Returns: Its path.
  @discardableResult package func write(program name: String, _ text: String) throws -> String {
    let path = path(of: name)
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard unsafe bytes.withUnsafeBytes({ unsafe Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count
    else { throw CocoaError(.fileWriteUnknown) }
    return path
  }
}
