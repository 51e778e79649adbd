internal import CProbeSystem
internal import Glibc

/// Whether the process is so short of descriptors that a name lookup, which needs several, may have failed
/// for this reason.
///
/// - Returns: The error that opening one more causes, or soon will, or 0.
package func descriptorShortage() -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_INET, kind, 0)
  guard descriptor >= 0 else { return errno }
  close(descriptor)
  return isAmongTheLast(descriptor) ? EMFILE : 0
}

/// Whether a new descriptor is one of the last available to the process, which connections leave to others.
package func isAmongTheLast(_ descriptor: Int32) -> Bool { probe_is_among_the_last(descriptor) }

extension Int32 {
  /// Whether the error means that a resource was exhausted.
  package var isShortage: Bool {
    switch self {
    case EMFILE, ENFILE, ENOMEM, ENOBUFS: true
    default: false
    }
  }
}
