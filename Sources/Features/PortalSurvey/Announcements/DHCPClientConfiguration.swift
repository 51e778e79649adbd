/// The configuration of a DHCP client for the options of the captive-portal API.
package struct DHCPClientConfiguration: Hashable, Sendable {
  /// The names of option 114 of DHCPv4.
  package internal(set) var namesV4: Set<String>
  /// The names of option 103 of DHCPv6, with the prefix of the client.
  package internal(set) var namesV6: Set<String>
  /// Whether the client requests option 114 of DHCPv4.
  package internal(set) var requestsV4 = false
  /// Whether the client requests option 103 of DHCPv6.
  package internal(set) var requestsV6 = false

  /// Reads the configuration of ISC dhclient (dhclient.conf(5)).
  ///
  /// Without `request`, it requests neither. A declaration such as `option portal code 114 = text` names the
  /// option. Statements count regardless of the block they are in.
  package init(dhclient bytes: [UInt8]) {
    namesV4 = ["default-url", "captive-portal", "unknown-114", "option-114"]
    namesV6 = ["dhcp6.v6-captive-portal", "dhcp6.captive-portal", "dhcp6.unknown-103"]
    var requested: Set<String> = []
    for statement in DhclientStatements(bytes) where statement.end == .semicolon {
      var words = statement.words.map { $0.text.lowercased() }
      let isAdded = words.first == "also"
      if isAdded { words.removeFirst() }
      switch words.first {
      case "option": declare(words)
      case "request":
        if !isAdded { requested = [] }
        requested.formUnion(words.dropFirst())
      case "require": requested.formUnion(words.dropFirst())
      default: break
      }
    }
    requestsV4 = !requested.isDisjoint(with: namesV4)
    requestsV6 = !requested.isDisjoint(with: namesV6)
  }

  private mutating func declare(_ words: [String]) {
    guard words.count >= 4, words[2] == "code" else { return }
    switch (words[1].hasPrefix("dhcp6."), words[3]) {
    case (false, "114") where !words[1].contains("."): namesV4.insert(words[1])
    case (true, "103"): namesV6.insert(words[1])
    default: break
    }
  }

  /// Reads the configuration of dhcpcd (dhcpcd.conf(5)).
  ///
  /// As installed, it requests neither. A definition such as `define 114 string portal` names the option.
  /// Lines count regardless of the block they are in. Version 10.0.2 was the first to know the names.
  package init(dhcpcd bytes: [UInt8]) {
    namesV4 = ["captive_portal_uri", "114"]
    namesV6 = ["dhcp6_captive_portal_uri", "dhcp6_103"]
    var requested: Set<String> = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1 << 16) {
      let words = line.prefix { $0 != UInt8(ascii: "#") }.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
      guard let first = words.first else { continue }
      let names = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
      switch (String(decoding: first, as: UTF8.self), names.first, names.last) {
      case ("option", _, _), ("require", _, _): requested.formUnion(names)
      case ("nooption", _, _): requested.subtract(names)
      case ("define", "114", let name?): namesV4.insert(name)
      case ("define6", "103", let name?): namesV6.insert("dhcp6_\(name)")
      default: break
      }
    }
    requestsV4 = !requested.isDisjoint(with: namesV4)
    requestsV6 = !requested.isDisjoint(with: namesV6)
  }
}
