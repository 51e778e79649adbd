/// How a connection was established: the result of the name lookup, and the addresses tried.
public struct ConnectionFacts: Hashable, Sendable {
  /// The addresses of the name, IPv4 first, in the order of the DNS response; empty if the host is an
  /// address.
  public var addresses: [NamedAddress] = []
  /// The canonical names of the host name, in the order of the DNS response (CNAME, RFC 1034 §3.6.2).
  public var aliases: [String] = []
  /// The DNS server that the request named for the lookup; nil for the name services of this machine, or if there was no
  /// lookup.
  public var resolver: SocketAddress?
  /// The connection attempts, in the order in which they were made (RFC 8305 §5).
  public var attempts: [ConnectionAttempt] = []

  /// Creates empty facts.
  public init() {}
}

/// One attempt to connect to an address.
public struct ConnectionAttempt: Hashable, Sendable {
  /// The result of an attempt.
  public enum Ending: Hashable, Sendable {
    /// The connection was established.
    case connected
    /// The attempt failed, with the reason code that a probe with only this address would have.
    case failed(ReasonCode)
    /// The rules of the request do not allow a connection to the address.
    case refused
    /// Another attempt was faster, or the time was up.
    case abandoned
  }

  /// The address.
  public var address: IPAddress
  /// The result.
  public var ending: Ending
  /// The start of the attempt, measured from the start of the exchange.
  public var began: Duration
  /// The end of the attempt, measured from the start of the exchange; nil if it was abandoned.
  public var ended: Duration?

  /// Creates an attempt.
  public init(address: IPAddress, ending: Ending, began: Duration, ended: Duration?) {
    self.address = address
    self.ending = ending
    self.began = began
    self.ended = ended
  }
}
