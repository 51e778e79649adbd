internal import Glibc
package import ProbeBase

/// The subnets of this machine's interfaces.
package enum InterfaceSubnets {
  /// The subnets of the interface over which the system reaches an address; nothing is sent.
  ///
  /// - Parameter peer: The address, or nil if it is unknown.
  /// - Returns: The subnets; empty if there is no route or the address is unknown.
  package static func towards(_ peer: IPAddress?) -> [AddressBlock] {
    guard let peer, let own = ownAddress(towards: peer) else { return [] }
    let all = entries
    let names = Set(all.filter { $0.address == own }.map(\.name))
    return all.filter { names.contains($0.name) }.map(\.subnet)
  }

  /// The source address for traffic to an address.
  private static func ownAddress(towards peer: IPAddress) -> IPAddress? {
    let family = peer.family == .v4 ? AF_INET : AF_INET6
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Connecting a datagram socket only selects the route.
    let result = unsafe SocketAddress(peer, port: 53).withSocketAddress { address, size in
      unsafe connect(descriptor, address, size)
    }
    return result == 0 ? StreamSocket(descriptor: descriptor).localAddress : nil
  }

  /// The addresses of all interfaces.
  private static var entries: [(name: String, address: IPAddress, subnet: AddressBlock)] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return [] }
    defer { unsafe freeifaddrs(first) }
    var entries: [(String, IPAddress, AddressBlock)] = []
    var next = unsafe first
    while let entry = unsafe next?.pointee {
      unsafe next = entry.ifa_next
      guard let address = unsafe entry.ifa_addr, let mask = unsafe entry.ifa_netmask,
        let own = unsafe IPAddress(socketAddress: UnsafeRawPointer(address)),
        let bits = unsafe IPAddress(socketAddress: UnsafeRawPointer(mask))?.bits
      else { continue }
      let subnet = AddressBlock(own, prefixLength: bits.nonzeroBitCount)
      unsafe entries.append((String(cString: entry.ifa_name), own, subnet))
    }
    return entries
  }
}

extension IPAddress {
  /// Whether the system delivers to this machine itself what is sent to the address; nothing is sent.
  ///
  /// That holds for loopback, for every address of an interface, and for local routes. The source of a connection does
  /// not show it: if an interface has several addresses in a subnet, it is the first of them.
  package var isAddressOfThisMachine: Bool {
    guard reach != .machine else { return true }
    // The system connects to a mapped address by IPv4 (RFC 4291 §2.5.5.2).
    let isMapped = family == .v6 && bits >> 32 == 0xFFFF
    let destination = isMapped ? IPAddress(v4: UInt32(truncatingIfNeeded: bits)) : self
    guard let client = try? NetlinkClient() else { return false }
    return (try? client.way(to: destination))?.fate == .local
  }
}
