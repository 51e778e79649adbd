import ProbeCore

/// What browsers call a local network (the specification Local Network Access, "IP address space").
extension LoginPage {
  /// Whether the page is on a public address.
  ///
  /// Where the address is not known, as in a replay without DNS, the name decides.
  var isOfPublicAddress: Bool {
    guard let response = received else { return false }
    if let address = response.remoteAddress?.address ?? response.url.address { return !address.isLocal }
    return !response.url.isLocal
  }
}

extension PageRequest {
  /// Whether it goes to a local network; nil if the addresses of its host are not known.
  ///
  /// A name in the domain `.local` is resolved in the local network only (RFC 6762 §3).
  var isLocal: Bool? {
    if url.host.hasSuffix(".local") || addresses.contains(where: \.isLocal) { return true }
    return addresses.isEmpty ? nil : false
  }

  /// The request in words.
  var words: String {
    let address = url.address == nil ? addresses.first(where: \.isLocal).map { ", which is \($0)" } ?? "" : ""
    return switch purpose {
    case .file: "loads \(url.string)\(address)"
    case .frame: "frames \(url.string)\(address)"
    case .script: "requests \(url.string)\(address)"
    case .socket: "opens ws\(url.string.dropFirst(4))\(address)"
    }
  }
}

extension IPAddress {
  /// Whether browsers count the address as local or as this machine; an IPv4 address in an IPv6 one counts as itself.
  var isLocal: Bool {
    Self.localBlocks.contains { $0.contains(self) } || embeddedV4.contains { $0.isLocal }
  }

  private static let localBlocks = [
    ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
    ("192.168.0.0", 16), ("198.18.0.0", 15), ("::1", 128), ("fc00::", 7), ("fe80::", 10),
  ].compactMap { text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) } }

  /// The networks for documentation, which some gateways use for themselves (RFC 5737).
  private static let documentationBlocks = [
    ("192.0.2.0", 24), ("198.51.100.0", 24), ("203.0.113.0", 24), ("2001:db8::", 32),
  ].compactMap { text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) } }

  /// Whether it is reserved, so that no authority issues a certificate for it.
  fileprivate var isReserved: Bool {
    isLocal || isSpecialPurpose || Self.documentationBlocks.contains { $0.contains(self) }
  }
}

extension ProbeURL {
  /// Whether the host is no unique name of the Internet, as Chromium counts: a reserved address, a name without a dot, or
  /// one of a local domain (`net::IsHostnameNonUnique`).
  var isOfNonUniqueHost: Bool {
    if let address { return address.isReserved }
    return isLocal
  }
}
