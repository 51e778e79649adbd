import ProbeCore

/// What browsers call a local network (the specification Local Network Access, "IP address space").
extension LoginPage {
  /// Whether the page is on a public address.
  ///
  /// Where the address is not known, as in a replay without DNS, the name decides.
  var isOfPublicAddress: Bool {
    guard let response else { return false }
    if let address = response.remoteAddress?.address ?? response.url.address { return !address.isLocal }
    return !response.url.isLocal
  }
}

extension PageRequest {
  /// The request in words, if it goes to a local network; otherwise nil.
  ///
  /// A name in the domain `.local` is resolved in the local network only (RFC 6762 §3).
  var localTarget: String? {
    let address = addresses.first(where: \.isLocal)
    guard address != nil || url.host.hasSuffix(".local") else { return nil }
    let verb =
      switch purpose {
      case .file: "loads"
      case .frame: "frames"
      case .script: "fetches"
      }
    let place = url.address == nil ? address.map { ", which is \($0)" } ?? "" : ""
    return "\(verb) \(url.string)\(place)"
  }
}

extension IPAddress {
  /// Whether browsers count the address as local or as this machine; an IPv4 address in an IPv6 one counts as itself.
  fileprivate var isLocal: Bool {
    Self.localBlocks.contains { $0.contains(self) } || embeddedV4.contains { $0.isLocal }
  }

  private static let localBlocks = [
    ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
    ("192.168.0.0", 16), ("198.18.0.0", 15), ("::1", 128), ("fc00::", 7), ("fe80::", 10),
  ].compactMap { text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) } }
}

extension ProbeURL {
  /// Whether its path or its query names a hardware address, such as `00-00-5E-00-53-42`, in six groups of two
  /// hexadecimal digits; or without separators as the value of a field whose name has `mac`.
  var namesHardwareAddress: Bool {
    let text = (path + "?" + (query ?? "")).lowercased()
      .split(separator: "%3a", omittingEmptySubsequences: false).joined(separator: ":")
    let parts = text.split { !$0.isHexDigit && $0 != ":" && $0 != "-" }
    let groups = parts.map { $0.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" } }
    if groups.contains(where: { $0.count == 6 && $0.allSatisfy { $0.count == 2 } }) { return true }
    return (query ?? "").lowercased().split(separator: "&").contains { field in
      let halves = field.split(separator: "=", maxSplits: 1)
      return halves.count == 2 && halves[0].contains("mac") && halves[1].count == 12
        && halves[1].allSatisfy(\.isHexDigit)
    }
  }
}
