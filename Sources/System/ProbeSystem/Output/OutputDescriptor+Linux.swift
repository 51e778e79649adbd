import Glibc

/// A file descriptor that a command writes to.
///
/// A pipe or a terminal without an active reader would block its writer forever. A write therefore waits
/// until there is room; after an interruption, this wait is short.
package final class OutputDescriptor: Sendable {
  /// The maximum wait for a reader after an interruption.
  private static let patience = Duration.milliseconds(500)
  /// The interval at which a wait checks for an interruption, in milliseconds.
  private static let pause: Int32 = 50
  /// The number of bytes that a writable pipe accepts without blocking (pipe(7)).
  private static let piece = Int(PIPE_BUF)

  private let number: Int32
  private let isOwned: Bool
  /// Whether it is a file, to which a write never blocks.
  private let isFile: Bool

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - isOwned: Whether to close it when this object is released.
  package init(_ number: Int32, isOwned: Bool = false) {
    self.number = number
    self.isOwned = isOwned
    var status = stat()
    isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit {
    if isOwned { close(number) }
  }

  /// Writes all bytes.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's error message, or if they are not read after an interruption.
  package func write(_ bytes: [UInt8]) throws(OutputSink.Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if !isFile { try waitForRoom() }
      let next = isFile ? rest : rest.prefix(Self.piece)
      let count = unsafe next.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        throw .lastError
      }
    }
  }

  private func waitForRoom() throws(OutputSink.Failure) {
    var event = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    var end: ContinuousClock.Instant?
    while unsafe poll(&event, 1, Self.pause) == 0 {
      guard Interruption.isUnderWay || Task.isCancelled else { continue }
      let now = ContinuousClock.now
      if end == nil { end = now + Self.patience }
      if let end, end <= now { throw OutputSink.Failure("no process reads it") }
    }
  }
}

extension OutputSink.Failure {
  /// The last error of the system.
  static var lastError: OutputSink.Failure {
    let code = errno
    return OutputSink.Failure(unsafe String(cString: strerror(code)), readerHasGone: code == EPIPE)
  }
}
