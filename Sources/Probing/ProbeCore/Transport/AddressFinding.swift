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
