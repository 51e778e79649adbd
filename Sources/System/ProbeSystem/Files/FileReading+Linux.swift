internal import Glibc

/// Reading a file that may be controlled by another user.
///
/// A named pipe, a terminal or a device can block its reader forever; see ``FileStream``. Anything but a
/// regular file is refused, or read only until the task is cancelled.
package enum FileReading {
  /// The kinds of files that may be read.
  package enum Kind: Sendable {
    /// Regular files.
    case regularFiles
    /// Pipes and devices as well, such as a shell's `<(…)`, for paths that the user specifies.
    case anything
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: Its path; symbolic links are followed.
  ///   - limit: The maximum number of requested bytes. A few more are returned if there are more.
  ///   - kind: The kinds of files that may be read.
  /// - Returns: All of its bytes; if there are more than the limit, more than the limit but not all.
  /// - Throws: ``FileError`` if it cannot be read, is of another kind, or the task is cancelled while waiting
  ///   for a pipe.
  package static func bytes(of path: String, limit: Int, _ kind: Kind) throws(FileError) -> [UInt8] {
    let file = try FileStream(path)
    // Reading a folder is a system error.
    guard file.size != nil || kind == .anything || file.isFolder else {
      throw FileError("it is not a regular file")
    }
    let piece = file.size.map { max(512, min($0 + 1, 1 << 16)) } ?? 1 << 16
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let next = try file.read(upTo: piece)
      if next.isEmpty { break }
      bytes += next
    }
    return bytes
  }

  /// The bytes of a regular file below one of these folders, symbolic links resolved.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - folders: The folders, which may themselves be symbolic links.
  ///   - limit: The maximum number of requested bytes.
  /// - Returns: The bytes, as from ``bytes(of:limit:_:)``; nil if the file is outside all folders.
  /// - Throws: ``FileError`` if it cannot be read or is not a regular file.
  package static func bytes(of path: String, in folders: [String], limit: Int) throws(FileError) -> [UInt8]? {
    let real = try resolved(path)
    let isInside = folders.contains { folder in
      guard let root = try? resolved(folder) else { return false }
      return real.hasPrefix(root == "/" ? root : root + "/")
    }
    // The resolved path, so that a link that changes meanwhile has no effect.
    return isInside ? try bytes(of: real, limit: limit, .regularFiles) : nil
  }

  /// The path with symbolic links, `.` and `..` resolved.
  package static func resolved(_ path: String) throws(FileError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    guard let resolved = unsafe realpath(path, nil) else { throw .ofLastCall }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
