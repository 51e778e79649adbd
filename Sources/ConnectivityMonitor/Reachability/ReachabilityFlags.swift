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
