import ProbeBase
internal import Glibc

/// The time in a replayed network: that of this machine plus the time added by tests.
struct WorldClock: Sendable {
  /// The time on this machine; the loop sets it before each event.
  var real: ContinuousClock.Instant
  /// The time by which the network is ahead of this machine.
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
  var unix: Int { startUnix + Int(clamping: start.duration(to: now).components.seconds) }

  /// Advances the time in the network.
  mutating func skip(_ duration: Duration) {
    skipped += duration
  }
}

/// The time of this machine in whole seconds since 1970-01-01T00:00:00Z.
func unixTime() -> Int { time(nil) }
