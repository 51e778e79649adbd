internal import CProbeShims
internal import Glibc

/// So many descriptors are left to others: a name lookup takes several, and libdispatch ends a process in which it gets
/// none for its own.
private let spared = 16

/// Whether the process is so short of descriptors that a name lookup, which takes several, may have failed for it.
///
/// - Returns: The error that opening one more ends in, or soon will, or 0.
package func descriptorShortage() -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_INET, kind, 0)
  guard descriptor >= 0 else { return errno }
  close(descriptor)
  return isAmongTheLast(descriptor) ? EMFILE : 0
}

/// Whether a new descriptor is one of the last that the process may have, which connections leave to others.
package func isAmongTheLast(_ descriptor: Int32) -> Bool {
  // A new descriptor is the lowest one free: all below it are taken.
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
  return UInt(descriptor) + UInt(spared) >= UInt(limit.rlim_cur)
}

extension Int32 {
  /// Whether the error says that the peer reset the connection.
  package var isReset: Bool { self == ECONNRESET }

  /// Whether the error says that the machine ran out of something.
  package var isShortage: Bool {
    switch self {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS: true
    default: false
    }
  }
}
