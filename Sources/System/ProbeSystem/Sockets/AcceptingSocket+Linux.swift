internal import CProbeSystem
internal import Glibc

/// A socket that accepts connections.
package protocol AcceptingSocket: Sendable {
  /// The descriptor, which does not block.
  var descriptor: Int32 { get }
}

extension AcceptingSocket {
  /// Accepts the next connection without blocking; nil if none is pending, or none can be accepted.
  package func accept() -> (descriptor: Int32?, isShort: Bool) {
    while true {
      let accepted = probe_accept_nonblocking(descriptor)
      if accepted >= 0 { return (accepted, false) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // Reported even if none is pending: the system allocates a descriptor first.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return (nil, isWaitedAt)
      default: return (nil, false)
      }
    }
  }

  /// Whether a connection is pending.
  private var isWaitedAt: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) == 1
  }
}
