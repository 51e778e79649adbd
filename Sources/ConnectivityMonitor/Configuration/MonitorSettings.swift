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
    /// Whether nothing is asked as long as there is Internet access.
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
