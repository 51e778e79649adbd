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
  public func delay(before retry: Int, chance: Double) -> Duration {
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
  public func check() throws(InvalidInput) {
    guard initial >= .zero, maximum >= .zero, initial <= .seconds(3600), maximum <= .seconds(3600) else {
      throw InvalidInput("a wait between retries is negative or longer than an hour")
    }
  }
}
