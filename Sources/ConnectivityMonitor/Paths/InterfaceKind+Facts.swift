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
