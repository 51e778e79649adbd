public import ProbeCore

/// What a client is told when it looks a name up.
public enum DNSAnswer: Hashable, Sendable {
  /// An address.
  case address(IPAddress)
  /// The name does not exist (RFC 1035 §4.1.1, RCODE 3).
  case nxdomain
  /// The server could not answer (RCODE 2).
  case servfail
  /// No answer comes.
  case timeout
}
