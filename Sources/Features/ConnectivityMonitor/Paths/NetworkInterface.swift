public import ProbeCore

/// A snapshot of a network interface of this machine.
public struct NetworkInterface: Hashable, Sendable {
  /// The kernel's index of the interface.
  public var index: Int
  /// Its name, such as `wlan0`.
  public var name: String
  /// The kind of its link.
  public var kind: InterfaceKind
  /// Whether it is administratively up (IFF_UP).
  public var isUp: Bool
  /// Whether its link is established: a cable connected to a peer, a radio that is associated (IFF_LOWER_UP).
  public var hasCarrier: Bool
  /// Whether traffic can pass (IFF_RUNNING, RFC 2863's operational state).
  public var isRunning: Bool
  /// Whether it connects to a single peer, as tunnels and modems do (IFF_POINTOPOINT).
  public var isPointToPoint: Bool
  /// Whether traffic is billed by volume, or nil if unknown.
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
  /// The length of the network prefix in bits.
  public var prefixLength: Int
  /// Whether it is usable: duplicate address detection is complete and found no duplicate (RFC 4862 §5.4).
  public var isUsable: Bool

  /// An address.
  public init(_ address: IPAddress, prefixLength: Int, isUsable: Bool = true) {
    self.address = address
    self.prefixLength = prefixLength
    self.isUsable = isUsable
  }
}

/// Determines whether traffic over an interface is billed by volume.
package enum Metering {
  /// Whether an interface is metered, according to its kind and its DHCP lease.
  ///
  /// Mobile networks are; Bluetooth is assumed to be a phone's tethering, as in NetworkManager. A phone that
  /// shares its network over Wi-Fi or a cable announces it in the DHCP lease. Otherwise this is unknown.
  ///
  /// - Parameters:
  ///   - kind: The interface's kind.
  ///   - lease: Reads the lines of its DHCP lease as stored by systemd-networkd, or none.
  /// - Returns: Whether it is metered, or nil if unknown.
  package static func isMetered(_ kind: InterfaceKind, lease: () -> [String]) -> Bool? {
    switch kind {
    case .loopback: false
    case .cellular, .bluetooth: true
    default: lease().contains(where: isTelephone) ? true : nil
    }
  }

  /// Whether a line of a lease contains the vendor option (RFC 2132 §8.4) with which Android announces a
  /// metered network.
  private static func isTelephone(_ line: String) -> Bool {
    let word = "VENDOR_SPECIFIC="
    guard line.hasPrefix(word) else { return false }
    let digits = Array(line.utf8.dropFirst(word.utf8.count))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
      UInt8(hexDigits: digits[index...index + 1]) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self).contains("ANDROID_METERED")
  }
}

/// The kind of link of an interface, as the kernel reports it.
public enum InterfaceKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A wired network.
  case ethernet
  /// A wireless network.
  case wifi
  /// A mobile network, called WWAN in older frameworks.
  case cellular
  /// A network over Bluetooth, such as a phone's tethering.
  case bluetooth
  /// A tunnel: its traffic is carried by another interface.
  case vpn
  /// A bridge, a virtual link to a container or another machine, or any other interface without hardware.
  case virtual
  /// The loopback interface of this machine.
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

/// The kernel's information about the type of an interface.
package struct LinkFacts: Hashable, Sendable {
  /// The hardware type: an ARPHRD_… number of `linux/if_arp.h`.
  package var hardwareType: UInt16
  /// Whether it is the loopback interface (IFF_LOOPBACK).
  package var isLoopback = false
  /// Whether it has a single peer (IFF_POINTOPOINT).
  package var isPointToPoint = false
  /// The driver's name for its kind (IFLA_INFO_KIND), such as `wireguard`; usually nil for hardware.
  var driverKind: String?
  /// For a `tun` interface: whether its packets are Ethernet frames.
  package var isTap = false
  /// The kind of the underlying interface, or of the aggregated ones if they are all the same; nil if
  /// unknown.
  var lowerKind: InterfaceKind?
  /// The information from the device's files.
  package var device = DeviceFacts()
}

/// The information from the files of an interface in `/sys/class/net`; the defaults are those of one without such files.
package struct DeviceFacts: Hashable, Sendable {
  /// The kernel's device type (DEVTYPE), such as `wlan`.
  package var type: String?
  /// Whether it belongs to a radio of nl80211, or has wireless extensions.
  var isWireless = false
  /// Whether there is no hardware behind it, or nil if unknown.
  var isVirtual: Bool?
}

extension InterfaceKind {
  /// The kind of an interface with these facts.
  ///
  /// An interface on top of another one and in the same network, such as a VLAN or a bond, has the kind of
  /// that one. A tunnel is ``vpn``, including one that carries Ethernet frames; a tap device is ``virtual``,
  /// because virtual machines use them as well as tunnels. A bridge is ``virtual`` whatever its ports are,
  /// and so is a veth, though containers name it eth0: its other end is not visible from here. A PPP link may
  /// be a modem, DSL or a tunnel, which only the program that runs it knows: ``other``.
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
    // Any other kind named by a driver has no hardware: bridge, veth, dummy, ifb, vrf, nlmon and many more.
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

/// The numbers of `linux/if_arp.h` that distinguish the kinds.
private enum HardwareType {
  static let ethernet: UInt16 = 1
  static let loopback: UInt16 = 772
  /// ARPHRD_IEEE80211 and its two variants for monitor mode.
  static let wireless: ClosedRange<UInt16> = 801...803
  /// A modem without a link-layer header.
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
