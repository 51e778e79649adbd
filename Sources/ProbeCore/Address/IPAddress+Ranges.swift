/// Special-purpose addresses (RFC 6890 and the IANA registries).
extension IPAddress {
  /// Whether no host of the public Internet has this address.
  ///
  /// That includes private, link-local, loopback, carrier-grade NAT, multicast, unspecified and reserved
  /// addresses: the blocks of the registries that are not globally reachable, and those of multicast (RFC
  /// 5771, RFC 4291 §2.7).
  ///
  /// The blocks for documentation (RFC 5737, RFC 3849, RFC 9637) count as public, because examples and
  /// replayed networks use them as public addresses. So does 64:ff9b:1::/48 (RFC 8215), through which a
  /// network with NAT64 may map all of IPv4. An IPv6 address that contains an IPv4 address (mapped, RFC 4291
  /// §2.5.5.2; NAT64, RFC 6052 §2.1; 6to4, RFC 3056 §2) is judged by the IPv4 address.
  public var isSpecialPurpose: Bool {
    if let inner = innerV4 { return inner.isSpecialPurpose }
    let (special, reachable) =
      family == .v4 ? (Self.specialV4, Self.reachableV4) : (Self.specialV6, Self.reachableV6)
    return special.contains { $0.contains(self) } && !reachable.contains { $0.contains(self) }
  }

  /// How far traffic to this address can travel; an IPv6 address that contains an IPv4 address is judged by
  /// that one.
  public var reach: AddressReach {
    if let inner = innerV4 { return inner.reach }
    if Self.ownBlocks.contains(where: { $0.contains(self) }) { return .machine }
    return Self.linkBlocks.contains { $0.contains(self) } ? .link : .network
  }

  /// Addresses of this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5); connecting to an unspecified one connects
  /// to it too.
  private static let ownBlocks = blocks([("0.0.0.0", 8), ("127.0.0.0", 8), ("::", 127)])

  /// Addresses that routers do not forward (RFC 3927 §2.7, RFC 4291 §2.5.6).
  ///
  /// Cloud providers serve machine metadata, including credentials, at such addresses; the last two blocks
  /// are those of the providers that use other addresses.
  private static let linkBlocks = blocks([
    ("169.254.0.0", 16), ("fe80::", 10), ("fd00:ec2::254", 128), ("100.100.100.200", 32),
  ])

  /// The kind of a special-purpose address, such as `a private address`, for messages; nil for a public one.
  package var specialPurpose: String? {
    if let inner = innerV4 { return inner.specialPurpose }
    switch reach {
    case .machine: return "an address of this machine"
    case .link: return "a link-local address, or that of a cloud's metadata"
    case .network: break
    }
    guard isSpecialPurpose else { return nil }
    return Self.multicastBlocks.contains { $0.contains(self) }
      ? "a multicast address" : "a private or reserved address"
  }

  /// RFC 5771, RFC 4291 §2.7.
  private static let multicastBlocks = blocks([("224.0.0.0", 4), ("ff00::", 8)])

  /// The IPv4 address that an IPv6 address contains: mapped, NAT64 or 6to4.
  package var innerV4: IPAddress? {
    guard family == .v6 else { return nil }
    if bits >> 112 == 0x2002 { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
    guard bits >> 32 == 0xFFFF || bits >> 32 == 0x0064_FF9B << 64 else { return nil }
    return IPAddress(v4: UInt32(truncatingIfNeeded: bits))
  }

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
