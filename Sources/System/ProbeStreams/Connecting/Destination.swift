package import ProbeBase

/// The destination of a connection, and how to reach it.
package struct Destination: Sendable {
  /// The name or address to which this machine connects: the proxy's, if there is one.
  package let host: String
  package let port: UInt16
  /// The families to resolve and try.
  package let families: [IPFamily]
  package let source: ProbeSource?
  /// The DNS server that looks up the name; nil for the name services of this machine.
  package let resolver: SocketAddress?
  /// The addresses of the name, if they are known; nil if it must be resolved.
  package let knownAddresses: FoundAddresses?
  /// Whether the caller refuses a connection to an address.
  package let refuses: @Sendable (IPAddress) -> Bool

  /// Creates a destination.
  package init(
    host: String, port: UInt16, families: [IPFamily], source: ProbeSource?, resolver: SocketAddress?,
    knownAddresses: FoundAddresses?, refuses: @escaping @Sendable (IPAddress) -> Bool
  ) {
    self.host = host
    self.port = port
    self.families = families
    self.source = source
    self.resolver = resolver
    self.knownAddresses = knownAddresses
    self.refuses = refuses
  }
}
