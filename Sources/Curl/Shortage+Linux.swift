internal import CProbeShims
internal import Glibc

/// Whether the process is so short of descriptors that a name lookup, which takes several, may have failed for it.
///
/// - Returns: The error that opening one more ends in, or soon will, or 0.
func descriptorShortage() -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_INET, kind, 0)
  guard descriptor >= 0 else { return errno }
  close(descriptor)
  // A new descriptor is the lowest one free: all below it are taken.
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
  return UInt(descriptor) + 16 >= UInt(limit.rlim_cur) ? EMFILE : 0
}

extension Int32 {
  /// Whether the error says that the peer reset the connection.
  var isReset: Bool { self == ECONNRESET }

  /// Whether the error says that the machine ran out of something.
  var isShortage: Bool {
    switch self {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS: true
    default: false
    }
  }
}
