/// The addresses of a host, looked up before a probe.
package struct FoundAddresses: Hashable, Sendable {
  /// The host of the addresses: that of the URL, of a `connectTo` rule, or of the proxy.
  package let host: String
  /// The addresses, each with its time to live, IPv4 first and otherwise in the order in which to try them.
  package let addresses: [NamedAddress]
  /// The canonical names of the host, in the order of the DNS response (CNAME, RFC 1034 §3.6.2).
  package let aliases: [String]
  /// The duration of the lookup; zero for an address.
  ///
  /// It counts toward the timeouts and the timings of the probe.
  package var lookupTime: Duration

  package init(host: String, addresses: [NamedAddress], aliases: [String] = [], lookupTime: Duration = .zero)
  {
    self.host = host
    self.addresses = addresses
    self.aliases = aliases
    self.lookupTime = lookupTime
  }
}

/// An address from a name lookup.
public struct NamedAddress: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// The time to live of the DNS record (RFC 2181 §8), or nil if the address is not from DNS.
  public var timeToLive: Duration?

  /// Creates an address.
  public init(address: IPAddress, timeToLive: Duration?) {
    self.address = address
    self.timeToLive = timeToLive
  }
}
