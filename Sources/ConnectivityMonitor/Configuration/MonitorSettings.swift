/// When a monitor checks, and what makes it change its mind.
public struct MonitorSettings: Hashable, Sendable {
  /// Checks that repeat without anything having happened.
  public struct Polling: Hashable, Sendable {
    /// Whether there are any.
    public var isEnabled = true
    /// The time from the end of one check to the next.
    public var interval = Duration.seconds(10)
    /// The part of each interval by which it is lengthened or shortened at random, 0…1, so that many machines do not ask
    /// at once.
    public var jitter = 0.1
    /// Whether checks pause while there is Internet access.
    public var whileOfflineOnly = false
    /// What the interval is multiplied with after each check that changed nothing; 1 for always the same interval.
    public var backoff = 1.0
    /// The longest interval that backing off leads to.
    public var longestInterval = Duration.seconds(300)
    /// The interval while a captive portal asks for a login, when it is shorter than that otherwise.
    public var portalInterval = Duration.seconds(3)

    /// The default: every 10 s, give or take a tenth, and every 3 s in a portal.
    public init() {}
  }

  /// Checks that repeat without anything having happened.
  public var polling = Polling()
  /// How long interfaces and routes must stay as they are before a change of them leads to a check.
  public var settleTime = Duration.milliseconds(500)
  /// How soon a check that contradicts the present status is confirmed by another one.
  public var recheckDelay = Duration.milliseconds(500)
  /// How many checks in a row must find Internet access before the status says so.
  public var rise = 1
  /// How many checks in a row must contradict the present status before it is given up for one without Internet access.
  ///
  /// The first check on a network counts alone.
  public var fall = 2
  /// The latency from which on Internet access counts as slow, or nil for never.
  ///
  /// It no longer does below three quarters of that.
  public var slowLatency: Duration? = .seconds(2)
  /// Whether a machine without a way to the Internet is not connected, and nothing is asked.
  ///
  /// To be switched off for pipelines whose servers or proxies are in the local network.
  public var requiresRoute = true

  /// The defaults.
  public init() {}
}

/// A part of a hundred, from 0 to 100.
///
/// What lies outside is moved to the nearer end, as in Connectivity.
public struct Percentage: Hashable, Sendable {
  /// The percentage, 0…100.
  public let value: Double

  /// A percentage; what is below 0 or no number becomes 0, what is above 100 becomes 100.
  public init(_ value: Double) {
    self.value = value.isNaN ? 0 : min(max(0, value), 100)
  }

  /// So many of so many, in per cent; of nothing it is 0.
  public init(_ part: Int, of total: Int) {
    self.init(total > 0 ? 100 * Double(part) / Double(total) : 0)
  }
}

extension Percentage: Comparable {
  /// Whether one is the smaller part.
  public static func < (left: Percentage, right: Percentage) -> Bool { left.value < right.value }
}

extension Percentage: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A percentage.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A percentage.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
}

extension Percentage: CustomStringConvertible {
  /// Such as `50 %` or `33.3 %`.
  public var description: String {
    value == value.rounded() ? "\(Int(value)) %" : "\(value) %"
  }
}

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
