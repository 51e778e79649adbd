/// What tells whether traffic over an interface costs money by volume.
package enum Metering {
  /// Whether it does, as far as its kind and its lease tell.
  ///
  /// Mobile networks do, and Bluetooth is a telephone's as a rule, as NetworkManager takes it. Where a telephone lends its
  /// network over Wi-Fi or a cable, its DHCP server says so. Else nothing tells.
  ///
  /// - Parameters:
  ///   - kind: The interface's kind.
  ///   - lease: Reads the lines of its DHCP lease as systemd-networkd keeps it, or none.
  /// - Returns: Whether it does, or nil.
  package static func isMetered(_ kind: InterfaceKind, lease: () -> [String]) -> Bool? {
    switch kind {
    case .loopback: false
    case .cellular, .bluetooth: true
    default: lease().contains(where: isOfATelephone) ? true : nil
    }
  }

  /// Whether a line of a lease holds the vendor option (RFC 2132 §8.4) by which Android says that it is metered.
  private static func isOfATelephone(_ line: String) -> Bool {
    let word = "VENDOR_SPECIFIC="
    guard line.hasPrefix(word) else { return false }
    let digits = Array(line.utf8.dropFirst(word.utf8.count))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self).contains("ANDROID_METERED")
  }
}
