/// IPv4 addresses within IPv6 addresses.
extension IPAddress {
  /// The IPv4 addresses to which traffic to this IPv6 address may be delivered, the most likely one first.
  ///
  /// - IPv4-mapped addresses (RFC 4291 §2.5.5.2), IPv4-compatible ones (§2.5.5.1), and IPv4-translated ones
  ///   (RFC 2765 §2.1).
  /// - NAT64: the well-known prefix 64:ff9b::/96 (RFC 6052 §2.1), and 64:ff9b:1::/48 (RFC 8215), in which a network
  ///   chooses a prefix of any length. The prefix of another network cannot be recognized.
  /// - Tunnels: 6to4 (RFC 3056 §2), Teredo (RFC 4380 §4) with its server and its client, and ISATAP (RFC 5214 §6.1).
  package var embeddedV4: [IPAddress] {
    guard family == .v6 else { return [] }
    let last = IPAddress(v4: UInt32(truncatingIfNeeded: bits))
    switch bits >> 32 {
    case 0xFFFF, 0xFFFF_0000, 0x0064_FF9B << 64: return [last]
    // Below 0.0.0.0/8 are `::`, `::1`, and addresses that are not assigned.
    case 0: return last.isOfThisNetwork ? [] : [last]
    default: break
    }
    if bits >> 112 == 0x2002 { return [IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80))] }
    if bits >> 96 == 0x2001_0000 {
      let client = ~UInt32(truncatingIfNeeded: bits)
      return [IPAddress(v4: client), IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 64))]
    }
    if bits >> 80 == 0x0064_FF9B_0001 {
      let addresses = [96, 64, 56, 48].map { v4(afterPrefix: $0) }
      // The zeros after an address, or before it, are no address.
      let hosts = addresses.filter { !$0.isOfThisNetwork }
      return hosts.isEmpty ? [last] : hosts
    }
    // The bit after 0x02 indicates whether the IPv4 address is unique.
    return UInt32(truncatingIfNeeded: bits >> 32) & ~0x0200_0000 == 0x5EFE ? [last] : []
  }

  /// The IPv4 address for each position at which a NAT64 address may contain one (RFC 6052 §2.2).
  var translatedV4: [IPAddress] { family == .v6 ? [32, 40, 48, 56, 64, 96].map { v4(afterPrefix: $0) } : [] }

  /// The IPv4 address after a NAT64 prefix, of which bits 64 to 71 are not a part.
  private func v4(afterPrefix length: Int) -> IPAddress {
    guard length < 96 else { return IPAddress(v4: UInt32(truncatingIfNeeded: bits)) }
    let joined = (bits >> 64) << 56 | bits & (1 << 56 - 1)
    return IPAddress(v4: UInt32(truncatingIfNeeded: joined >> (88 - length)))
  }

  /// Whether it is in 0.0.0.0/8 (RFC 1122 §3.2.1.3).
  private var isOfThisNetwork: Bool { bits >> 24 == 0 }
}
