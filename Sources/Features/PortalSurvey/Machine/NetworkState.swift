import ProbeCore
internal import ProbeSystem
package import ProbeBase

/// The interfaces of this machine and its routes to the Internet.
package struct NetworkState: Hashable, Sendable {
  /// An interface.
  package struct Link: Hashable, Sendable {
    /// The kernel's index.
    var index: Int
    var name: String
    /// The kind of tunnel, or nil if it is not a tunnel.
    var tunnelKind: String?
    /// Whether it is the loopback interface.
    package var isLoopback = false
    /// The addresses, with their subnets.
    var addresses: [AddressBlock] = []
  }

  /// The first hop of a route.
  struct Hop: Hashable, Sendable {
    /// The index of the interface.
    var interface: Int
    /// The next router, or nil for destinations on the link itself.
    var gateway: IPAddress?
  }

  /// The interfaces.
  package var links: [Link] = []
  /// The route to the Internet that the kernel would choose for each family.
  var ways: [IPFamily: Hop] = [:]
  /// The default routes of the main table, the preferred ones first.
  var defaults: [Hop] = []

  /// The interface for traffic to the Internet; that of IPv4 if both families have a route.
  var current: Link? { IPFamily.allCases.lazy.compactMap { self.link(ways[$0]) }.first }

  /// The tunnel for traffic to the Internet, or nil.
  var tunnel: Link? {
    IPFamily.allCases.lazy.compactMap { self.link(ways[$0]) }.first { $0.tunnelKind != nil }
  }

  /// The interfaces to the current network of this machine.
  ///
  /// These are the interfaces of the routes to the Internet. If one of them is a tunnel, the others belong to the
  /// network that carries it.
  var uplinks: [Link] {
    var uplinks: [Link] = []
    for hop in IPFamily.allCases.compactMap({ ways[$0] }) + defaults {
      guard let link = link(hop), link.tunnelKind == nil, !link.isLoopback, !uplinks.contains(link)
      else { continue }
      uplinks.append(link)
    }
    return uplinks
  }

  private func link(_ hop: Hop?) -> Link? {
    hop.flatMap { hop in links.first { $0.index == hop.interface } }
  }
}

/// Reading the state from the kernel.
extension NetworkState {
  /// An address of each family on the Internet: those of a.root-servers.net.
  ///
  /// They are used only for a route lookup in the kernel; no packet is sent to them.
  private static let internet = [
    IPAddress(v4: 0xC629_0004), IPAddress(v6: 0x2001_0503_BA3E_0000_0000_0000_0002_0030),
  ]

  /// Queries the kernel (rtnetlink(7)).
  ///
  /// - Throws: `NetlinkError` if it does not respond, as in a sandbox without such sockets.
  static func ofKernel() throws(NetlinkError) -> NetworkState {
    let client = try NetlinkClient()
    var state = NetworkState()
    state.links = try client.dump(.links) { LinkMessage($0) }.entries.map(Link.init)
    for address in try client.dump(.addresses, { AddressMessage($0) }).entries where address.isUsable {
      guard let position = state.links.firstIndex(where: { $0.index == address.index }) else { continue }
      state.links[position].addresses.append(
        AddressBlock(address.address, prefixLength: address.prefixLength))
    }
    for family in IPFamily.allCases { state.defaults += try defaults(family, client) }
    for destination in internet {
      state.ways[destination.family] = try client.way(to: destination)?.nextHops.first.map(Hop.init)
    }
    return state
  }

  /// Whether the kernel has a route to an address; nothing is sent.
  @Sendable package static func hasRoute(to destination: IPAddress) -> Bool {
    guard let client = try? NetlinkClient() else { return false }
    return (try? client.way(to: destination)) != nil
  }

  private static func defaults(
    _ family: IPFamily, _ client: NetlinkClient
  ) throws(NetlinkError) -> [Hop] {
    do throws(NetlinkError) {
      let routes = try client.dump(.routes(family)) { RouteMessage($0) }.entries.filter {
        $0.prefixLength == 0 && !$0.isConditional && !$0.isCloned && $0.table == RouteMessage.mainTable
          && $0.fate == .forwarded && $0.family == family
      }
      return routes.sorted { $0.metric < $1.metric }.flatMap { $0.nextHops.map(Hop.init) }
    } catch {
      // There is no table yet, or the machine does not support this family.
      guard error.isAbsence else { throw error }
      return []
    }
  }
}

extension NetworkState.Link {
  /// An interface without its addresses.
  init(_ message: LinkMessage) {
    self.init(
      index: message.index, name: message.name,
      tunnelKind: MachineFacts.tunnelKind(
        driver: message.kind, hardwareType: message.hardwareType, isTap: message.isTap),
      isLoopback: message.flags.contains(.loopback))
  }
}

extension NetworkState.Hop {
  /// The first hop of a route from the kernel.
  init(_ hop: RouteMessage.NextHop) {
    self.init(interface: hop.interface, gateway: hop.gateway)
  }
}
