/// A transport that can look up the addresses for a probe before it starts.
package protocol AddressFinding: ProbeTransport {
  /// Looks up the host to which the probe of a request connects, as the probe would.
  ///
  /// Put the result into ``ProbeRequest/knownAddresses``, and the probe makes no lookup of its own.
  ///
  /// - Parameter request: The request, which ``ProbeTransport/check(_:)`` accepts.
  /// - Returns: The addresses, including those that the rules of the request refuse; nil if it cannot be known to which
  ///   host the probe connects.
  /// - Throws: ``ProbeFailure`` as the probe would throw it.
  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses?
}

/// The addresses of a host, found before a probe.
package struct FoundAddresses: Hashable, Sendable {
  /// The host that the addresses are of: that of the URL, of a `connectTo` rule, or of the proxy.
  package let host: String
  /// The addresses, each with its time to live, IPv4 first and otherwise in the order in which to try them.
  package let addresses: [NamedAddress]
  /// The canonical names of the host, as in ``ConnectionFacts/aliases``.
  package let aliases: [String]
  /// The duration of the lookup; zero for an address.
  ///
  /// It counts as a part of the probe: in its time limits and in its timings.
  package var lookupTime: Duration

  /// The result of a lookup.
  package init(host: String, addresses: [NamedAddress], aliases: [String] = [], lookupTime: Duration = .zero)
  {
    self.host = host
    self.addresses = addresses
    self.aliases = aliases
    self.lookupTime = lookupTime
  }
}
