/// The options of a DNS query: in a file the keys `recursion` and `dnssec`.
public struct DNSQueryOptions: Hashable, Sendable {
  /// Whether the server should query other servers if necessary (RD, RFC 1035 §4.1.1).
  public var recursion: Bool
  /// Whether to request DNSSEC signatures (DO, RFC 3225).
  public var dnssec: Bool
  /// Whether to query the server of the URL over TCP from the start.
  package var usesTCP = false
  /// Whether the TCP connection uses TLS (RFC 7858).
  package var usesTLS = false

  /// Creates options.
  public init(recursion: Bool = true, dnssec: Bool = false) {
    self.recursion = recursion
    self.dnssec = dnssec
  }
}
