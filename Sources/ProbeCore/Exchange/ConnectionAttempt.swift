/// How a connection came about: what the lookup of the name brought, and which addresses were tried.
public struct ConnectionFacts: Hashable, Sendable {
  /// The addresses of the name, IPv4 first, in the order of the answer; none when an address was given.
  public var addresses: [NamedAddress] = []
  /// The names that the host name stands for, in the order of the answer (CNAME, RFC 1034 §3.6.2).
  public var aliases: [String] = []
  /// The addresses that were connected to, in the order in which they were tried (RFC 8305 §5).
  public var attempts: [ConnectionAttempt] = []

  /// Facts of a connection, none known.
  public init() {}
}

/// An address that a name has.
public struct NamedAddress: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// How long DNS lets it be kept (RFC 2181 §8), or nil when it is not from DNS.
  public var timeToLive: Duration?

  /// An address of a name.
  public init(address: IPAddress, timeToLive: Duration?) {
    self.address = address
    self.timeToLive = timeToLive
  }
}

/// One address that was connected to.
public struct ConnectionAttempt: Hashable, Sendable {
  /// How it ended.
  public enum Ending: Hashable, Sendable {
    /// It made the connection.
    case connected
    /// It failed, with the reason code of a probe that has no other address.
    case failed(ReasonCode)
    /// The request's rules do not let the address be connected to.
    case refused
    /// Another one was faster, or there was no more time.
    case abandoned
  }

  /// The address.
  public var address: IPAddress
  /// How it ended.
  public var ending: Ending
  /// When it began, from the start of the exchange.
  public var began: Duration
  /// When it ended, from the start of the exchange; nil when it was abandoned.
  public var ended: Duration?

  /// An attempt.
  public init(address: IPAddress, ending: Ending, began: Duration, ended: Duration?) {
    self.address = address
    self.ending = ending
    self.began = began
    self.ended = ended
  }
}
