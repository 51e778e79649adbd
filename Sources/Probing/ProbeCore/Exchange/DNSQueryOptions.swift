/// The options of a DNS query: in a file the keys `recursion`, `dnssec` and `path`.
public struct DNSQueryOptions: Hashable, Sendable {
  /// Whether the server should query other servers if necessary (RD, RFC 1035 §4.1.1).
  public var recursion: Bool
  /// Whether to request DNSSEC signatures (DO, RFC 3225).
  public var dnssec: Bool
  /// The path of the server for queries over HTTPS (RFC 8484 §4.1), with a query if the server needs one; the `path` in
  /// the query of a URL takes precedence.
  public var path = "/dns-query"
  /// Whether to query the server of a dns URL over TCP from the start.
  package var usesTCP = false

  /// Creates options.
  public init(recursion: Bool = true, dnssec: Bool = false) {
    self.recursion = recursion
    self.dnssec = dnssec
  }
}
