/// Retries failed attempts.
extension Prober {
  /// Probes until an attempt succeeds, fails permanently, or no retry is left.
  ///
  /// Cancellation ends the wait between two attempts at once.
  nonisolated(nonsending) func retrying(_ request: ProbeRequest) async throws(ProbeFailure) -> ProbeResponse {
    var request = request
    var attempts = 1
    while true {
      let last: Result<ProbeResponse, ProbeFailure>
      do throws(ProbeFailure) {
        var response = try await attempt(request)
        response.attempts = attempts
        guard attempts <= request.retries, TransientFailure.isTransient(response) else { return response }
        last = .success(response)
      } catch {
        guard attempts <= request.retries, TransientFailure.isTransient(error.reason) else {
          throw error.after(attempts: attempts)
        }
        last = .failure(error)
      }
      do {
        try await clock.sleep(for: request.backoff.delay(before: attempts, chance: chance()))
      } catch {
        throw last.cancelled(after: attempts)
      }
      attempts += 1
      // Its time is a part of the first attempt.
      request.knownAddresses?.lookupTime = .zero
    }
  }
}

extension ProbeRequest {
  /// The maximum number of retries.
  private static let maximumRetries = 100

  /// Checks the retries and waits of the request.
  ///
  /// - Throws: ``InvalidInput`` naming the option.
  func checkRetries() throws(InvalidInput) {
    guard (0...Self.maximumRetries).contains(retries) else {
      throw InvalidInput("\(retries) retries cannot be made", remedy: "use 0 to \(Self.maximumRetries)")
    }
    try backoff.check()
  }
}

extension ProbeFailure {
  fileprivate func after(attempts: Int) -> ProbeFailure {
    guard attempts > 1 else { return self }
    var partial = partial
    partial?.attempts = attempts
    return ProbeFailure(reason, "\(detail), in attempt \(attempts)", partial: partial)
  }
}

extension Result<ProbeResponse, ProbeFailure> {
  /// The failure of a probe that was cancelled before the next attempt.
  fileprivate func cancelled(after attempts: Int) -> ProbeFailure {
    let partial: ProbeResponse?
    switch self {
    case .success(let response): partial = response
    case .failure(let failure): partial = failure.after(attempts: attempts).partial
    }
    return ProbeFailure(
      .cancelled, "the probe was cancelled before attempt \(attempts + 1)", partial: partial)
  }
}
