package import ProbeCore

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
