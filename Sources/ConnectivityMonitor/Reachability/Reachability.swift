public import ProbeCore

/// Whether a destination can be reached, as far as this machine's interfaces and routes tell; nothing is sent.
public struct Reachability: Hashable, Sendable {
  /// Whether it is known; until it is, everything else is empty.
  public var isDetermined: Bool
  /// What holds of the way.
  public var flags: ReachabilityFlags
  /// The way, or nil when there is none.
  public var route: Route?
  /// The interface that it leads out by, or nil when there is none.
  public var interface: NetworkInterface?
  /// Of a host, the addresses that its name has, as the resolver orders them (RFC 6724); empty for none.
  public var addresses: [IPAddress]

  /// Reachability that is known.
  public init(
    flags: ReachabilityFlags, route: Route? = nil, interface: NetworkInterface? = nil,
    addresses: [IPAddress] = []
  ) {
    isDetermined = true
    self.flags = flags
    self.route = route
    self.interface = interface
    self.addresses = addresses
  }

  private init() {
    isDetermined = false
    flags = []
    addresses = []
  }

  /// Nothing is known yet.
  public static let undetermined = Reachability()
}

extension Reachability {
  /// The address that traffic has as its source.
  public var source: IPAddress? { route?.source }
  /// The next hop, or nil when there is none between.
  public var gateway: IPAddress? { route?.gateway }
  /// Whether there is a way now.
  public var isReachable: Bool { flags.contains(.reachable) }
  /// Whether there is a way over Wi-Fi.
  public var isReachableViaWiFi: Bool { isReachable && flags.contains(.viaWiFi) }
  /// Whether there is a way over a mobile network.
  public var isReachableViaCellular: Bool { isReachable && flags.contains(.viaCellular) }
  /// The older name of ``isReachableViaCellular``.
  @available(*, deprecated, renamed: "isReachableViaCellular")
  public var isReachableViaWWAN: Bool { isReachableViaCellular }
  /// Whether a link waits for a connection: ``ReachabilityFlags/connectionRequired``.
  public var isConnectionRequired: Bool { flags.contains(.connectionRequired) }
  /// Never true on Linux: ``ReachabilityFlags/connectionOnDemand``.
  public var isConnectionOnDemand: Bool { flags.contains(.connectionOnDemand) }
  /// Whether somebody has to switch a link on: ``ReachabilityFlags/interventionRequired``.
  public var isInterventionRequired: Bool { flags.contains(.interventionRequired) }

  /// The whole in a word.
  public var status: ReachabilityStatus {
    if !isDetermined {
      .indeterminate
    } else if !isReachable {
      .notReachable
    } else if isReachableViaWiFi {
      .reachableViaWiFi
    } else if isReachableViaCellular {
      .reachableViaCellular
    } else {
      .reachable
    }
  }
}

extension Reachability: CustomStringConvertible {
  /// One line, such as `reachable isDefault viaWiFi via wlan0 by 192.0.2.1 from 192.0.2.7`.
  public var description: String {
    guard isDetermined else { return "undetermined" }
    var parts = [flags.description]
    if let interface { parts.append("via \(interface.name)") }
    if let gateway { parts.append("by \(gateway)") }
    if let source { parts.append("from \(source)") }
    return parts.joined(separator: " ")
  }
}

/// Whether a destination can be reached, in a word.
///
/// Of local Wi-Fi there are only ``indeterminate``, ``notReachable`` and ``reachableViaWiFi``: neither a mobile network nor
/// Ethernet counts.
public enum ReachabilityStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is not known yet.
  case indeterminate
  /// There is no way.
  case notReachable
  /// There is a way over an interface of another kind.
  case reachable
  /// There is a way over Wi-Fi.
  case reachableViaWiFi
  /// There is a way over a mobile network.
  case reachableViaCellular
}
