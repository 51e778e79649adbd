internal import Glibc

/// What an errno value means for a connection.
enum SystemError: Hashable {
  case refused
  case reset
  case timedOut
  case unreachable(String)
  case noDescriptors(String)
  case noMemory(String)
  case other(String?)

  init(_ number: Int32) {
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
