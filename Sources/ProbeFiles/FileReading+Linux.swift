internal import Glibc

/// Reading a file that may be controlled by another user.
///
/// A named pipe, a terminal or a device can block its reader forever. Opening never blocks; anything but a
/// regular file is refused, or read only until the task is cancelled.
package enum FileReading {
  /// The kinds of files that may be read.
  package enum Kind: Sendable {
    /// Regular files.
    case regularFiles
    /// Pipes and devices as well, such as a shell's `<(…)`, for paths that the user specifies.
    case anything
  }

  /// The interval at which a wait checks for cancellation, in milliseconds.
  private static let pause: Int32 = 50

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: Its path; symbolic links are followed.
  ///   - limit: The maximum number of bytes wanted. A few more are returned if there are more.
  ///   - kind: The kinds of files that may be read.
  /// - Returns: All of its bytes; if there are more than the limit, more than the limit but not all.
  /// - Throws: ``FileError`` if it cannot be read, is of another kind, or the task is cancelled while waiting
  ///   for a pipe.
  package static func bytes(of path: String, limit: Int, _ kind: Kind) throws(FileError) -> [UInt8] {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { throw .ofLastCall }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .ofLastCall }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    // Reading a folder is a system error.
    guard isRegular || kind == .anything || status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError("it is not a regular file")
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](
      repeating: 0, count: isRegular ? max(512, min(Int(status.st_size) + 1, 1 << 16)) : 1 << 16)
    while bytes.count <= limit {
      if !isRegular { try wait(for: file, Int16(POLLIN)) }
      let count = unsafe read(file, &piece, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw .ofLastCall }
      if count == 0 { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }

  /// The bytes of a regular file below one of these folders, symbolic links resolved.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - folders: The folders, which may themselves be symbolic links.
  ///   - limit: The maximum number of bytes wanted.
  /// - Returns: The bytes, as of ``bytes(of:limit:_:)``; nil if the file is outside of all folders.
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

  /// Waits until a descriptor is ready or broken.
  ///
  /// A pipe that has not been opened for writing is not ready.
  static func wait(for file: Int32, _ events: Int16) throws(FileError) {
    var event = pollfd(fd: file, events: events, revents: 0)
    while true {
      let ready = unsafe poll(&event, 1, pause)
      if ready > 0 { return }
      if Task.isCancelled { throw .cancelled }
      guard ready == 0 || errno == EINTR else { throw .ofLastCall }
    }
  }
}
