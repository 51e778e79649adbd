import FoundationEssentials
import Glibc
import ProbeSystem

/// The files of this machine below a root folder, which tests replace.
struct MachineFiles: Sendable {
  /// A file.
  struct Entry: Hashable, Sendable {
    /// The path, as if the folder were the root.
    var path: String
    /// The last part of the path.
    var name: String
    /// The modification time.
    var written: Date
  }

  /// The maximum number of files of a folder.
  private static let limit = 4096
  private let prefix: String

  /// Creates access to the files below a folder.
  init(root: String) {
    prefix = root == "/" ? "" : root
  }

  /// The bytes of a regular file; nil if it cannot be read or exceeds the limit.
  func read(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
    guard let bytes = try? self.bytes(of: path, limit: limit), bytes.count <= limit else { return nil }
    return bytes
  }

  /// The bytes of a regular file; if it exceeds the limit, a prefix that is longer than the limit.
  ///
  /// - Throws: `FileError` if it cannot be read.
  func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    try FileReading.bytes(of: prefix + path, limit: limit, .regularFiles)
  }

  /// Whether a file or folder exists.
  func exists(_ path: String) -> Bool { status(of: path) != nil }

  /// The regular files of a folder, sorted by name; none if it cannot be read.
  func entries(of folder: String) -> [Entry] {
    names(in: folder).compactMap { name in
      let path = "\(folder)/\(name)"
      guard let status = status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Entry(
        path: path, name: name, written: Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec)))
    }
  }

  /// The names in a folder, sorted; none if it cannot be read.
  func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(prefix + folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while names.count < Self.limit, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func status(of path: String) -> stat? {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(prefix + path, &status) == 0 else { return nil }
    return status
  }
}
