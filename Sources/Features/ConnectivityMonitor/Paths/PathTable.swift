internal import ProbeSystem
package import ProbeCore

/// Interfaces, addresses and default routes, as the kernel's messages have reported them so far; does no I/O.
///
/// The messages are those of rtnetlink(7). They keep interfaces and addresses up to date, but not default
/// routes: IPv4 routes vanish without a message when their interface goes down, so messages only signal when
/// to query them again.
package struct PathTable: Sendable {
  private struct Link: Sendable {
    var message: LinkMessage
    /// The information from its files, or nil until they are read.
    var device: DeviceFacts?
  }

  private var links: [Int: Link] = [:]
  private var addresses: [Int: [InterfaceAddress]] = [:]
  private var routes: [IPFamily: [DefaultRoute]] = [:]

  /// Whether the default routes may have changed and must be queried.
  package private(set) var needsRoutes = true

  package init() {}

  /// Processes the messages of one datagram from the kernel.
  ///
  /// Messages that are incomplete or about something else are ignored.
  package mutating func read(_ datagram: [UInt8]) {
    for message in NetlinkMessage.messages(in: datagram[...]) { read(message) }
  }

  mutating func read(_ message: NetlinkMessage) {
    if let link = LinkMessage(message) {
      read(link, isRemoval: message.isRemoval)
    } else if let address = AddressMessage(message) {
      read(address, isRemoval: message.isRemoval)
    } else if let route = RouteMessage(message), route.isDefault {
      needsRoutes = true
    }
  }

  private mutating func read(_ link: LinkMessage, isRemoval: Bool) {
    let old = links[link.index]
    guard !isRemoval else {
      links[link.index] = nil
      addresses[link.index] = nil
      needsRoutes = true
      return
    }
    // If it is down or has no carrier, its routes are gone or dead.
    if old?.message.flags != link.flags { needsRoutes = true }
    // The files were read by name.
    links[link.index] = Link(message: link, device: old?.message.name == link.name ? old?.device : nil)
  }

  private mutating func read(_ message: AddressMessage, isRemoval: Bool) {
    let address = InterfaceAddress(
      message.address, prefixLength: message.prefixLength, isUsable: message.isUsable)
    var all = addresses[message.index] ?? []
    all.removeAll { $0.address == address.address && $0.prefixLength == address.prefixLength }
    if isRemoval {
      // Routes that use it as their source disappear with it.
      needsRoutes = true
    } else {
      all.append(address)
    }
    addresses[message.index] = all.isEmpty ? nil : all
  }
}

extension PathTable {
  /// Discards everything except the information from the files of interfaces, and stores newly read lists.
  ///
  /// - Parameters:
  ///   - newLinks: All interfaces.
  ///   - newAddresses: All addresses.
  mutating func replace(links newLinks: [LinkMessage], addresses newAddresses: [AddressMessage]) {
    let old = links
    links = [:]
    addresses = [:]
    for link in newLinks {
      let known = old[link.index]
      links[link.index] = Link(message: link, device: known?.message.name == link.name ? known?.device : nil)
    }
    for address in newAddresses { read(address, isRemoval: false) }
    needsRoutes = true
  }

  /// Stores the kernel's response as the default routes of a family.
  mutating func replaceRoutes(_ messages: [RouteMessage], of family: IPFamily) {
    let all = messages.filter { $0.isDefault && $0.fate == .forwarded && $0.family == family }.flatMap {
      route in
      route.nextHops.map {
        DefaultRoute(family, interface: $0.interface, gateway: $0.gateway, metric: route.metric)
      }
    }
    // Among equal metrics, the kernel uses the first. Sorting is stable.
    routes[family] = all.sorted { $0.metric < $1.metric }
  }

  /// Records that default routes are as current as the messages before.
  mutating func hasRoutes() { needsRoutes = false }

  /// The interfaces whose files have not been read yet.
  var unknownDevices: [LinkMessage] { links.values.filter { $0.device == nil }.map(\.message) }

  /// Stores the information from an interface's files.
  mutating func setDevice(_ facts: DeviceFacts, of index: Int) {
    links[index]?.device = facts
  }

  /// The path from the current contents.
  ///
  /// - Parameters:
  ///   - ways: The kernel's route to the Internet for each family. One over an interface that cannot carry
  ///     traffic is ignored.
  ///   - lease: Returns the lines of the DHCP lease of the interface with this index, or none.
  /// - Returns: A path.
  package func path(
    internet ways: [IPFamily: Route] = [:], lease: (Int) -> [String] = { _ in [] }
  ) -> NetworkPath {
    let interfaces = links.keys.sorted().compactMap { interface($0, lease) }
    let running = Set(interfaces.lazy.filter(\.isRunning).map(\.index))
    return NetworkPath(
      interfaces: interfaces, defaultRoutes: IPFamily.allCases.flatMap { routes[$0] ?? [] },
      internet: ways.filter { running.contains($0.value.interface) })
  }

  /// The path from the current contents, without routes to the Internet.
  package var path: NetworkPath { path() }

  private func interface(_ index: Int, _ lease: (Int) -> [String]) -> NetworkInterface? {
    guard let link = links[index]?.message else { return nil }
    let kind = kind(of: index, depth: 0)
    return NetworkInterface(
      index: index, name: link.name, kind: kind, isUp: link.flags.contains(.up),
      hasCarrier: link.flags.contains(.lowerUp), isRunning: link.flags.contains(.running),
      isPointToPoint: link.flags.contains(.pointToPoint),
      isMetered: Metering.isMetered(kind) { lease(index) },
      addresses: (addresses[index] ?? []).sorted {
        ($0.address.family == .v4 ? 0 : 1, $0.address.bits, $0.prefixLength)
          < ($1.address.family == .v4 ? 0 : 1, $1.address.bits, $1.prefixLength)
      })
  }

  /// The kind of an interface; limits the depth of interfaces on top of each other, because messages may form
  /// a cycle.
  private func kind(of index: Int, depth: Int) -> InterfaceKind {
    guard let link = links[index], depth < 8 else { return .virtual }
    var facts = LinkFacts(hardwareType: link.message.hardwareType)
    facts.isLoopback = link.message.flags.contains(.loopback)
    facts.isPointToPoint = link.message.flags.contains(.pointToPoint)
    facts.driverKind = link.message.kind
    facts.isTap = link.message.isTap
    facts.device = link.device ?? DeviceFacts()
    facts.lowerKind = lowerKind(of: link.message, depth: depth)
    return InterfaceKind(facts)
  }

  private func lowerKind(of link: LinkMessage, depth: Int) -> InterfaceKind? {
    if let lower = link.lower ?? link.activePart {
      return links[lower] == nil ? nil : kind(of: lower, depth: depth + 1)
    }
    guard link.kind == "bond" || link.kind == "team" else { return nil }
    let parts = links.values.filter { $0.message.master == link.index }
    let kinds = Set(parts.map { kind(of: $0.message.index, depth: depth + 1) })
    return kinds.count == 1 ? kinds.first : nil
  }
}

extension RouteMessage {
  /// Whether it is an unconditional default route of the main table.
  var isDefault: Bool { prefixLength == 0 && !isConditional && !isCloned && table == Self.mainTable }
}
