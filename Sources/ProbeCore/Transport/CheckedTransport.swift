/// A transport whose `probe` refuses what its `check` does, for those who call it directly.
///
/// ``Prober`` has checked a request already, and asks it without a second check.
package protocol CheckedTransport: ProbeTransport {
  /// Does one exchange for a request that `check` has accepted.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and what was learnt so far.
  func probe(checked request: ProbeRequest) async throws -> ProbeResponse
}

extension ProbeTransport {
  /// Checks a request.
  ///
  /// - Throws: `request.invalid`.
  // Not a part of its callers, in which thousands of probes wait: they need no room for it.
  @inline(never)
  package func refuseInvalid(_ request: ProbeRequest) throws(ProbeFailure) {
    do throws(InvalidInput) { try check(request) } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
  }
}
