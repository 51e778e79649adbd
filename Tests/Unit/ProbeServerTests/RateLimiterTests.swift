import Testing

@testable import ProbeServer

/// Requests beyond a rate.
@Suite struct RateLimiterTests {
  private let start = ContinuousClock.now

  @Test func aBurstIsAcceptedAndThenOneRequestPerInterval() {
    var bucket = TokenBucket(RateLimit(interval: .seconds(2), burst: 3), now: start)
    func accepted(_ count: Int, at seconds: Double) -> Int {
      (0..<count).count { _ in bucket.take(now: start + .seconds(seconds)) }
    }
    // Half an interval is not lost, and a clock that goes back adds nothing.
    let counts = [0, 1.9, 2, 5, 6, 1000, 1001.9, 0].map { accepted(5, at: $0) }
    #expect(counts == [3, 0, 1, 1, 1, 3, 0, 0])
  }

  @Test func veryShortIntervalsAndNoBurstDoNotOverflow() {
    var quick = TokenBucket(RateLimit(interval: .nanoseconds(1), burst: 1_000_000_000), now: start)
    let isQuickAccepted = quick.take(now: start + .seconds(1_000_000_000))
    #expect(isQuickAccepted)
    var none = TokenBucket(RateLimit(interval: .seconds(1), burst: 0), now: start)
    let isAccepted = none.take(now: start + .seconds(9))
    #expect(!isAccepted)
  }

  @Test func aLimitCanChange() {
    let limiter = RateLimiter()
    let limit = RateLimit(interval: .seconds(1), burst: 1)
    #expect(limiter.failure(limit, now: start) == nil)
    #expect(limiter.failure(limit, now: start) == HTTPServiceFailure(status: 429, "Too Many Requests"))
    #expect(limiter.failure(nil, now: start) == nil)
    #expect(limiter.failure(RateLimit(interval: .seconds(1), burst: 2), now: start) == nil)
    #expect(limiter.failure(RateLimit(interval: .seconds(1), burst: 2), now: start) == nil)
    #expect(limiter.failure(RateLimit(interval: .seconds(1), burst: 2), now: start)?.status == 429)
  }
}
