/// The time in a replayed network: that of this machine, and what tests add to it.
struct WorldClock: Sendable {
  /// The time on this machine; the loop sets it before each event.
  var real: ContinuousClock.Instant
  /// How much later it is in the network.
  private(set) var skipped = Duration.zero
  private let start: ContinuousClock.Instant
  private let startUnix: Int

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - real: The time on this machine.
  ///   - unix: The same time in seconds since 1970-01-01T00:00:00Z.
  init(_ real: ContinuousClock.Instant = .now, unix: Int = unixTime()) {
    self.real = real
    (start, startUnix) = (real, unix)
  }

  /// The time in the network.
  var now: ContinuousClock.Instant { real + skipped }

  /// The time in the network in whole seconds since 1970-01-01T00:00:00Z.
  var unix: Int { startUnix + Int(start.duration(to: now).components.seconds) }

  /// Lets time pass in the network.
  mutating func skip(_ duration: Duration) {
    skipped += duration
  }
}
