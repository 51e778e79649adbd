internal import Glibc

/// Reading a file that may be controlled by another user.
///
/// A named pipe, a terminal or a device can block its reader forever; see ``FileStream``. Anything but a
/// regular file is refused, or read only until the task is cancelled.
package enum FileReading {
  /// The kinds of files that may be read.
  package enum Kind: Sendable {
    /// Regular files only.
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

/// A file that is read incrementally, and that another user may control.
///
/// A named pipe, a terminal or a device can block its reader forever. Opening never blocks, and reading one waits only
/// until the task is cancelled.
package final class FileStream: Sendable {
  /// The interval at which a wait checks for cancellation, in milliseconds.
  private static let pause: Int32 = 50

  private let file: Descriptor
  /// Its size in bytes; nil if it is not a regular file.
  package let size: Int?
  /// Whether it is a folder, which cannot be read.
  package let isFolder: Bool

  /// Opens a file; symbolic links are followed.
  ///
  /// - Throws: ``FileError`` if it cannot be opened.
  package init(_ path: String) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    file = try Descriptor(open: path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    let status = try file.status
    size = status.st_mode & S_IFMT == S_IFREG ? Int(clamping: status.st_size) : nil
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads the next bytes.
  ///
  /// - Parameter count: The maximum number of bytes.
  /// - Returns: The bytes; none at the end.
  /// - Throws: ``FileError`` if it cannot be read, or the task is cancelled while waiting for a pipe.
  package func read(upTo count: Int) throws(FileError) -> [UInt8] {
    while true {
      if size == nil { try wait(for: Int16(POLLIN)) }
      var taken = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        taken = unsafe Glibc.read(file.number, buffer.baseAddress, buffer.count)
        initialized = max(taken, 0)
      }
      if taken >= 0 { return bytes }
      guard errno == EINTR || errno == EAGAIN else { throw .ofLastCall }
    }
  }

  /// Waits until it is ready or broken.
  ///
  /// A pipe that has not been opened for writing is not ready.
  private func wait(for events: Int16) throws(FileError) {
    var event = pollfd(fd: file.number, events: events, revents: 0)
    while true {
      let ready = unsafe poll(&event, 1, Self.pause)
      if ready > 0 { return }
      if Task.isCancelled { throw .cancelled }
      guard ready == 0 || errno == EINTR else { throw .ofLastCall }
    }
  }
}
