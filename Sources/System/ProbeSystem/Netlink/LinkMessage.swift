internal import CProbeNetlink
import ProbeBase

/// A message about an interface (struct ifinfomsg, rtnetlink(7)).
package struct LinkMessage: Hashable, Sendable {
  /// The flags of an interface, as defined by netdevice(7) and `linux/if.h`.
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It is administratively up (IFF_UP).
    package static let up = Flags(rawValue: 1 << 0)
    /// It is the loopback interface (IFF_LOOPBACK).
    package static let loopback = Flags(rawValue: 1 << 3)
    /// It has a single peer (IFF_POINTOPOINT).
    package static let pointToPoint = Flags(rawValue: 1 << 4)
    /// It can carry traffic (IFF_RUNNING).
    package static let running = Flags(rawValue: 1 << 6)
    /// Its link is established (IFF_LOWER_UP).
    package static let lowerUp = Flags(rawValue: 1 << 16)
  }

  package var index: Int
  package var name: String
  /// The hardware type: an ARPHRD_… number.
  package var hardwareType: UInt16
  package var flags: Flags
  /// Its hardware address, or empty.
  package var hardwareAddress: [UInt8] = []
  /// The driver's name for its kind, such as `wireguard`; usually nil for hardware.
  package var kind: String?
  /// The underlying interface, for instance of a VLAN, if it is in this network namespace.
  package var lower: Int?
  /// The bridge or bond to which it belongs.
  package var master: Int?
  /// For a bond, the interface that carries the traffic.
  package var activePart: Int?
  /// For a `tun` interface: whether its packets are Ethernet frames.
  package var isTap = false

  /// Parses a message.
  ///
  /// - Returns: nil if it is about something else, is incomplete or partial: a bridge's own messages about
  ///   its ports have AF_BRIDGE, wireless events have only flags.
  package init?(_ message: NetlinkMessage) {
    let bytes = message.payload
    guard message.type == UInt16(RTM_NEWLINK) || message.type == UInt16(RTM_DELLINK),
      bytes.number(at: 0, as: UInt8.self) == 0, let hardwareType: UInt16 = bytes.number(at: 2),
      let index: Int32 = bytes.number(at: 4), index > 0, let flags: UInt32 = bytes.number(at: 8),
      bytes.count >= 16
    else { return nil }
    self.index = Int(widening: index)
    self.hardwareType = hardwareType
    self.flags = Flags(rawValue: flags)
    name = ""
    var isElsewhere = false
    for (type, value) in NetlinkAttributes(bytes.dropFirst(16)) {
      switch type {
      case Int(IFLA_WIRELESS): return nil
      case Int(IFLA_IFNAME): name = value.terminatedText
      case Int(IFLA_ADDRESS): hardwareAddress = Array(value)
      case Int(IFLA_LINK): lower = Self.index(value)
      case Int(IFLA_LINK_NETNSID): isElsewhere = true
      case Int(IFLA_MASTER): master = Self.index(value)
      case Int(IFLA_LINKINFO): readInfo(value)
      default: break
      }
    }
    // Some tunnels refer to themselves.
    if isElsewhere || lower == self.index { lower = nil }
    guard !name.isEmpty else { return nil }
  }

  private mutating func readInfo(_ bytes: ArraySlice<UInt8>) {
    var data: ArraySlice<UInt8> = []
    for (type, value) in NetlinkAttributes(bytes) {
      switch type {
      case Int(IFLA_INFO_KIND): kind = value.terminatedText
      case Int(IFLA_INFO_DATA): data = value
      default: break
      }
    }
    switch kind {
    case "tun":
      let mode = NetlinkAttributes(data).first { $0.type == Int(IFLA_TUN_TYPE) }?.value.first
      // IFF_TAP of linux/if_tun.h.
      isTap = mode == 2
    case "bond":
      let part = NetlinkAttributes(data).first { $0.type == Int(IFLA_BOND_ACTIVE_SLAVE) }
      activePart = part.flatMap { Self.index($0.value) }
    default: break
    }
  }

  private static func index(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let number = bytes.number(at: 0, as: Int32.self), number > 0 else { return nil }
    return Int(widening: number)
  }
}
