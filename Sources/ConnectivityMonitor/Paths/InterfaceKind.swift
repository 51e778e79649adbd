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
