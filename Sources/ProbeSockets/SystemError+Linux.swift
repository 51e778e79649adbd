internal import Glibc

/// What an errno value means for a connection.
package enum SystemError: Hashable, Sendable {
  /// Nobody listens there.
  case refused
  /// The peer broke the connection off.
  case reset
  /// The system waited in vain.
  case timedOut
  /// There is no way there, in the system's words.
  case unreachable(String)
  /// This process or machine has no descriptor left.
  case noDescriptors(String)
  /// This machine has no memory left.
  case noMemory(String)
  /// Anything else, in the system's words.
  case other(String?)

  /// What a number means; 0 is an error that nobody knows.
  package init(_ number: Int32) {
    let words = number == 0 ? nil : unsafe strerror(number).map { unsafe String(cString: $0).lowercased() }
    switch number {
    case ECONNREFUSED: self = .refused
    case ECONNRESET, EPIPE, ECONNABORTED: self = .reset
    case ETIMEDOUT: self = .timedOut
    // A firewall on this machine answers with EPERM, one on the way with an ICMP error.
    case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, EACCES, EPERM, EADDRNOTAVAIL, EAFNOSUPPORT:
      self = .unreachable(words ?? "no route")
    case EMFILE, ENFILE: self = .noDescriptors(words ?? "too many open files")
    case ENOMEM, ENOBUFS: self = .noMemory(words ?? "no memory")
    default: self = .other(words)
    }
  }
}
