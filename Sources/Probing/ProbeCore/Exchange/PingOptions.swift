import ProbeBase

/// The options of a ping: in a file the keys `count`, `interval` and `size`.
public struct PingOptions: Hashable, Sendable {
  /// The number of echo requests.
  public var count: Int
  /// The interval between requests.
  public var interval: Duration
  /// The number of data bytes in a request.
  public var size: Int
  /// The hop limit of the requests (TTL in IPv4), from 1 to 255; nil for the system's default.
  package var hopLimit: Int?
  /// Whether a request that is too large for the path fails instead of being fragmented (DF, RFC 791 §2.3).
  package var forbidsFragments = false

  private static let counts = 1...100
  private static let intervals = Duration.milliseconds(10) ... .seconds(60)
  /// The valid sizes, up to the capacity of an IPv4 packet (RFC 791 §3.1).
  private static let sizes = ByteCount(0)...ByteCount(65_507)

  /// Creates options.
  public init(count: Int = 3, interval: Duration = .milliseconds(200), size: Int = 56) {
    self.count = count
    self.interval = interval
    self.size = size
  }

  /// Checks the options, and that all requests are sent within a time limit.
  ///
  /// - Throws: `InvalidInput` naming the option.
  package func check(within timeout: Duration) throws(InvalidInput) {
    try count.check(in: Self.counts, noun: "the count ", about: "count")
    try interval.check(in: Self.intervals, noun: "the interval ", about: "interval")
    try size.asByteCount.check(in: Self.sizes, about: "size")
    guard interval * (count - 1) < timeout else {
      throw InvalidInput(
        "\(count) echo requests every \(ValueSyntax.text(of: interval)) take longer than the timeout",
        remedy: "use a smaller count or interval, or a longer timeout"
      ).about("count", "interval", "timeout")
    }
  }
}

extension PingOptions {
  /// The keys of `request`.
  package static let keys: [RequestKey] = [
    RequestKey(
      "count", \.ping.count, as: .integer(in: counts), default: "3", summary: "the number of echo requests"),
    RequestKey(
      "interval", \.ping.interval, in: intervals, summary: "the time from one echo request to the next"),
    RequestKey(
      "size", \.ping.size.asByteCount, in: sizes, summary: "the number of data bytes in an echo request"),
  ]
}

extension ProbeRequest {
  /// The options of a ping, or their defaults.
  package var ping: PingOptions {
    get { self[PingOptions.self] ?? PingOptions() }
    set { self[PingOptions.self] = newValue }
  }
}

/// The replies to the echo requests of a probe (RFC 792, RFC 4443 §4).
public struct PingFacts: Hashable, Sendable {
  /// The number of requests sent.
  public var sent: Int
  /// The time from each request to its reply, in the order of the requests, without those that were lost.
  public var roundTrips: [Duration]
  /// The hop limit that the latest reply had left (TTL in IPv4); nil without a reply, or if the system does not report it.
  package var hopLimit: Int?

  /// Creates facts.
  public init(sent: Int, roundTrips: [Duration]) {
    self.sent = sent
    self.roundTrips = roundTrips
  }

  /// The number of replies received.
  public var received: Int { roundTrips.count }

  /// The average round-trip time, or nil without replies.
  public var averageRoundTrip: Duration? {
    roundTrips.isEmpty ? nil : roundTrips.reduce(.zero, +) / roundTrips.count
  }
}

extension PingFacts: CustomStringConvertible {
  /// The numbers and times on one line, as in `3 sent, 3 received, 0.0 % loss, min/avg/max 0.1/0.2/0.3 ms`.
  public var description: String {
    let lost = sent == 0 ? 0 : Double(sent - received) / Double(sent) * 100
    let counts = "\(sent) sent, \(received) received, \(Self.tenths(lost)) % loss"
    guard let minimum = roundTrips.min(), let maximum = roundTrips.max(), let average = averageRoundTrip
    else {
      return counts
    }
    let times = [minimum, average, maximum].map { Self.tenths($0 / .milliseconds(1)) }.joined(separator: "/")
    return "\(counts), min/avg/max \(times) ms"
  }

  /// A number with one decimal place.
  private static func tenths(_ number: Double) -> String {
    let tenths = Int(bounding: (number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
