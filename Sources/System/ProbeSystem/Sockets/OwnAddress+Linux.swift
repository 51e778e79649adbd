package import ProbeBase

extension IPAddress {
  /// Whether the system delivers to this machine itself what is sent to the address; nothing is sent.
  ///
  /// That holds for loopback, for every address of an interface, and for local routes. The source of a connection does
  /// not show it: if an interface has several addresses in a subnet, it is the first of them.
  package var isOfThisMachine: Bool {
    guard reach != .machine else { return true }
    // The system connects to a mapped address by IPv4 (RFC 4291 §2.5.5.2).
    let isMapped = family == .v6 && bits >> 32 == 0xFFFF
    let destination = isMapped ? IPAddress(v4: UInt32(truncatingIfNeeded: bits)) : self
    guard let client = try? NetlinkClient() else { return false }
    return (try? client.way(to: destination))?.fate == .local
  }
}
