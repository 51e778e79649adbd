internal import Glibc

/// The socket of a connection that stands, closed with its last reference.
///
/// It is a duplicate of libcurl's, which is closed as soon as the connection stands: libcurl takes an open connection
/// without a transfer for one to use again, and closes it when it finds it at its end while another transfer starts.
final class ConnectedSocket: Sendable {
  let descriptor: Int32

  /// A duplicate of a descriptor, or nil with `errno` set when the process has none left.
  init?(duplicating original: Int32) {
    descriptor = fcntl(original, F_DUPFD_CLOEXEC, 0)
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }
}
