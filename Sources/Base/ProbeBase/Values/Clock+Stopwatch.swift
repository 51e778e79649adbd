extension Clock<Duration> {
  /// Starts measuring time.
  ///
  /// - Returns: A function that returns the time since then.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
