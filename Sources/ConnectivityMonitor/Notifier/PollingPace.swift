/// How long to wait for the next poll.
struct PollingPace {
  /// How many polls in a row have changed nothing.
  private(set) var unchanged = 0

  /// Begins anew, because something has changed.
  mutating func reset() {
    unchanged = 0
  }

  /// Notes a check that changed nothing.
  mutating func note() {
    // The interval stops growing long before this many.
    unchanged = min(unchanged + 1, 1000)
  }

  /// The time until the next poll.
  ///
  /// - Parameters:
  ///   - polling: When to poll.
  ///   - isConnected: Whether there is Internet access.
  ///   - isPortal: Whether a captive portal asks for a login.
  ///   - random: A number at random, 0..<1, for the jitter.
  /// - Returns: The time, or nil when there is no next poll.
  func delay(
    _ polling: MonitorSettings.Polling, isConnected: Bool, isPortal: Bool, random: Double
  ) -> Duration? {
    guard polling.isEnabled, !(isConnected && polling.whileOfflineOnly) else { return nil }
    let backedOff = Self.backedOff(polling, unchanged)
    let interval = isPortal ? min(polling.portalInterval, backedOff) : backedOff
    let jitter = min(max(0, polling.jitter), 1)
    return max(.zero, interval * (1 + jitter * (2 * random - 1)))
  }

  private static func backedOff(_ polling: MonitorSettings.Polling, _ times: Int) -> Duration {
    guard polling.backoff > 1 else { return polling.interval }
    // Never shorter than what was asked for.
    let longest = max(polling.interval, polling.longestInterval)
    var interval = polling.interval
    for _ in 0..<times where interval < longest { interval = min(interval * polling.backoff, longest) }
    return interval
  }
}
