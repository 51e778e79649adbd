/// Spreads the starts of probes evenly over time; does no waiting itself.
struct ScanPace {
  private let interval: Duration?
  /// When the next probe may start, since the start of the scan.
  private var next = Duration.zero

  /// Creates a pace with this time between two starts; nil for no limit.
  init(_ interval: Duration?) {
    self.interval = interval
  }

  /// Takes the next start.
  ///
  /// - Parameter now: The time since the start of the scan.
  /// - Returns: How long the probe must wait; zero for not at all.
  mutating func take(at now: Duration) -> Duration {
    guard let interval else { return .zero }
    // Time that passed without a probe is lost, so that there is no burst after it.
    let start = max(next, now)
    next = start + interval
    return start - now
  }
}
