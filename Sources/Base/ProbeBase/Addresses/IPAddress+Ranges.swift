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
  public var isSpecialPurpose: Bool {
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
