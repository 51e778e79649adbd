internal import CProbeNetlink
package import ProbeCore

/// What the kernel says of a route, or of the way it would take (struct rtmsg, rtnetlink(7)).
package struct RouteMessage: Hashable, Sendable {
  /// A way on: one of several, where traffic is spread.
  package struct NextHop: Hashable, Sendable {
    /// The number of the interface it leads out by.
    package var interface: Int
    /// The next router, or nil when destinations are on the link itself.
    ///
    /// It may be of the other family (RFC 5549).
    package var gateway: IPAddress?
  }

  /// What becomes of traffic.
  package enum Fate: Hashable, Sendable {
    /// It goes on.
    case forwarded
    /// It is for this machine itself.
    case local
    /// It goes nowhere: an unreachable, blackhole, prohibit or throw route.
    case refused
  }

  /// The family.
  package var family: IPFamily
  /// How many leading bits of a destination it is for; 0 for all.
  package var prefixLength: Int
  /// Whether it is only for some source addresses or kinds of service.
  package var isConditional: Bool
  /// The table it stands in.
  package var table: UInt32
  /// What becomes of traffic.
  package var fate: Fate
  /// The less, the better.
  package var metric: Int
  /// The address that traffic has as its source, or nil when the message names none.
  package var source: IPAddress?
  /// Whether it is no route of a table but what the kernel remembers of, or answers for, one destination
  /// (RTM_F_CLONED).
  package var isCloned: Bool
  /// The ways on that are not dead.
  package var nextHops: [NextHop]

  /// The table of ordinary routes.
  package static let mainTable = UInt32(RT_TABLE_MAIN.rawValue)

  /// Reads a message.
  ///
  /// - Returns: nil when it is about something else, another family, or is not whole.
  package init?(_ message: NetlinkMessage) {
    let bytes = message.payload
    guard message.type == UInt16(RTM_NEWROUTE) || message.type == UInt16(RTM_DELROUTE),
      let family = bytes.number(at: 0, as: UInt8.self).flatMap(IPFamily.init(kernel:)),
      let prefixLength: UInt8 = bytes.number(at: 1), let sourceLength: UInt8 = bytes.number(at: 2),
      let service: UInt8 = bytes.number(at: 3), let table: UInt8 = bytes.number(at: 4),
      let type: UInt8 = bytes.number(at: 7), let flags: UInt32 = bytes.number(at: 8)
    else { return nil }
    self.family = family
    self.prefixLength = Int(prefixLength)
    self.table = UInt32(table)
    isConditional = sourceLength != 0 || service != 0
    switch Int(type) {
    case Int(RTN_LOCAL): fate = .local
    case Int(RTN_BLACKHOLE), Int(RTN_UNREACHABLE), Int(RTN_PROHIBIT), Int(RTN_THROW): fate = .refused
    default: fate = .forwarded
    }
    metric = 0
    nextHops = []
    var only = NextHop(interface: 0)
    for (type, value) in NetlinkAttributes(bytes.dropFirst(12)) {
      switch type {
      case Int(RTA_OIF.rawValue): only.interface = value.number(at: 0, as: Int32.self).map(Int.init) ?? 0
      case Int(RTA_GATEWAY.rawValue): only.gateway = IPAddress(value, family)
      case Int(RTA_VIA.rawValue): only.gateway = Self.via(value)
      case Int(RTA_PRIORITY.rawValue): metric = value.number(at: 0, as: UInt32.self).map(Int.init) ?? 0
      case Int(RTA_PREFSRC.rawValue): source = IPAddress(value, family)
      case Int(RTA_TABLE.rawValue): self.table = value.number(at: 0) ?? self.table
      case Int(RTA_MULTIPATH.rawValue): nextHops = Self.nextHops(value, family)
      default: break
      }
    }
    isCloned = flags & UInt32(RTM_F_CLONED) != 0
    if nextHops.isEmpty, only.interface > 0, flags & UInt32(RTNH_F_DEAD) == 0 { nextHops = [only] }
  }

  /// The next hops of a route that has several (struct rtnexthop).
  private static func nextHops(_ bytes: ArraySlice<UInt8>, _ family: IPFamily) -> [NextHop] {
    let headerSize = 8
    var hops: [NextHop] = []
    var rest = bytes
    while let length = rest.number(at: 0, as: UInt16.self).map(Int.init),
      let flags: UInt8 = rest.number(at: 2), let index: Int32 = rest.number(at: 4), length >= headerSize,
      length <= rest.count
    {
      var hop = NextHop(interface: Int(index))
      for (type, value) in NetlinkAttributes(rest.dropFirst(headerSize).prefix(length - headerSize)) {
        switch type {
        case Int(RTA_GATEWAY.rawValue): hop.gateway = IPAddress(value, family)
        case Int(RTA_VIA.rawValue): hop.gateway = via(value)
        default: break
        }
      }
      if index > 0, UInt32(flags) & UInt32(RTNH_F_DEAD) == 0 { hops.append(hop) }
      rest = rest.dropFirst(length.roundedUpToFour)
    }
    return hops
  }

  /// A gateway with its family before it (struct rtvia).
  private static func via(_ bytes: ArraySlice<UInt8>) -> IPAddress? {
    guard
      let family = bytes.number(at: 0, as: UInt16.self).flatMap(UInt8.init(exactly:)).flatMap(
        IPFamily.init(kernel:))
    else { return nil }
    return IPAddress(bytes.dropFirst(2), family)
  }
}
