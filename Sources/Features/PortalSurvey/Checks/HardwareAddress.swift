import ProbeCore

/// Hardware addresses in URLs, such as `00-00-5E-00-53-42`.
extension ProbeURL {
  /// The names of fields with the address of an access point or another device, and with what only looks like one.
  private static let otherDevices: Set<Substring> = [
    "ap", "apmac", "bssid", "called", "gw", "gwmac", "nas", "node", "ssid", "switch", "wlan", "hmac",
  ]
  /// The names of fields with the address of the client.
  private static let clients: Set<Substring> = [
    "mac", "cmac", "client", "clientmac", "macaddr", "macaddress", "sta", "stamac", "usermac", "umac", "cid",
    "id",
    "calling", "device", "devicemac",
  ]

  /// Whether its path or a field of its query has the hardware address of the client, as far as names of fields show.
  var namesHardwareAddress: Bool {
    for field in (query ?? "").split(separator: "&") {
      let halves = field.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { continue }
      let name = halves[0].lowercased()
      let words = name.split { !$0.isLetter }
      guard Self.otherDevices.isDisjoint(with: words) else { continue }
      let isNamed = !Self.clients.isDisjoint(with: words)
      if Self.isHardwareAddress(halves[1].withoutEscapes, needsSeparators: !isNamed || words == ["id"]) {
        return true
      }
    }
    return path.split(separator: "/").contains {
      Self.isHardwareAddress($0.withoutEscapes, needsSeparators: true)
    }
  }

  /// Whether a text is an address in one of its forms: six pairs of digits, three groups of four, or twelve digits.
  private static func isHardwareAddress(_ text: String, needsSeparators: Bool) -> Bool {
    let sizes: [(separator: Character, count: Int, size: Int)] = [(":", 6, 2), ("-", 6, 2), (".", 3, 4)]
    for (separator, count, size) in sizes {
      let groups = text.split(separator: separator, omittingEmptySubsequences: false)
      guard groups.count == count, groups.allSatisfy({ $0.count == size && $0.allSatisfy(\.isHexDigit) })
      else {
        continue
      }
      // A time such as 26-11-30-12-05-09 has decimal digits only, and so has one address of three hundred.
      return text.contains { $0.isHexDigit && $0.isLetter }
    }
    return !needsSeparators && text.count == 12 && text.allSatisfy(\.isHexDigit)
      && text.contains(where: \.isLetter)
  }
}

extension Substring {
  /// The text in lower case with the escapes of separators decoded, but not those of digits: an encoder has no reason
  /// to write these.
  fileprivate var withoutEscapes: String {
    var text = lowercased()
    for (escape, separator) in [("%3a", ":"), ("%2d", "-"), ("%2e", ".")] {
      text = text.split(separator: escape, omittingEmptySubsequences: false).joined(separator: separator)
    }
    return text
  }
}
