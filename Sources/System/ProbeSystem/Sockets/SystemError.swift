internal import Glibc

/// The meaning of an errno value for a connection.
package enum SystemError: Hashable, Sendable {
  /// The connection was refused.
  case refused
  /// The peer reset the connection.
  case reset
  /// The operation timed out in the system.
  case timedOut
  /// The destination is unreachable; with the system's message.
  case unreachable(String)
  /// No descriptor is available in this process or machine.
  case noDescriptors(String)
  case noMemory(String)
  /// Any other error, with the system's message.
  case other(String?)

  /// The meaning of an error number; 0 is an unknown error.
  package init(_ number: Int32) {
    let words = number == 0 ? nil : unsafe strerror(number).map { unsafe String(cString: $0).lowercased() }
    switch number {
    case ECONNREFUSED: self = .refused
    case ECONNRESET, EPIPE, ECONNABORTED: self = .reset
    case ETIMEDOUT: self = .timedOut
    // A local firewall causes EPERM, one on the path an ICMP error.
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EACCES, EPERM, EADDRNOTAVAIL, EAFNOSUPPORT:
      self = .unreachable(words ?? "no route")
    case EMFILE, ENFILE: self = .noDescriptors(words ?? "too many open files")
    case ENOMEM, ENOBUFS: self = .noMemory(words ?? "no memory")
    default: self = .other(words)
    }
  }
}
