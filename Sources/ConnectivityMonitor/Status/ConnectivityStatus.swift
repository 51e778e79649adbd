/// Whether there is Internet access, and over which kind of interface.
///
/// An interface that is neither cellular nor Ethernet nor Wi-Fi, such as a VPN or Bluetooth, is never taken for one of
/// them: with Internet access it is ``connected``, without ``notConnected``; ``ConnectivityState/currentInterface`` tells
/// which it is.
public enum ConnectivityStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// Internet access, over any other kind of interface, or where the kind is not known.
  case connected
  /// Internet access over a mobile network.
  case connectedViaCellular
  /// A mobile network without Internet access.
  case connectedViaCellularWithoutInternet
  /// Internet access over Ethernet.
  case connectedViaEthernet
  /// Ethernet without Internet access.
  case connectedViaEthernetWithoutInternet
  /// Internet access over Wi-Fi.
  case connectedViaWiFi
  /// Wi-Fi without Internet access.
  case connectedViaWiFiWithoutInternet
  /// Nothing is known yet.
  case determining
  /// No Internet access, and no Ethernet, Wi-Fi or mobile network either.
  case notConnected
}

extension ConnectivityStatus {
  /// The status of an interface with or without Internet access.
  ///
  /// - Parameters:
  ///   - hasInternet: Whether Internet access was found.
  ///   - kind: The kind of the interface by which traffic goes to the Internet, or nil when there is none.
  public init(hasInternet: Bool, via kind: InterfaceKind?) {
    switch kind {
    case .cellular: self = hasInternet ? .connectedViaCellular : .connectedViaCellularWithoutInternet
    case .ethernet: self = hasInternet ? .connectedViaEthernet : .connectedViaEthernetWithoutInternet
    case .wifi: self = hasInternet ? .connectedViaWiFi : .connectedViaWiFiWithoutInternet
    default: self = hasInternet ? .connected : .notConnected
    }
  }

  /// Whether there is Internet access.
  public var isConnected: Bool {
    switch self {
    case .connected, .connectedViaCellular, .connectedViaEthernet, .connectedViaWiFi: true
    case .connectedViaCellularWithoutInternet, .connectedViaEthernetWithoutInternet,
      .connectedViaWiFiWithoutInternet, .determining, .notConnected:
      false
    }
  }
}

extension ConnectivityStatus: CustomStringConvertible {
  /// The status in words for a person.
  public var description: String {
    switch self {
    case .connected: "Internet access"
    case .connectedViaCellular: "Cellular with Internet access"
    case .connectedViaCellularWithoutInternet: "Cellular without Internet access"
    case .connectedViaEthernet: "Ethernet with Internet access"
    case .connectedViaEthernetWithoutInternet: "Ethernet without Internet access"
    case .connectedViaWiFi: "Wi-Fi with Internet access"
    case .connectedViaWiFiWithoutInternet: "Wi-Fi without Internet access"
    case .determining: "Connectivity checks pending"
    case .notConnected: "No Connection"
    }
  }
}
