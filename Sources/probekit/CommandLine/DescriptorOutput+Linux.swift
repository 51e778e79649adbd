import Glibc

/// Writing to a file descriptor.
enum DescriptorOutput {
  /// Writes all of the bytes.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's words.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputSink.Failure) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start)
      }
      if written >= 0 {
        start += written
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Somebody made the terminal non-blocking; wait for it.
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&event, 1, -1)
      default: throw .lastError
      }
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
