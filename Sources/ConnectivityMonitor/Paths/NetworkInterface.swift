public import ProbeCore

/// An interface of this machine, as it was at one moment.
public struct NetworkInterface: Hashable, Sendable {
  /// The kernel's number for it.
  public var index: Int
  /// Its name, such as `wlan0`.
  public var name: String
  /// What kind of link it is.
  public var kind: InterfaceKind
  /// Whether it was switched on (IFF_UP).
  public var isUp: Bool
  /// Whether its link stands: a cable with somebody at the other end, a radio that is associated (IFF_LOWER_UP).
  public var hasCarrier: Bool
  /// Whether traffic can pass (IFF_RUNNING, RFC 2863's operational state).
  public var isRunning: Bool
  /// Whether it leads to one peer only, as tunnels and modems do (IFF_POINTOPOINT).
  public var isPointToPoint: Bool
  /// Whether traffic costs money by volume, or nil where nothing tells.
  public var isMetered: Bool?
  /// Its addresses.
  public var addresses: [InterfaceAddress]

  /// An interface.
  public init(
    index: Int, name: String, kind: InterfaceKind, isUp: Bool = true, hasCarrier: Bool = true,
    isRunning: Bool = true, isPointToPoint: Bool = false, isMetered: Bool? = nil,
    addresses: [InterfaceAddress] = []
  ) {
    self.index = index
    self.name = name
    self.kind = kind
    self.isUp = isUp
    self.hasCarrier = hasCarrier
    self.isRunning = isRunning
    self.isPointToPoint = isPointToPoint
    self.isMetered = isMetered
    self.addresses = addresses
  }
}

/// An address of an interface, with the network it is in.
public struct InterfaceAddress: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// How many leading bits name the network.
  public var prefixLength: Int
  /// Whether it can be used: neither still being checked for duplicates nor one (RFC 4862 §5.4).
  public var isUsable: Bool

  /// An address.
  public init(_ address: IPAddress, prefixLength: Int, isUsable: Bool = true) {
    self.address = address
    self.prefixLength = prefixLength
    self.isUsable = isUsable
  }
}

/// What tells whether traffic over an interface costs money by volume.
package enum Metering {
  /// Whether it does, as far as its kind and its lease tell.
  ///
  /// Mobile networks do, and Bluetooth is a telephone's as a rule, as NetworkManager takes it. Where a telephone lends its
  /// network over Wi-Fi or a cable, its DHCP server says so. Else nothing tells.
  ///
  /// - Parameters:
  ///   - kind: The interface's kind.
  ///   - lease: Reads the lines of its DHCP lease as systemd-networkd keeps it, or none.
  /// - Returns: Whether it does, or nil.
  package static func isMetered(_ kind: InterfaceKind, lease: () -> [String]) -> Bool? {
    switch kind {
    case .loopback: false
    case .cellular, .bluetooth: true
    default: lease().contains(where: isOfATelephone) ? true : nil
    }
  }

  /// Whether a line of a lease holds the vendor option (RFC 2132 §8.4) by which Android says that it is metered.
  private static func isOfATelephone(_ line: String) -> Bool {
    let word = "VENDOR_SPECIFIC="
    guard line.hasPrefix(word) else { return false }
    let digits = Array(line.utf8.dropFirst(word.utf8.count))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self).contains("ANDROID_METERED")
  }
}

/// What kind of link an interface is, as the kernel tells it.
public enum InterfaceKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A wired network.
  case ethernet
  /// A wireless network.
  case wifi
  /// A mobile network: WWAN in the words of older frameworks.
  case cellular
  /// A network over Bluetooth, such as a telephone's tethering.
  case bluetooth
  /// A tunnel: its traffic travels by another interface.
  case vpn
  /// A bridge, a virtual link to a container or another machine, or anything else without hardware of its own.
  case virtual
  /// This machine itself.
  case loopback
  /// None of these.
  case other
}

extension InterfaceKind: CustomStringConvertible {
  /// The kind in words, as in the descriptions of ``ConnectivityStatus``.
  public var description: String {
    switch self {
    case .ethernet: "Ethernet"
    case .wifi: "Wi-Fi"
    case .cellular: "Cellular"
    case .bluetooth: "Bluetooth"
    case .vpn: "VPN"
    case .virtual: "Virtual"
    case .loopback: "Loopback"
    case .other: "Other"
    }
  }
}

/// What the kernel tells of an interface's nature.
package struct LinkFacts: Hashable, Sendable {
  /// What kind of hardware it is: an ARPHRD_… number of `linux/if_arp.h`.
  package var hardwareType: UInt16
  /// Whether it is this machine itself (IFF_LOOPBACK).
  package var isLoopback = false
  /// Whether it has one peer (IFF_POINTOPOINT).
  package var isPointToPoint = false
  /// The driver's word for what it is (IFLA_INFO_KIND), such as `wireguard`; nil for hardware, as a rule.
  package var driverKind: String?
  /// Of a `tun` interface: whether its packets are Ethernet frames.
  package var isTap = false
  /// What kind the interface below it is, or those that it bundles when they are all alike; nil where that is not known.
  package var lowerKind: InterfaceKind?
  /// What the device's own files tell.
  package var device = DeviceFacts()

  /// Facts.
  package init(hardwareType: UInt16) {
    self.hardwareType = hardwareType
  }
}

/// What an interface's files in `/sys/class/net` tell.
package struct DeviceFacts: Hashable, Sendable {
  /// The kernel's word for a kind of device (DEVTYPE), such as `wlan`.
  package var type: String?
  /// Whether it belongs to a radio of nl80211, or has wireless extensions.
  package var isWireless: Bool
  /// Whether there is no hardware behind it, or nil when that is not known.
  package var isVirtual: Bool?

  /// Facts; without arguments those of an interface of which there are no files.
  package init(type: String? = nil, isWireless: Bool = false, isVirtual: Bool? = nil) {
    self.type = type
    self.isWireless = isWireless
    self.isVirtual = isVirtual
  }
}

extension InterfaceKind {
  /// The kind of an interface with these facts.
  ///
  /// What is built upon another interface and is on the same network, such as a VLAN or a bond, is of that one's kind. A
  /// tunnel is ``vpn``, one that carries Ethernet frames too; a tap device is ``virtual``, because virtual machines have
  /// them as well as tunnels. A bridge is ``virtual`` whatever its ports are, and so is a veth, though it is what
  /// containers call eth0: what is behind its other end cannot be seen from here. A PPP link may be a modem, DSL or a
  /// tunnel, which only the program behind it knows: ``other``.
  package init(_ facts: LinkFacts) {
    self =
      if facts.isLoopback || facts.hardwareType == HardwareType.loopback {
        .loopback
      } else if let kind = Self.ofDevice(facts.device) {
        kind
      } else if let kind = facts.driverKind.flatMap({ Self.ofDriver($0, facts) }) {
        kind
      } else {
        Self.ofHardware(facts)
      }
  }

  private static func ofDevice(_ device: DeviceFacts) -> InterfaceKind? {
    switch device.type {
    case "wwan": .cellular
    case "bluetooth": .bluetooth
    case "wlan": .wifi
    default: device.isWireless ? .wifi : nil
    }
  }

  private static func ofDriver(_ name: String, _ facts: LinkFacts) -> InterfaceKind? {
    switch name {
    case "wwan", "rmnet": .cellular
    // The ports of a switch inside a router.
    case "dsa": .ethernet
    case "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec", "bond", "team", "hsr":
      facts.lowerKind ?? .virtual
    case "tun": facts.isTap ? .virtual : .vpn
    case "wireguard", "ovpn", "ovpn-dco", "gre", "gretap", "ip6gre", "ip6gretap", "erspan", "ip6erspan",
      "ipip",
      "ip6tnl", "sit", "vti", "vti6", "xfrm", "vxlan", "geneve", "bareudp", "gtp", "fou", "amt", "pfcp":
      .vpn
    case "ppp", "can", "vcan", "vxcan", "ipoib", "lowpan", "wpan", "slip": .other
    // What else has a driver's word has no hardware: bridge, veth, dummy, ifb, vrf, nlmon and many more.
    default: .virtual
    }
  }

  private static func ofHardware(_ facts: LinkFacts) -> InterfaceKind {
    switch facts.hardwareType {
    case HardwareType.ethernet: facts.device.isVirtual == true ? .virtual : .ethernet
    case HardwareType.wireless: .wifi
    case HardwareType.rawIP, HardwareType.phonet: .cellular
    case HardwareType.tunnel, HardwareType.sit, HardwareType.gre, HardwareType.gre6: .vpn
    case HardwareType.none: facts.isPointToPoint ? .vpn : .other
    default: .other
    }
  }
}

/// The numbers of `linux/if_arp.h` that tell one kind from another.
private enum HardwareType {
  static let ethernet: UInt16 = 1
  static let loopback: UInt16 = 772
  /// ARPHRD_IEEE80211 and its two forms for listening.
  static let wireless: ClosedRange<UInt16> = 801...803
  /// A modem without a header of its own.
  static let rawIP: UInt16 = 519
  /// ARPHRD_PHONET, ARPHRD_PHONET_PIPE and ARPHRD_CAIF: modems.
  static let phonet: ClosedRange<UInt16> = 820...822
  /// ARPHRD_TUNNEL and ARPHRD_TUNNEL6.
  static let tunnel: ClosedRange<UInt16> = 768...769
  static let sit: UInt16 = 776
  static let gre: UInt16 = 778
  static let gre6: UInt16 = 823
  static let none: UInt16 = 65534
}
