/// What an address is good for (RFC 6890 and the IANA registries of special-purpose addresses).
extension IPAddress {
  /// Whether no host of the public Internet has this address: one of a private network, of a link, of this machine, of
  /// a carrier's inner network, unspecified, or reserved.
  ///
  /// The blocks for documentation (RFC 5737, RFC 3849) count as public, because in examples and replayed networks they
  /// stand for addresses that are. An IPv4 address within an IPv6 one (mapped, RFC 4291 §2.5.5.2; behind NAT64,
  /// RFC 6052 §2.1) is taken for what it is itself.
  public var isSpecialPurpose: Bool {
    switch family {
    case .v4: Self.specialV4.contains { $0.contains(self) }
    case .v6:
      if let inner = innerV4 {
        inner.isSpecialPurpose
      } else {
        Self.specialV6.contains { $0.contains(self) }
      }
    }
  }

  private var innerV4: IPAddress? {
    guard bits >> 32 == 0xFFFF || bits >> 32 == 0x0064_FF9B << 64 else { return nil }
    return IPAddress(v4: UInt32(truncatingIfNeeded: bits))
  }

  private static let specialV4: [AddressBlock] = [
    ("0.0.0.0", 8), ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16),
    ("172.16.0.0", 12), ("192.0.0.0", 24), ("192.168.0.0", 16), ("198.18.0.0", 15), ("240.0.0.0", 4),
  ].compactMap { text, length in
    IPAddress(text).map { AddressBlock($0, prefixLength: length) }
  }

  private static let specialV6: [AddressBlock] = [
    ("::", 127), ("100::", 64), ("fc00::", 7), ("fe80::", 10), ("ff00::", 8),
  ].compactMap { text, length in
    IPAddress(text).map { AddressBlock($0, prefixLength: length) }
  }
}
