/// A transport that can look up the addresses for a probe before it starts.
package protocol AddressFinding: ProbeTransport {
  /// Looks up the host that the probe of a request connects to, as the probe would.
  ///
  /// With the result in ``ProbeRequest/knownAddresses``, the probe performs no lookup.
  ///
  /// - Parameter request: The request, which ``ProbeTransport/check(_:)`` accepts.
  /// - Returns: The addresses, including those that the rules of the request refuse; nil if the host that the
  ///   probe connects to cannot be determined.
  /// - Throws: ``ProbeFailure`` as the probe would throw it.
  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses?
}

/// The addresses of a host, looked up before a probe.
package struct FoundAddresses: Hashable, Sendable {
  /// The host of the addresses: that of the URL, of a `connectTo` rule, or of the proxy.
  package let host: String
  /// The addresses, each with its time to live, IPv4 first and otherwise in the order in which to try them.
  package let addresses: [NamedAddress]
  /// The canonical names of the host, as in ``ConnectionFacts/aliases``.
  package let aliases: [String]
  /// The duration of the lookup; zero for an address.
  ///
  /// It counts toward the timeouts and the timings of the probe.
  package var lookupTime: Duration

  /// Creates the result of a lookup.
  package init(host: String, addresses: [NamedAddress], aliases: [String] = [], lookupTime: Duration = .zero)
  {
    self.host = host
    self.addresses = addresses
    self.aliases = aliases
    self.lookupTime = lookupTime
  }
}
