/// What a request asks of a DNS server, besides its question: in a file the keys `recursion` and `dnssec`.
public struct DNSQueryOptions: Hashable, Sendable {
  /// Whether the server should ask other servers if necessary (RD, RFC 1035 §4.1.1).
  public var recursion: Bool
  /// Whether to request the signatures of DNSSEC (DO, RFC 3225).
  public var dnssec: Bool
  /// Whether to query the server of the URL over TCP from the start.
  package var usesTCP = false
  /// Whether the connection over TCP is inside TLS (RFC 7858).
  package var usesTLS = false

  /// Creates options.
  public init(recursion: Bool = true, dnssec: Bool = false) {
    self.recursion = recursion
    self.dnssec = dnssec
  }
}
