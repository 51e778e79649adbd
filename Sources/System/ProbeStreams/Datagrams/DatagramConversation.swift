package import ProbeBase

/// Decides which datagrams to send to a host, and when the exchange is complete; does no I/O.
///
/// Times are relative to the start of the exchange.
package protocol DatagramConversation: Sendable {
  /// Starts with the addresses of the host, at least one, in the order of preference.
  mutating func begin(with addresses: [SocketAddress], at now: Duration)
  /// The next step; called again after each step and each event.
  mutating func next(at now: Duration) -> DatagramAction
  /// Bytes were received from an address to which something was sent; the remaining hop limit of the packet
  /// is known for pings only.
  mutating func received(_ bytes: [UInt8], hopLimit: Int?, from address: Int, at now: Duration)
  /// A datagram to an address failed with the system's error, or nothing can be sent to it at all.
  mutating func failed(_ address: Int, _ error: Int32, wasSent: Bool, at now: Duration)
}

/// The next step of a ``DatagramConversation``.
package enum DatagramAction: Equatable, Sendable {
  /// Send bytes to the address at this position.
  case send([UInt8], to: Int)
  /// Wait for an event, or until this time.
  case wait(until: Duration?)
  /// The exchange is complete.
  case finished
}

package enum DatagramProtocol: Sendable {
  case udp
  /// Echo requests of ICMP; the socket fills in their identifier and checksum, and passes on only replies that
  /// have them.
  case ping(PacketOptions = PacketOptions())
}

package struct PacketOptions: Hashable, Sendable {
  /// The hop limit (TTL in IPv4); nil for the system's.
  package var hopLimit: Int?
  /// Whether a packet that is too large for the path fails instead of being fragmented (DF, RFC 791 §2.3).
  package var forbidsFragments: Bool

  package init(hopLimit: Int? = nil, forbidsFragments: Bool = false) {
    (self.hopLimit, self.forbidsFragments) = (hopLimit, forbidsFragments)
  }
}

package struct DatagramDestination: Sendable {
  /// The host, the families and the rules.
  package let connection: Destination
  /// The addresses, if they are known.
  package let servers: [SocketAddress]?

  package init(connection: Destination, servers: [SocketAddress]?) {
    self.connection = connection
    self.servers = servers
  }
}
