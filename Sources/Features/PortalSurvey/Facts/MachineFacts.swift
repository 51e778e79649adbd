internal import ProbeJSON
package import ProbeCore

/// The settings of this machine that hide a captive portal, or prevent it from opening.
///
/// Only files, the environment and the kernel are examined. A proxy or an encrypting resolver that runs on
/// this machine is not detected, nor are browser settings outside of policies.
package struct MachineFacts: Hashable, Sendable {
  /// The interface for traffic to the Internet, or nil if there is no route.
  package var interface: String?
  /// The interface for traffic to the Internet if it is a tunnel, or nil.
  ///
  /// A tunnel without a separate interface, such as one of IPsec policies, is not detected.
  package var tunnel: String?
  /// The kind of the tunnel, such as `wireguard`, `tun` or `gre`; nil without one.
  ///
  /// A `ppp` link may also be a modem or DSL.
  package var tunnelKind: String?
  /// The name servers of resolv.conf(5).
  package var resolvers: [IPAddress] = []
  /// The name servers that a stub resolver on this machine queries, as far as its files show.
  package var upstreamResolvers: [IPAddress] = []
  /// The name servers that are public and not part of this network: in no subnet of this machine, no gateway.
  ///
  /// The network may have announced them nevertheless.
  package var foreignResolvers: [IPAddress] = []
  /// The setting that encrypts DNS queries, such as `systemd-resolved: DNSOverTLS=yes`, or nil.
  package var encryptedDNS: String?
  /// The settings of browsers that refuse or warn about pages without TLS, with their files.
  package var httpsOnly: [String] = []
  /// The settings of browsers that encrypt DNS queries, with their files.
  package var browserDNS: [String] = []
  /// The environment variables that name a proxy; their values may contain passwords and are not kept.
  package var proxies: [String] = []

  /// Creates facts without any settings.
  package init() {}
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

  /// The hardware types of tunnels (ARPHRD_… numbers), and their names.
  private static let tunnelHardware: [UInt16: String] = [
    512: "ppp", 768: "ipip", 769: "ip6tnl", 776: "sit", 778: "gre", 823: "ip6gre",
  ]
}

/// Name servers.
extension MachineFacts {
  /// The name servers of a resolv.conf(5), without zones.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - limit: The number of servers that are used; glibc uses three.
  /// - Returns: The servers, in their order.
  static func resolvers(in bytes: [UInt8], limit: Int = 3) -> [IPAddress] {
    var servers: [IPAddress] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1 << 16) where servers.count < limit {
      let words = line.split(maxSplits: 2) { $0.isFieldSpace || $0 == 0x0D }
      // A keyword after a space is not recognized.
      guard words.count > 1, words[0].startIndex == line.startIndex,
        words[0].elementsEqual("nameserver".utf8)
      else { continue }
      let address = words[1].prefix { $0 != UInt8(ascii: "%") }.prefix(64)
      if let server = IPAddress(String(decoding: address, as: UTF8.self)) { servers.append(server) }
    }
    return servers
  }

  /// The servers that are public and not part of this network.
  ///
  /// - Parameters:
  ///   - servers: The name servers.
  ///   - subnets: The subnets of this machine's interfaces.
  ///   - gateways: The next hops of its default routes.
  /// - Returns: Those servers, each once.
  package static func foreign(
    _ servers: [IPAddress], subnets: [AddressBlock], gateways: [IPAddress]
  ) -> [IPAddress] {
    var foreign: [IPAddress] = []
    for server in servers where !server.isSpecialPurpose && !gateways.contains(server) {
      let isNear = subnets.contains { $0.contains(server) }
      if !isNear, !foreign.contains(server) { foreign.append(server) }
    }
    return foreign
  }

  /// Whether a server is the stub of systemd-resolved (systemd-resolved.service(8)).
  static func isResolved(_ server: IPAddress) -> Bool {
    server.family == .v4 && (server.bits == 0x7F00_0035 || server.bits == 0x7F00_0036)
  }

  /// Whether an nsswitch.conf(5) makes systemd-resolved resolve host names.
  static func usesResolved(nameServices bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1 << 16).contains { line in
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split(whereSeparator: \.isFieldSpace)
      return words.first.map { $0.elementsEqual("hosts:".utf8) } ?? false
        && words.contains { $0.elementsEqual("resolve".utf8) }
    }
  }
}

/// The encryption of DNS queries by systemd-resolved.
extension MachineFacts {
  /// The value of `DNSOverTLS=` in effect.
  ///
  /// - Parameters:
  ///   - configuration: The resolved.conf(5), then its drop-ins in the order in which they apply.
  ///   - links: The states of the link from systemd-networkd and systemd-resolved; they take precedence.
  /// - Returns: `yes` or `opportunistic`, or nil if queries are not encrypted.
  package static func encryption(configuration: [[UInt8]], links: [[UInt8]]) -> String? {
    for link in links {
      let values = SettingLines(link).values(of: ["DNS_OVER_TLS", "DNSOVERTLS"])
      if let mode = mode(values["DNS_OVER_TLS"] ?? values["DNSOVERTLS"]) { return mode == "no" ? nil : mode }
    }
    var current: String?
    for file in configuration {
      guard let value = SettingLines(file).values(of: ["DNSOverTLS"])["DNSOverTLS"] else { continue }
      // An empty value restores the default, and an invalid one is ignored.
      current = value.isEmpty ? nil : mode(value) ?? current
    }
    return current == "no" ? nil : current
  }

  private static func mode(_ value: ArraySlice<UInt8>?) -> String? {
    guard let value, value.count <= 16 else { return nil }
    switch String(decoding: value, as: UTF8.self).lowercased() {
    case "1", "yes", "y", "true", "t", "on": return "yes"
    case "0", "no", "n", "false", "f", "off": return "no"
    case "opportunistic": return "opportunistic"
    default: return nil
    }
  }
}

/// The policies of browsers.
extension MachineFacts {
  /// Parses policies: one mistake makes the browsers ignore the file.
  private static let parser = JSONParser(maximumLength: 1 << 20, maximumDepth: 32)

  /// Adds the settings in the policies of Firefox (policies.json).
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: Its path, for the texts.
  mutating func addFirefoxPolicies(_ bytes: [UInt8], path: String) {
    guard let policies = try? Self.parser.value(of: bytes)["policies"] else { return }
    let location = path.escapedForDisplay
    if let mode = policies["HttpsOnlyMode"]?.string, ["enabled", "force_enabled"].contains(mode) {
      httpsOnly.append("Firefox: HttpsOnlyMode is \(mode) in \(location)")
    }
    let name = "dom.security.https_only_mode"
    let preference = policies["Preferences"]?[name]
    if preference?.bool ?? preference?["Value"]?.bool == true {
      httpsOnly.append("Firefox: \(name) is true in \(location)")
    }
    if policies["DNSOverHTTPS"]?["Enabled"]?.bool == true {
      browserDNS.append("Firefox: DNSOverHTTPS is enabled in \(location)")
    }
  }

  /// Adds the settings in the policies of Chromium, or of a browser that is based on it.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: Its path, for the texts.
  ///   - browser: The name of the browser.
  mutating func addChromiumPolicies(_ bytes: [UInt8], path: String, browser: String) {
    guard let policies = try? Self.parser.value(of: bytes) else { return }
    let location = path.escapedForDisplay
    let forced = ["force_enabled", "force_balanced_enabled"]
    if let mode = policies["HttpsOnlyMode"]?.string, forced.contains(mode) {
      httpsOnly.append("\(browser): HttpsOnlyMode is \(mode) in \(location)")
    }
    if let mode = policies["DnsOverHttpsMode"]?.string, ["secure", "automatic"].contains(mode) {
      browserDNS.append("\(browser): DnsOverHttpsMode is \(mode) in \(location)")
    }
  }
}
