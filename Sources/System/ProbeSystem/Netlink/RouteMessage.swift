internal import CProbeNetlink
package import ProbeBase

/// A message about a route, or the response to a route query (struct rtmsg, rtnetlink(7)).
package struct RouteMessage: Hashable, Sendable {
  /// A next hop: one of several if traffic is distributed.
  package struct NextHop: Hashable, Sendable {
    /// The index of the outgoing interface.
    package var interface: Int
    /// The next router, or nil if destinations are on the link itself.
    ///
    /// It may be of the other family (RFC 5549).
    package var gateway: IPAddress?
  }

  /// The treatment of traffic.
  package enum Fate: Hashable, Sendable {
    /// It goes to other hosts, on a link or over a gateway.
    case forwarded
    /// It is for this machine itself.
    case local
    /// It is dropped or refused: an unreachable, blackhole, prohibit or throw route.
    case refused
  }

  package var family: IPFamily
  /// The prefix length of its destination; 0 for all destinations.
  package var prefixLength: Int
  /// Whether it applies only to some source addresses or types of service.
  package var isConditional: Bool
  /// The table that contains it.
  package var table: UInt32
  /// The treatment of traffic.
  package var fate: Fate
  /// The metric; a lower one is preferred.
  package var metric: Int
  /// The source address of traffic, or nil if the message has none.
  package var source: IPAddress?
  /// Whether it is not in a table but is a cached route or a response for one destination (RTM_F_CLONED).
  package var isCloned: Bool
  /// The next hops that are not dead.
  package var nextHops: [NextHop]

  package static let mainTable = UInt32(RT_TABLE_MAIN.rawValue)

  /// Parses a message.
  ///
  /// - Returns: nil if it is about something else or another family, or is incomplete.
  package init?(_ message: NetlinkMessage) {
    let bytes = message.payload
    guard message.type == UInt16(RTM_NEWROUTE) || message.type == UInt16(RTM_DELROUTE),
      let family = bytes.number(at: 0, as: UInt8.self).flatMap(IPFamily.init(kernel:)),
      let prefixLength: UInt8 = bytes.number(at: 1), let sourceLength: UInt8 = bytes.number(at: 2),
      let service: UInt8 = bytes.number(at: 3), let table: UInt8 = bytes.number(at: 4),
      let type: UInt8 = bytes.number(at: 7), let flags: UInt32 = bytes.number(at: 8)
    else { return nil }
    self.family = family
    self.prefixLength = Int(widening: prefixLength)
    self.table = UInt32(widening: table)
    isConditional = sourceLength != 0 || service != 0
    switch Int(widening: type) {
    case Int(RTN_LOCAL): fate = .local
    case Int(RTN_BLACKHOLE), Int(RTN_UNREACHABLE), Int(RTN_PROHIBIT), Int(RTN_THROW): fate = .refused
    default: fate = .forwarded
    }
    metric = 0
    nextHops = []
    var only = NextHop(interface: 0)
    for (type, value) in NetlinkAttributes(bytes.dropFirst(12)) {
      switch type {
      case Int(RTA_OIF.rawValue):
        only.interface = value.number(at: 0, as: Int32.self).map({ Int(widening: $0) }) ?? 0
      case Int(RTA_GATEWAY.rawValue): only.gateway = IPAddress(value, family)
      case Int(RTA_VIA.rawValue): only.gateway = Self.via(value)
      case Int(RTA_PRIORITY.rawValue):
        metric = value.number(at: 0, as: UInt32.self).map({ Int(widening: $0) }) ?? 0
      case Int(RTA_PREFSRC.rawValue): source = IPAddress(value, family)
      case Int(RTA_TABLE.rawValue): self.table = value.number(at: 0) ?? self.table
      case Int(RTA_MULTIPATH.rawValue): nextHops = Self.nextHops(value, family)
      default: break
      }
    }
    isCloned = flags & UInt32(RTM_F_CLONED) != 0
    if nextHops.isEmpty, only.interface > 0, flags & UInt32(RTNH_F_DEAD) == 0 { nextHops = [only] }
  }

  /// The next hops of a multipath route (struct rtnexthop).
  private static func nextHops(_ bytes: ArraySlice<UInt8>, _ family: IPFamily) -> [NextHop] {
    let headerSize = 8
    var hops: [NextHop] = []
    var rest = bytes
    while let length = rest.number(at: 0, as: UInt16.self).map({ Int(widening: $0) }),
      let flags: UInt8 = rest.number(at: 2), let index: Int32 = rest.number(at: 4), length >= headerSize,
      length <= rest.count
    {
      var hop = NextHop(interface: Int(widening: index))
      for (type, value) in NetlinkAttributes(rest.dropFirst(headerSize).prefix(length - headerSize)) {
        switch type {
        case Int(RTA_GATEWAY.rawValue): hop.gateway = IPAddress(value, family)
        case Int(RTA_VIA.rawValue): hop.gateway = via(value)
        default: break
        }
      }
      if index > 0, UInt32(widening: flags) & UInt32(RTNH_F_DEAD) == 0 { hops.append(hop) }
      rest = rest.dropFirst(length.roundedUpToFour)
    }
    return hops
  }

  /// A gateway with its family (struct rtvia).
  private static func via(_ bytes: ArraySlice<UInt8>) -> IPAddress? {
    guard
      let family = bytes.number(at: 0, as: UInt16.self).flatMap(UInt8.init(exactly:)).flatMap(
        IPFamily.init(kernel:))
    else { return nil }
    return IPAddress(bytes.dropFirst(2), family)
  }
}
