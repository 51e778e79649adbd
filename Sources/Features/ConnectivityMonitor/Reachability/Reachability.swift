public import ProbeCore

/// Whether a destination can be reached, according to this machine's interfaces and routes; nothing is sent.
public struct Reachability: Hashable, Sendable {
  /// Whether the reachability is known; if not, everything else is empty.
  public var isDetermined: Bool
  /// The properties of the route.
  public var flags: ReachabilityFlags
  /// The route, or nil if there is none.
  public var route: Route?
  /// The outgoing interface, or nil if there is none.
  public var interface: NetworkInterface?
  /// For a host, the addresses of its name in the resolver's order (RFC 6724); empty for none.
  public var addresses: [IPAddress]

  /// A known reachability.
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

  /// The reachability is not known yet.
  public static let undetermined = Reachability()
}

extension Reachability {
  /// The source address of traffic.
  public var source: IPAddress? { route?.source }
  /// The next hop, or nil if there is none.
  public var gateway: IPAddress? { route?.gateway }
  /// Whether there is a usable route.
  public var isReachable: Bool { flags.contains(.reachable) }
  /// Whether there is a usable route over Wi-Fi.
  public var isReachableViaWiFi: Bool { isReachable && flags.contains(.viaWiFi) }
  /// Whether there is a usable route over a mobile network.
  public var isReachableViaCellular: Bool { isReachable && flags.contains(.viaCellular) }
  /// The older name of ``isReachableViaCellular``.
  @available(*, deprecated, renamed: "isReachableViaCellular")
  public var isReachableViaWWAN: Bool { isReachableViaCellular }
  /// Whether a link waits for a connection: ``ReachabilityFlags/connectionRequired``.
  public var isConnectionRequired: Bool { flags.contains(.connectionRequired) }
  /// Never true on Linux: ``ReachabilityFlags/connectionOnDemand``.
  public var isConnectionOnDemand: Bool { flags.contains(.connectionOnDemand) }
  /// Whether a link has to be switched on manually: ``ReachabilityFlags/interventionRequired``.
  public var isInterventionRequired: Bool { flags.contains(.interventionRequired) }

  /// A summary of the flags.
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

/// A summary of whether a destination can be reached.
///
/// For local Wi-Fi, only ``indeterminate``, ``notReachable`` and ``reachableViaWiFi`` occur: neither a mobile
/// network nor Ethernet counts.
public enum ReachabilityStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is not known yet.
  case indeterminate
  /// There is no usable route.
  case notReachable
  /// There is a usable route over another kind of interface.
  case reachable
  /// There is a usable route over Wi-Fi.
  case reachableViaWiFi
  /// There is a usable route over a mobile network.
  case reachableViaCellular
}

/// The properties of the route to a destination.
///
/// These correspond to SCNetworkReachabilityFlags, as far as Linux provides the information.
public struct ReachabilityFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Flags from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// There is a usable route, over an interface that can carry traffic, or the destination is this machine.
  ///
  /// Never combined with ``connectionRequired``, unlike in SCNetworkReachabilityFlags.
  public static let reachable = ReachabilityFlags(rawValue: 1 << 0)
  /// The destination is on the link itself: there is no router in between.
  public static let direct = ReachabilityFlags(rawValue: 1 << 1)
  /// The destination is this machine.
  public static let local = ReachabilityFlags(rawValue: 1 << 2)
  /// The route is that of general Internet traffic: the same interface and the same next hop.
  public static let isDefault = ReachabilityFlags(rawValue: 1 << 3)
  /// The route uses a temporary link: a tunnel, a modem, a mobile network.
  public static let transient = ReachabilityFlags(rawValue: 1 << 4)
  /// The route uses Wi-Fi.
  public static let viaWiFi = ReachabilityFlags(rawValue: 1 << 5)
  /// The route uses a mobile network.
  public static let viaCellular = ReachabilityFlags(rawValue: 1 << 6)
  /// There is no usable route, but a link that is switched on waits for a connection.
  ///
  /// This is a radio that is not associated or not yet authorized (802.1X), or a modem or tunnel that is not
  /// dialled up.
  public static let connectionRequired = ReachabilityFlags(rawValue: 1 << 7)
  /// Traffic itself would set up the connection.
  ///
  /// Never set: on Linux a dial-on-demand link has a route, and looks like any other until there is traffic.
  public static let connectionOnDemand = ReachabilityFlags(rawValue: 1 << 8)
  /// There is no usable route, and all links are switched off, so that one has to be switched on manually.
  ///
  /// The kernel switches off the interface of a radio that rfkill blocks, be it by a key or in airplane mode.
  /// Always combined with ``connectionRequired``.
  public static let interventionRequired = ReachabilityFlags(rawValue: 1 << 9)

  static let words: [(flag: ReachabilityFlags, word: String)] = [
    (.reachable, "reachable"), (.direct, "direct"), (.local, "local"), (.isDefault, "isDefault"),
    (.transient, "transient"), (.viaWiFi, "viaWiFi"), (.viaCellular, "viaCellular"),
    (.connectionRequired, "connectionRequired"), (.connectionOnDemand, "connectionOnDemand"),
    (.interventionRequired, "interventionRequired"),
  ]
}

extension ReachabilityFlags: CustomStringConvertible {
  /// The names of the flags, such as `reachable direct`; `unreachable` first if there is no usable route.
  public var description: String {
    let words = Self.words.filter { contains($0.flag) }.map(\.word)
    return (contains(.reachable) ? words : ["unreachable"] + words).joined(separator: " ")
  }
}
