public import ProbeCore

/// The settings of this machine that hide a captive portal, or prevent it from opening.
///
/// Only files, the environment and the kernel are examined. A proxy or an encrypting resolver that runs on
/// this machine is not detected, nor are browser settings outside of policies.
public struct MachineFacts: Hashable, Sendable {
  /// The interface for traffic to the Internet, or nil if there is no route.
  public var interface: String?
  /// The interface for traffic to the Internet if it is a tunnel, or nil.
  ///
  /// A tunnel without a separate interface, such as one of IPsec policies, is not detected.
  public var tunnel: String?
  /// The kind of the tunnel, such as `wireguard`, `tun` or `gre`; nil without one.
  ///
  /// A `ppp` link may also be a modem or DSL.
  public var tunnelKind: String?
  /// The name servers of resolv.conf(5).
  public var resolvers: [IPAddress] = []
  /// The name servers that a stub resolver on this machine queries, as far as its files show.
  public var upstreamResolvers: [IPAddress] = []
  /// The name servers that are public and not part of this network: in no subnet of this machine, no gateway.
  ///
  /// The network may have announced them nevertheless.
  public var foreignResolvers: [IPAddress] = []
  /// The setting that encrypts DNS queries, such as `systemd-resolved: DNSOverTLS=yes`, or nil.
  public var encryptedDNS: String?
  /// The settings of browsers that refuse or warn about pages without TLS, with their files.
  public var httpsOnly: [String] = []
  /// The settings of browsers that encrypt DNS queries, with their files.
  public var browserDNS: [String] = []
  /// The environment variables that name a proxy; their values may contain passwords and are not kept.
  public var proxies: [String] = []

  /// Creates facts without any settings.
  public init() {}
}

extension MachineFacts {
  /// The environment variables that name a proxy and have a value, sorted.
  package static func proxies(in environment: [String: String]) -> [String] {
    let names: Set = ["http_proxy", "https_proxy", "all_proxy"]
    return environment.filter { names.contains($0.key.lowercased()) && !$0.value.isEmpty }.keys.sorted()
  }

  /// The kind of a tunnel, or nil if the interface is not a tunnel.
  ///
  /// - Parameters:
  ///   - driver: The driver's name for the kind of the interface (IFLA_INFO_KIND), or nil.
  ///   - hardwareType: Its hardware type, an ARPHRD_… number of `linux/if_arp.h`.
  ///   - isTap: For a `tun` interface, whether its packets are Ethernet frames.
  /// - Returns: The driver's name for it, or `tap`.
  static func tunnelKind(driver: String?, hardwareType: UInt16, isTap: Bool = false) -> String? {
    if let driver {
      if driver == "tun" { return isTap ? "tap" : "tun" }
      if tunnelDrivers.contains(driver) { return driver }
    }
    return tunnelHardware[hardwareType]
  }

  /// The drivers of tunnels, by their names in the kernel.
  private static let tunnelDrivers: Set<String> = [
    "amt", "bareudp", "erspan", "fou", "geneve", "gre", "gretap", "gtp", "ip6erspan", "ip6gre", "ip6gretap",
    "ip6tnl", "ipip", "ovpn", "ovpn-dco", "ppp", "sit", "vti", "vti6", "vxlan", "wireguard", "xfrm",
  ]

  /// The hardware types of tunnels.
  private static let tunnelHardware: [UInt16: String] = [
    512: "ppp", 768: "ipip", 769: "ip6tnl", 776: "sit", 778: "gre", 823: "ip6gre",
  ]
}
