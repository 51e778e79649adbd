import ProbeCore
import ProbeSystem

/// The interface of a gateway before any change.
package struct GatewayInterface: Hashable, Sendable {
  /// The name, such as `wlan0`.
  package let name: String
  /// Whether it is up.
  let isUp: Bool
  /// The network of its first IPv4 address that has room for clients, or nil.
  package let network: GatewayNetwork?

  /// Creates the facts of an interface.
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
