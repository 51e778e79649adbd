/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable {
  /// The family the address belongs to.
  public let family: IPFamily
  /// The address as a number, in host order; an IPv4 address fills the low 32 bits.
  public let bits: UInt128

  /// Creates an IPv4 address from its four bytes as a number.
  public init(v4 bits: UInt32) {
    family = .v4
    self.bits = UInt128(bits)
  }

  /// Creates an IPv6 address from its sixteen bytes as a number.
  public init(v6 bits: UInt128) {
    family = .v6
    self.bits = bits
  }

  /// Parses dotted decimal (RFC 6943 §3.1.1, strict), or the IPv6 text form (RFC 4291 §2.2) without a zone.
  ///
  /// - Returns: nil if the text is neither; forms such as `127.1` or `0x7f.0.0.1` are not accepted.
  @inlinable public init?(_ text: some StringProtocol) {
    self.init(String(text))
  }

  /// Parses a `String` without copying it, because every probe does this twice.
  ///
  /// - Returns: nil if the text is not an address.
  public init?(_ text: String) {
    if let v4 = Self.parseV4(text.utf8) {
      self.init(v4: v4)
    } else if text.utf8.contains(UInt8(ascii: ":")), let v6 = Self.parseV6(Array(text.utf8)) {
      self.init(v6: v6)
    } else {
      return nil
    }
  }
}

extension IPAddress {
  /// Whether it is a loopback address, and so this machine only (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
  public var isLoopback: Bool { family == .v4 ? bits >> 24 == 127 : bits == 1 }
}

/// An address family of the Internet protocol.
public enum IPFamily: String, Hashable, Sendable, Codable, CaseIterable {
  /// IPv4.
  case v4
  /// IPv6.
  case v6
}

extension IPAddress: CustomStringConvertible {
  /// The canonical text form (RFC 5952 for IPv6).
  public var description: String {
    switch family {
    case .v4:
      let bytes = UInt32(truncatingIfNeeded: bits)
      return "\(bytes >> 24).\(bytes >> 16 & 0xFF).\(bytes >> 8 & 0xFF).\(bytes & 0xFF)"
    case .v6:
      // RFC 5952 §5: after a prefix known to precede an IPv4 address, that address is in dotted decimal.
      if bits >> 32 == 0xFFFF { return "::ffff:\(IPAddress(v4: UInt32(truncatingIfNeeded: bits)))" }
      return Self.hexadecimalText(bits)
    }
  }

  /// The text form of an IPv6 address in hexadecimal groups only (RFC 5952 §4).
  package static func hexadecimalText(_ bits: UInt128) -> String {
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) }
    let (start, length) = Self.longestZeroRun(groups)
    let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
    guard length > 1 else { return text(groups[...]) }
    return text(groups[..<start]) + "::" + text(groups[(start + length)...])
  }

  private static func longestZeroRun(_ groups: [UInt16]) -> (start: Int, length: Int) {
    var best = (start: 0, length: 0)
    var run = 0
    for (index, group) in groups.enumerated() {
      run = group == 0 ? run + 1 : 0
      if run > best.length { best = (index - run + 1, run) }
    }
    return best
  }
}

extension IPAddress {
  private static func parseV4(_ text: some Collection<UInt8>) -> UInt32? {
    guard (7...15).contains(text.count) else { return nil }
    var result: UInt32 = 0
    var part: UInt32 = 0
    var digits = 0
    var dots = 0
    for byte in text {
      if byte == UInt8(ascii: ".") {
        guard digits > 0 else { return nil }
        result = result << 8 | part
        (part, digits) = (0, 0)
        dots += 1
        continue
      }
      // A leading zero is refused, because some parsers read such a part as octal.
      guard byte.isASCIIDigit, digits == 0 || part > 0 else { return nil }
      part = part * 10 + UInt32(widening: byte - UInt8(ascii: "0"))
      digits += 1
      guard part <= 255 else { return nil }
    }
    return dots == 3 && digits > 0 ? result << 8 | part : nil
  }

  private static func parseV6(_ text: [UInt8]) -> UInt128? {
    guard text.count <= 45 else { return nil }
    let colon = UInt8(ascii: ":")
    if let gap = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) {
      guard let head = parseGroups(text[..<gap], isEnd: false),
        let tail = parseGroups(text[(gap + 2)...], isEnd: true),
        head.count + tail.count <= 7
      else { return nil }
      return number(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }
    guard let groups = parseGroups(text[...], isEnd: true), groups.count == 8 else { return nil }
    return number(groups)
  }

  /// The 16-bit groups of a part of an IPv6 address without `::`; a dotted IPv4 part at the end of the
  /// address counts as two groups.
  private static func parseGroups(_ text: ArraySlice<UInt8>, isEnd: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var groups: [UInt16] = []
    for (index, part) in parts.enumerated() {
      if isEnd, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let v4 = parseV4(part) else { return nil }
        groups += [UInt16(truncatingIfNeeded: v4 >> 16), UInt16(truncatingIfNeeded: v4 & 0xFFFF)]
        continue
      }
      guard (1...4).contains(part.count) else { return nil }
      var group: UInt16 = 0
      for byte in part {
        guard let digit = byte.hexDigitValue else { return nil }
        group = group << 4 | UInt16(widening: digit)
      }
      groups.append(group)
    }
    return groups
  }

  private static func number(_ groups: [UInt16]) -> UInt128 {
    groups.reduce(0) { $0 << 16 | UInt128($1) }
  }
}

/// An address and a port: one endpoint of a connection.
public struct SocketAddress: Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// The port.
  public var port: UInt16

  /// Creates an endpoint.
  public init(_ address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The address and port as in a URL: `192.0.2.1:80`, `[2001:db8::1]:80`; without port 0, which ICMP has.
  public var description: String {
    port == 0 ? address.description : "\(address.bracketed):\(port)"
  }
}

extension SocketAddress {
  /// Parses the address of a DNS server, such as `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or
  /// `[2001:db8::53]:5353`; the port is 53 unless it is given.
  ///
  /// - Throws: ``InvalidInput`` if it is no address, which includes the name of a server.
  public init(resolver text: String) throws(InvalidInput) {
    guard let (address, port) = Self.parts(of: text) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not the address of a DNS server",
        remedy: "write it as 192.0.2.53, 192.0.2.53:5353, 2001:db8::53 or [2001:db8::53]:5353")
    }
    guard let port else {
      self.init(address, port: 53)
      return
    }
    guard port.utf8.allSatisfy(\.isASCIIDigit), let number = UInt16(text: port), number > 0 else {
      throw InvalidInput("\(Excerpt(String(port))) is not a port from 1 to 65535", remedy: "omit it for 53")
    }
    self.init(address, port: number)
  }

  private static func parts(of text: String) -> (address: IPAddress, port: Substring?)? {
    if let address = IPAddress(text) { return (address, nil) }
    guard text.first == "[" else {
      guard let colon = text.lastIndex(of: ":"), let address = IPAddress(String(text[..<colon])),
        address.family == .v4
      else { return nil }
      return (address, text[colon...].dropFirst())
    }
    guard let end = text.firstIndex(of: "]"), let address = IPAddress(String(text[..<end].dropFirst())),
      address.family == .v6
    else { return nil }
    let rest = text[end...].dropFirst()
    if rest.isEmpty { return (address, nil) }
    return rest.first == ":" ? (address, rest.dropFirst()) : nil
  }
}

extension String {
  /// The host as in a URL: with brackets around an IPv6 address (RFC 3986 §3.2.2), since no other host has a colon.
  package var bracketedHost: String { utf8.contains(UInt8(ascii: ":")) ? "[\(self)]" : self }

  /// The host that a person wrote as in a URL: ``bracketedHost``, unless it has its brackets already.
  ///
  /// A peer's host is never read so: `[::1` from the network is not an address that lacks nothing.
  package var bracketedHostIfBare: String { utf8.first == UInt8(ascii: "[") ? self : bracketedHost }

  /// The host and a port, as in a URL: `example.com:80`, `[2001:db8::1]:80`.
  package func host(withPort port: UInt16) -> String { "\(bracketedHost):\(port)" }
}

extension IPAddress {
  /// The address as a host in a URL: `192.0.2.1`, `[2001:db8::1]`.
  package var bracketed: String { family == .v6 ? "[\(self)]" : description }
}
