extension Duration {
  /// The time in seconds, rounded to microseconds: finer than any measurement of a probe, and short in text
  /// form.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + (Double(attoseconds) / 1e12).rounded() / 1e6
  }

  /// The time in whole milliseconds, rounded up, for a wait: at least 0, and at most a hundred years.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = max(.zero, self).components
    return min(seconds, 1 << 32) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}

extension Clock<Duration> {
  /// Starts measuring time.
  ///
  /// - Returns: A function that returns the time since then.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
