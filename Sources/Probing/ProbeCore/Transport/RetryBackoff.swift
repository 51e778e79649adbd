/// The wait before a retry: it doubles each time, up to a limit, with a random part.
///
/// The random part keeps many probes that failed together from retrying together.
public struct RetryBackoff: Hashable, Sendable {
  /// The maximum wait before the first retry.
  public var initial: Duration
  /// The maximum wait before any retry.
  public var maximum: Duration

  /// Creates waits; those not given have their defaults.
  public init(initial: Duration = .milliseconds(500), maximum: Duration = .seconds(10)) {
    self.initial = initial
    self.maximum = maximum
  }

  /// The wait before a retry: between half of its maximum and the maximum.
  ///
  /// - Parameters:
  ///   - retry: The number of the retry, from 1.
  ///   - chance: A random number from 0 to 1.
  /// - Returns: The wait.
  package func delay(before retry: Int, chance: Double) -> Duration {
    var bound = min(initial, maximum)
    var doublings = retry - 1
    // At most a hundred doublings take a nanosecond to the longest Duration.
    while doublings > 0, bound > .zero, bound < maximum {
      bound = min(bound * 2, maximum)
      doublings -= 1
    }
    return bound * (0.5 + 0.5 * min(max(chance, 0), 1))
  }

  /// Checks that the waits are valid.
  ///
  /// - Throws: ``InvalidInput`` for a negative wait, or one longer than an hour.
  package func check() throws(InvalidInput) {
    guard initial >= .zero, maximum >= .zero, initial <= .seconds(3600), maximum <= .seconds(3600) else {
      throw InvalidInput("a wait between retries is negative or longer than an hour").about("backoff")
    }
  }
}

/// Whether an attempt failed for a transient reason, so that a retry makes sense.
///
/// Invalid requests, certificate errors, policy violations, local shortages and cancellations are never
/// retried, because the result would be the same.
package enum TransientFailure {
  /// The statuses that curl retries: the temporary ones of RFC 9110 §15, and 429 (RFC 6585 §4).
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Whether a probe that failed for this reason may succeed later; true for every timeout.
  package static func isTransient(_ reason: ReasonCode) -> Bool {
    reason.traits.contains(.transient)
  }

  /// Whether a later response may differ from this one.
  package static func isTransient(_ response: ProbeResponse) -> Bool {
    response.status.map(statuses.contains) ?? (response.dns?.code == .serverFailure)
  }
}

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
