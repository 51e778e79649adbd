internal import Glibc

/// Reading a file that somebody else may have put there.
///
/// A named pipe, a terminal or a device can keep its reader waiting for ever. Nothing is opened in a way that waits; what
/// is no regular file is refused, or read only until the task is cancelled.
package enum FileReading {
  /// What may be read.
  package enum Kind: Sendable {
    /// Regular files.
    case regularFiles
    /// Pipes and devices too, such as a shell's `<(…)`: what a person names by hand.
    case anything
  }

  /// How often a wait looks whether the task is cancelled, in milliseconds.
  private static let pause: Int32 = 50

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: Its path; symbolic links are followed.
  ///   - limit: How many bytes are wanted at most. A few more are returned when there are more.
  ///   - kind: What may be read.
  /// - Returns: All of its bytes; more than the limit when it has more, and then not all of them.
  /// - Throws: ``FileError`` when it cannot be read, is of another kind, or the task is cancelled while a pipe has nothing
  ///   to read.
  package static func bytes(of path: String, limit: Int, _ kind: Kind) throws(FileError) -> [UInt8] {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { throw .ofLastCall }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .ofLastCall }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    // Reading a folder is an error of the system's.
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

  /// Waits until a descriptor is ready, or broken.
  ///
  /// A pipe that nobody has opened for writing yet is not.
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
