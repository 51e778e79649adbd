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
