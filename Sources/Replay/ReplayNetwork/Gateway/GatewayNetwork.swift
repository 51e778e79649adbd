import ProbeCore
package import ProbeBase

/// The IPv4 network of a gateway: its address, and the addresses that it assigns to clients.
package struct GatewayNetwork: Hashable, Sendable {
  /// The default network of a gateway whose interface has no address.
  ///
  /// Home routers and virtual machines do not use it by default.
  package static let usual = GatewayNetwork(address: 0x0A61_0001, prefixLength: 24)

  /// The gateway's address as a number, in host byte order.
  private let number: UInt32
  /// The length of the network's prefix in bits, from 8 to 29.
  let prefixLength: Int

  private init(address: UInt32, prefixLength: Int) {
    number = address
    self.prefixLength = prefixLength
  }

  /// Creates the network of an interface's address, or nil if it has no room for clients.
  init?(_ address: IPAddress, prefixLength: Int) {
    guard address.family == .v4, (8...29).contains(prefixLength) else { return nil }
    self.init(address: UInt32(truncatingIfNeeded: address.bits), prefixLength: prefixLength)
    guard number != base, number != base | hostBits else { return nil }
  }

  /// Parses `10.97.0.1/24`: the gateway's address and the length of the network's prefix.
  ///
  /// - Throws: ``InvalidInput`` for anything else, and for the first or last address of a network.
  package init(_ text: String) throws(InvalidInput) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(parts[0]), address.family == .v4,
      let length = Int(text: parts[1]), "\(length)" == parts[1], (8...29).contains(length)
    else {
      throw InvalidInput(
        "\(Excerpt(text)) is not an IPv4 address with a prefix length from 8 to 29",
        remedy: "write it as \(Self.usual)")
    }
    guard let network = GatewayNetwork(address, prefixLength: length) else {
      throw InvalidInput(
        "\(address) is the first or last address of its network, which no machine can have",
        remedy: "use one between them, such as \(Self.usual)")
    }
    self = network
  }

  /// The gateway's address.
  package var address: IPAddress { IPAddress(v4: number) }

  /// The first and last address for clients: the larger of the ranges below and above the gateway's address.
  package var clients: (first: IPAddress, last: IPAddress) {
    let (first, last) = (base + 1, (base | hostBits) - 1)
    return number - first > last - number
      ? (IPAddress(v4: first), IPAddress(v4: number - 1)) : (IPAddress(v4: number + 1), IPAddress(v4: last))
  }

  /// Whether the network contains an address.
  package func contains(_ other: IPAddress) -> Bool {
    AddressBlock(address, prefixLength: prefixLength).contains(other)
  }

  private var hostBits: UInt32 { (1 << UInt32(truncatingIfNeeded: 32 - prefixLength)) - 1 }
  private var base: UInt32 { number & ~hostBits }
}

extension GatewayNetwork: CustomStringConvertible {
  /// The address and the prefix length.
  package var description: String { "\(address)/\(prefixLength)" }
}
