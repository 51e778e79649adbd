internal import ProbeCore

/// Finds IP addresses in a text.
enum InternetAddresses {
  /// In front of a word stands no other one, but the digits of an escape may.
  private static let start = "(?:(?<![0-9a-z.])|(?<=%[0-9a-f][0-9a-f])|(?<=%25[0-9a-f][0-9a-f]))"
  private static let v4 = SearchPattern(start + "(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?![0-9a-z])(?!\\.[0-9])")
  private static let v6 = SearchPattern(
    start + "[0-9a-f]{0,4}(?:(?::|%(?:25)?3a)[0-9a-f]{0,4}){2,7}(?![0-9a-z:])(?!\\.[0-9])")

  static var patterns: [SearchPattern] { [v4, v6] }

  /// The addresses in a text; none is said to be private, which is not seen from an address alone.
  ///
  /// - Parameter text: The text.
  /// - Returns: Each with its canonical form.
  static func found(in text: [UInt8]) -> [PrivateFinding] {
    (v4.matches(in: text) + v6.matches(in: text)).compactMap { match in
      finding(match.range, in: text, place: "a text")
    }
  }

  /// A finding of what is an address.
  static func finding(
    _ range: Range<Int>, in text: [UInt8], place: String
  ) -> PrivateFinding? {
    let spelled = SpelledText(range, of: text)
    guard spelled.bytes.count <= 45, let address = IPAddress(spelled.bytes.text) else { return nil }
    return PrivateFinding(
      range: range, value: value(of: address), place: place, isPrivate: false)
  }

  /// An address as a private value.
  static func value(of address: IPAddress) -> PrivateValue {
    PrivateValue(kind: .clientAddress, bytes: Array(address.description.utf8))
  }

  /// Whether a finding is the host of a URL.
  static func isHost(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    let before = text[..<range.lowerBound].suffix(16).text.lowercased()
    let bare =
      before.hasSuffix("[") ? before.dropLast() : before.hasSuffix("%5b") ? before.dropLast(3) : before[...]
    return ["://", ":\\/\\/", "%3a%2f%2f", "%253a%252f%252f", "\nhost: ", "\nhost:"].contains {
      bare.hasSuffix($0)
    }
  }

  /// Whether an address is nobody's: one of those that stand in for others, of this machine, of no host, or of many.
  static func isPublic(_ address: IPAddress) -> Bool {
    if AddressStandIns.isStandIn(address) || address.isLoopback || address.bits == 0 { return true }
    switch address.family {
    case .v4: return address.bits >> 28 >= 0xE
    case .v6: return address.bits >> 120 == 0xFF
    }
  }
}
