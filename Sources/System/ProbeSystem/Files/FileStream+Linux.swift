internal import Glibc

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
