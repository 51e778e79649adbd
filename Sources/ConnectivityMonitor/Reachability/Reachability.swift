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

/// What holds of the way to a destination.
///
/// These are the facts that SCNetworkReachabilityFlags tell elsewhere, as far as Linux knows them.
public struct ReachabilityFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Flags from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// There is a way now, by an interface over which traffic can pass, or the destination is this machine.
  ///
  /// Never together with ``connectionRequired``, unlike elsewhere.
  public static let reachable = ReachabilityFlags(rawValue: 1 << 0)
  /// The destination is on the link itself: no router is between.
  public static let direct = ReachabilityFlags(rawValue: 1 << 1)
  /// The destination is this machine.
  public static let local = ReachabilityFlags(rawValue: 1 << 2)
  /// The way is the one that traffic to the Internet in general takes: the same interface and the same next hop.
  public static let isDefault = ReachabilityFlags(rawValue: 1 << 3)
  /// The way leads over a link that was set up for a while: a tunnel, a modem, a mobile network.
  public static let transient = ReachabilityFlags(rawValue: 1 << 4)
  /// The way leads over Wi-Fi.
  public static let viaWiFi = ReachabilityFlags(rawValue: 1 << 5)
  /// The way leads over a mobile network.
  public static let viaCellular = ReachabilityFlags(rawValue: 1 << 6)
  /// There is no way now, but a link that is switched on waits for a connection: a radio that is not associated or not yet
  /// let in (802.1X), a modem or tunnel that is not dialled up.
  public static let connectionRequired = ReachabilityFlags(rawValue: 1 << 7)
  /// Traffic itself would set up the connection.
  ///
  /// Never set: on Linux a link that dials on demand has a route, and looks as any other does until traffic comes.
  public static let connectionOnDemand = ReachabilityFlags(rawValue: 1 << 8)
  /// There is no way now, and all links are switched off, so that somebody has to switch one on.
  ///
  /// The kernel switches off the interface of a radio that rfkill blocks, be it by a key or in airplane mode. Always
  /// together with ``connectionRequired``.
  public static let interventionRequired = ReachabilityFlags(rawValue: 1 << 9)

  /// Each flag with its word.
  static let words: [(flag: ReachabilityFlags, word: String)] = [
    (.reachable, "reachable"), (.direct, "direct"), (.local, "local"), (.isDefault, "isDefault"),
    (.transient, "transient"), (.viaWiFi, "viaWiFi"), (.viaCellular, "viaCellular"),
    (.connectionRequired, "connectionRequired"), (.connectionOnDemand, "connectionOnDemand"),
    (.interventionRequired, "interventionRequired"),
  ]
}

extension ReachabilityFlags: CustomStringConvertible {
  /// The flags in words, such as `reachable direct`; `unreachable` first where there is no way.
  public var description: String {
    let words = Self.words.filter { contains($0.flag) }.map(\.word)
    return (contains(.reachable) ? words : ["unreachable"] + words).joined(separator: " ")
  }
}
