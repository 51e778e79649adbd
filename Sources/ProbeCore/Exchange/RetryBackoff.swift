/// How long to wait before a probe is tried again: twice as long each time, up to a limit, and a part of it by chance.
///
/// Chance keeps many probes that failed together from coming back together.
public struct RetryBackoff: Hashable, Sendable {
  /// The longest wait before the first retry.
  public var initial: Duration
  /// The longest wait before any retry.
  public var maximum: Duration

  /// Waits; those not given have their default.
  public init(initial: Duration = .milliseconds(500), maximum: Duration = .seconds(10)) {
    self.initial = initial
    self.maximum = maximum
  }

  /// The wait before a retry: from half of the longest one to all of it.
  ///
  /// - Parameters:
  ///   - retry: Which retry, from 1 on.
  ///   - chance: A number from 0 to 1.
  /// - Returns: The wait.
  public func delay(before retry: Int, chance: Double) -> Duration {
    var longest = min(initial, maximum)
    var doublings = retry - 1
    // At most a hundred doublings lead from a nanosecond to the longest Duration.
    while doublings > 0, longest > .zero, longest < maximum {
      longest = min(longest * 2, maximum)
      doublings -= 1
    }
    return longest * (0.5 + 0.5 * min(max(chance, 0), 1))
  }

  /// Says what cannot be waited.
  ///
  /// - Throws: ``InvalidInput`` for a negative wait, and for one beyond an hour.
  public func check() throws(InvalidInput) {
    guard initial >= .zero, maximum >= .zero, initial <= .seconds(3600), maximum <= .seconds(3600) else {
      throw InvalidInput("a wait between retries is negative or longer than an hour")
    }
  }
}
