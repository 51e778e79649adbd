/// A DNS name of a host as it stands in TLS and in certificates: ASCII, in lower case, without a dot at its end.
package struct HostName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// A name from bytes of anybody's.
  ///
  /// Labels have 1 to 63 letters, digits, hyphens or underscores, the whole at most 253 (RFC 1123 §2.1, RFC 1035
  /// §2.3.4); an underscore is no part of a host name by the letter, and in use all the same. Addresses are no
  /// names (RFC 6066 §3), and neither is what reads like one: a name whose last label is a number.
  ///
  /// - Returns: nil when it is no such name.
  package init?(_ bytes: some Collection<UInt8>) {
    guard (1...253).contains(bytes.count) else { return nil }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy(\.isNameCharacter) }),
      let last = labels.last, !last.allSatisfy(\.isDigit)
    else { return nil }
    text = String(decoding: bytes.map(\.lowercased), as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  fileprivate var isNameCharacter: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased)
      || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}
