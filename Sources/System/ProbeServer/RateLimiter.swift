internal import ProbeBase

/// The rate at which a service accepts requests: one per interval, and bursts after a pause.
package struct RateLimit: Hashable, Sendable {
  /// The time per request.
  package var interval: Duration
  /// The maximum number of requests at once, at most 10⁹.
  package var burst: Int

  package init(interval: Duration, burst: Int) {
    (self.interval, self.burst) = (interval, burst)
  }
}

/// Refuses requests beyond a limit with 429 (RFC 6585 §4).
package final class RateLimiter: Sendable {
  private let bucket = Guarded<TokenBucket?>(nil)

  /// A limiter that has accepted nothing.
  package init() {}

  /// Counts a request.
  ///
  /// - Parameters:
  ///   - limit: The current limit; nil for none. A change resets the limiter.
  ///   - now: The current time.
  /// - Returns: The reason for refusing the request; nil if it is accepted.
  package func failure(_ limit: RateLimit?, now: ContinuousClock.Instant = .now) -> HTTPServiceFailure? {
    let isAccepted = bucket.withLock { bucket in
      guard let limit else {
        bucket = nil
        return true
      }
      if bucket?.limit != limit { bucket = TokenBucket(limit, now: now) }
      return bucket?.take(now: now) ?? true
    }
    return isAccepted ? nil : HTTPServiceFailure(status: 429, "Too Many Requests")
  }
}

/// Tokens that are taken one by one, and added one per interval.
struct TokenBucket: Sendable {
  let limit: RateLimit
  private var tokens: Int
  /// The time at which the last token was added.
  private var filled: ContinuousClock.Instant

  /// A full bucket.
  init(_ limit: RateLimit, now: ContinuousClock.Instant) {
    (self.limit, tokens, filled) = (limit, limit.burst, now)
  }

  /// Takes a token; returns whether there was one.
  mutating func take(now: ContinuousClock.Instant) -> Bool {
    // Limited to the range of an integer, however short the interval is.
    let count = Int(bounding: min(1e9, max(.zero, filled.duration(to: now)) / limit.interval))
    if tokens + count >= limit.burst {
      (tokens, filled) = (limit.burst, now)
    } else {
      tokens += count
      filled += limit.interval * count
    }
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }
}
