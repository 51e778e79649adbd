import ProbeBase

/// The schedule of a monitor's checks, and the number of results that change the status.
public struct MonitorSettings: Hashable, Sendable {
  /// Checks that repeat at an interval.
  public struct Polling: Hashable, Sendable {
    /// Whether polling is enabled.
    public var isEnabled = true
    /// The time from the end of one check to the next.
    public var interval = Duration.seconds(10)
    /// The part of each interval, 0…1, by which it is randomly lengthened or shortened, so that many machines
    /// do not send requests at the same time.
    public var jitter = 0.1
    /// Whether checks pause while there is Internet access.
    public var whileOfflineOnly = false
    /// The factor by which the interval grows after each check that changed nothing; 1 for a constant
    /// interval.
    public var backoff = 1.0
    /// The maximum interval that ``backoff`` results in.
    public var maximumInterval = Duration.seconds(300)
    /// The interval behind a captive portal that requires a login, if shorter than the regular one.
    public var portalInterval = Duration.seconds(3)

    /// The default: every 10 s, give or take a tenth, and every 3 s behind a portal.
    public init() {}
  }

  /// Checks that repeat at an interval.
  public var polling = Polling()
  /// The time for which interfaces and routes must be unchanged before a change of them starts a check.
  public var settleTime = Duration.milliseconds(500)
  /// The delay before a check that contradicts the current status is confirmed by another one.
  public var recheckDelay = Duration.milliseconds(500)
  /// The number of consecutive checks that must find Internet access before the status reports it.
  public var rise = 1
  /// The number of consecutive checks that must contradict the current status before one without Internet
  /// access replaces it.
  ///
  /// The first check on a network takes effect immediately.
  public var fall = 2
  /// The latency at which Internet access starts to count as slow, or nil for never.
  ///
  /// It stops counting as slow below three quarters of this value.
  public var slowLatency: Duration? = .seconds(2)
  /// Whether a machine without a route to the Internet is not connected, and nothing is probed.
  ///
  /// Disable this for pipelines whose servers or proxies are in the local network.
  public var requiresRoute = true

  /// The defaults.
  public init() {}
}

/// A percentage, from 0 to 100.
///
/// A value outside this range is clamped, as in Connectivity for iOS.
public struct Percentage: Hashable, Sendable {
  /// The percentage, 0…100.
  public let value: Double

  /// A percentage, clamped to 0…100; NaN becomes 0.
  public init(_ value: Double) {
    self.value = value.isNaN ? 0 : min(max(0, value), 100)
  }

  /// A part of a total as a percentage; 0 if the total is 0.
  public init(_ part: Int, of total: Int) {
    self.init(total > 0 ? 100 * Double(part) / Double(total) : 0)
  }
}

extension Percentage: Comparable {
  /// Whether the left percentage is smaller than the right one.
  public static func < (left: Percentage, right: Percentage) -> Bool { left.value < right.value }
}

extension Percentage: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A percentage.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A percentage.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
}

extension Percentage: CustomStringConvertible {
  /// The percentage as text, such as `50 %` or `33.3 %`.
  public var description: String {
    value == value.rounded() ? "\(Int(bounding: value)) %" : "\(value) %"
  }
}

/// Computes the time to the next poll.
struct PollingPace {
  /// The number of consecutive polls that changed nothing.
  private(set) var unchanged = 0

  /// Starts over, because something has changed.
  mutating func reset() {
    unchanged = 0
  }

  /// Records a check that changed nothing.
  mutating func note() {
    // The interval reaches its maximum long before this count.
    unchanged = min(unchanged + 1, 1000)
  }

  /// The time until the next poll.
  ///
  /// - Parameters:
  ///   - polling: The schedule of polls.
  ///   - isConnected: Whether there is Internet access.
  ///   - isPortal: Whether a captive portal requires a login.
  ///   - random: A random number, 0..<1, for the jitter.
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
    // Never shorter than the configured interval.
    let maximum = max(polling.interval, polling.maximumInterval)
    var interval = polling.interval
    for _ in 0..<times where interval < maximum { interval = min(interval * polling.backoff, maximum) }
    return interval
  }
}
