internal import ProbeCore
internal import ProbeSystem
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

/// The interface of a gateway before any change.
package struct GatewayInterface: Hashable, Sendable {
  /// The name, such as `wlan0`.
  package let name: String
  let isUp: Bool
  /// The network of its first IPv4 address that has room for clients, or nil.
  package let network: GatewayNetwork?

  init(name: String, isUp: Bool, network: GatewayNetwork?) {
    (self.name, self.isUp, self.network) = (name, isUp, network)
  }

  /// Reads an interface's facts from the kernel.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - wanted: The network to use, or nil for the network of the interface.
  /// - Throws: ``InvalidInput`` if there is no such interface, it cannot serve clients, this machine's own
  ///   default route uses it, or another interface has addresses of the network.
  package init(_ name: String, for wanted: GatewayNetwork?) throws {
    let client = try NetlinkClient()
    let links = try client.dump(.links, LinkMessage.init).entries
    guard let link = links.first(where: { $0.name == name }) else {
      let others = links.filter { !$0.flags.contains(.loopback) }.map(\.name)
      throw InvalidInput(
        "there is no interface \(Excerpt(name))",
        remedy: others.isEmpty ? "connect it first" : "this machine has \(others.joined(separator: ", "))")
    }
    guard !link.flags.contains(.loopback), !link.flags.contains(.pointToPoint) else {
      throw InvalidInput(
        "the interface \(name) is a loopback or point-to-point interface, which cannot have clients",
        remedy: "use a Wi-Fi or Ethernet interface, or a bridge")
    }
    let routes =
      try client.dump(.routes(.v4), RouteMessage.init).entries
      + client.dump(.routes(.v6), RouteMessage.init).entries
    guard
      !routes.contains(where: { $0.prefixLength == 0 && $0.nextHops.contains { $0.interface == link.index } })
    else {
      throw InvalidInput(
        "this machine itself uses \(name) for its default route", remedy: "use another interface")
    }
    let addresses = try client.dump(.addresses, AddressMessage.init).entries
    let own = addresses.filter { $0.index == link.index }
    let present = own.lazy.compactMap { GatewayNetwork($0.address, prefixLength: $0.prefixLength) }
    network = wanted.map { wanted in present.contains(wanted) ? wanted : nil } ?? present.first
    let used = network ?? wanted ?? .usual
    if let other = addresses.first(where: { $0.index != link.index && used.contains($0.address) }) {
      let owner = links.first { $0.index == other.index }?.name ?? "another interface"
      throw InvalidInput(
        "the network \(used) contains \(other.address), an address of \(owner)",
        remedy: "give another one with --gateway-network")
    }
    self.name = name
    isUp = link.flags.contains(.up)
  }
}
