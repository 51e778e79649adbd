/// A transport whose `probe` checks each request first, for callers that use it directly.
///
/// ``Prober`` calls ``probe(checked:)``, because it has already checked the request.
package protocol CheckedTransport: ProbeTransport {
  /// Performs one exchange for a request that `check` has accepted.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and everything learned so far.
  func probe(checked request: ProbeRequest) async throws -> ProbeResponse
}

extension ProbeTransport {
  /// Throws if the request is not valid.
  ///
  /// - Throws: ``ProbeFailure`` with `request.invalid`.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  package func refuseInvalid(_ request: ProbeRequest) throws(ProbeFailure) {
    do throws(InvalidInput) { try check(request) } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
  }
}
