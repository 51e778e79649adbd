/// How far traffic to an address can travel.
public enum AddressReach: Hashable, Sendable {
  /// Only within this machine: loopback, or the unspecified address.
  case machine
  /// Only on the links that this machine is attached to (link-local), or to a cloud's metadata.
  case link
  /// Anywhere with a route, including private networks.
  case network
}

/// Special-purpose addresses (RFC 6890 and the IANA registries).
extension IPAddress {
  /// Whether no host of the public Internet has this address.
  ///
  /// That includes private, link-local, loopback, carrier-grade NAT, multicast, unspecified and reserved
  /// addresses: the blocks of the registries that are not globally reachable, and those of multicast (RFC
  /// 5771, RFC 4291 §2.7).
  ///
  /// The blocks for documentation (RFC 5737, RFC 3849, RFC 9637) count as public, because examples and
  /// replayed networks use them as public addresses. An IPv6 address that contains an IPv4 address, such as a mapped
  /// one or one of NAT64, is judged by that address too. So is the address of a cloud's metadata.
  package var isSpecialPurpose: Bool {
    reach != .network || isInSpecialBlock || embeddedV4.contains { $0.isInSpecialBlock }
  }

  private var isInSpecialBlock: Bool {
    let (special, reachable) =
      family == .v4 ? (Self.specialV4, Self.reachableV4) : (Self.specialV6, Self.reachableV6)
    return special.contains { $0.contains(self) } && !reachable.contains { $0.contains(self) }
  }

  /// How far traffic to this address can travel; an IPv6 address that contains an IPv4 address, such as a mapped
  /// one or one of NAT64, is judged by that address too.
  ///
  /// The address at which a cloud serves a machine's metadata is one of its link, wherever a NAT64 address contains
  /// it.
  public var reach: AddressReach {
    guard family == .v6 else { return ownReach }
    if translatedV4.contains(where: MetadataService.addressesV4.contains) { return .link }
    let reaches = [ownReach] + embeddedV4.map(\.ownReach)
    return reaches.contains(.link) ? .link : reaches.contains(.machine) ? .machine : .network
  }

  /// How far traffic can travel that is delivered to this address itself.
  private var ownReach: AddressReach {
    if Self.ownBlocks.contains(where: { $0.contains(self) }) { return .machine }
    return Self.linkBlocks.contains { $0.contains(self) } ? .link : .network
  }

  /// Addresses of this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5); connecting to an unspecified one connects
  /// to it too.
  private static let ownBlocks = blocks([("0.0.0.0", 8), ("127.0.0.0", 8), ("::", 127)])

  /// Addresses that routers do not forward (RFC 3927 §2.7, RFC 4291 §2.5.6), and those at which clouds serve a
  /// machine's metadata.
  private static let linkBlocks =
    blocks([("169.254.0.0", 16), ("fe80::", 10)]) + MetadataService.blocks

  /// The kind of a special-purpose address, such as `a private address`, for messages; nil for a public one.
  package var specialPurpose: String? {
    switch reach {
    case .machine: return "an address of this machine"
    case .link: return "a link-local address, or that of a cloud's metadata"
    case .network: break
    }
    guard isSpecialPurpose else { return nil }
    return ([self] + embeddedV4).contains { address in Self.multicastBlocks.contains { $0.contains(address) }
    }
      ? "a multicast address" : "a private or reserved address"
  }

  /// RFC 5771, RFC 4291 §2.7.
  private static let multicastBlocks = blocks([("224.0.0.0", 4), ("ff00::", 8)])

  private static let specialV4 = blocks([
    ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16),
    ("172.16.0.0", 12), ("192.0.0.0", 24), ("192.88.99.0", 24), ("192.168.0.0", 16), ("198.18.0.0", 15),
    ("224.0.0.0", 4), ("240.0.0.0", 4),
  ])

  /// The globally reachable exceptions: two anycast addresses.
  private static let reachableV4 = blocks([("192.0.0.9", 32), ("192.0.0.10", 32)])

  private static let specialV6 = blocks([
    ("::", 127), ("100::", 64), ("100:0:0:1::", 64), ("2001::", 23), ("5f00::", 16), ("fc00::", 7),
    ("fe80::", 10), ("fec0::", 10), ("ff00::", 8),
  ])

  /// The globally reachable exceptions: anycast addresses, AMT, AS112, and routed identifiers.
  private static let reachableV6 = blocks([
    ("2001:1::1", 128), ("2001:1::2", 128), ("2001:1::3", 128), ("2001:3::", 32), ("2001:4:112::", 48),
    ("2001:20::", 28), ("2001:30::", 28),
  ])

  private static func blocks(_ texts: [(String, Int)]) -> [AddressBlock] {
    texts.compactMap { text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) } }
  }
}

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
    case 0: return last.isThisNetwork ? [] : [last]
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
      let hosts = addresses.filter { !$0.isThisNetwork }
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
  private var isThisNetwork: Bool { bits >> 24 == 0 }
}
