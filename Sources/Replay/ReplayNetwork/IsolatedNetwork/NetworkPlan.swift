package import FixtureReplay
import ProbeCore
package import ProbeBase

/// The addresses of the network that a command runs in: a /24 with a router, which acts as all other
/// addresses.
///
/// If a fixture has a private address, such as that of its portal, the network is the /24 that contains it.
/// Programs that distinguish the local network from others then find the portal where a guest would.
package struct NetworkPlan: Hashable, Sendable {
  /// The address of the router, without its last byte.
  private let network: UInt32
  /// The last byte of the command's address.
  private let host: UInt32

  /// Creates a network for fixtures; the command's address differs from all of theirs.
  package init(for fixtures: [Fixture]) {
    let addresses = fixtures.flatMap(\.addresses)
    let own = addresses.first { address in Self.privateBlocks.contains { $0.contains(address) } }
    network = own.map { UInt32(truncatingIfNeeded: $0.bits) & 0xFFFF_FF00 } ?? 0x0A53_0C00
    let taken = Set(addresses)
    let network = network
    host = (23...250).first { !taken.contains(IPAddress(v4: network + $0)) } ?? 23
  }

  /// The router's IPv4 address.
  package var router: IPAddress { IPAddress(v4: network + 1) }
  /// The command's IPv4 address.
  package var client: IPAddress { IPAddress(v4: network + host) }
  /// The router's IPv6 address, from the documentation prefix (RFC 3849).
  var routerV6: IPAddress { IPAddress(v6: Self.networkV6 + 1) }
  /// The command's IPv6 address.
  var clientV6: IPAddress { IPAddress(v6: Self.networkV6 + UInt128(host)) }
  /// The length of the IPv4 prefix.
  static let prefixLength = 24
  /// The length of the IPv6 prefix.
  static let prefixLengthV6 = 64

  private static let networkV6: UInt128 = 0x2001_0DB8_0A53_000C << 64

  private static let privateBlocks = [("10.0.0.0", 8), ("172.16.0.0", 12), ("192.168.0.0", 16)].compactMap {
    text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) }
  }
}

extension Fixture {
  /// The addresses in DNS answers, and the addresses of routes.
  package var addresses: [IPAddress] {
    let found = dns.rules.compactMap { rule -> IPAddress? in
      guard case .address(let address) = rule.value else { return nil }
      return address
    }
    return found + routes.compactMap { $0.condition.host.flatMap { IPAddress($0.pattern) } }
  }
}
