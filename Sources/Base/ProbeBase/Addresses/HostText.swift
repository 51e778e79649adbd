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
