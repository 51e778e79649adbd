import Glibc

/// A file descriptor that a command writes to.
///
/// A pipe or a terminal whose reader does not read would keep its writer waiting for ever. So nothing is written before
/// there is room, and after an interruption it is waited for a little only.
final class OutputDescriptor: Sendable {
  /// How long a reader that does not read is waited for after an interruption.
  private static let patience = Duration.milliseconds(500)
  /// How often a wait looks for an interruption, in milliseconds.
  private static let pause: Int32 = 50
  /// As much as a pipe that has room at all takes without waiting (pipe(7)).
  private static let piece = Int(PIPE_BUF)

  private let number: Int32
  private let isOwned: Bool
  /// Whether it is a file, which always has room or says that it has none.
  private let isFile: Bool

  /// A descriptor.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - isOwned: Whether it is closed when nobody writes to it any more.
  init(_ number: Int32, isOwned: Bool = false) {
    self.number = number
    self.isOwned = isOwned
    var status = stat()
    isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit {
    if isOwned { close(number) }
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's words, or when nobody reads them after an interruption.
  func write(_ bytes: [UInt8]) throws(OutputSink.Failure) {
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
  /// What the system said last.
  static var lastError: OutputSink.Failure {
    let code = errno
    return OutputSink.Failure(unsafe String(cString: strerror(code)), readerHasGone: code == EPIPE)
  }
}
