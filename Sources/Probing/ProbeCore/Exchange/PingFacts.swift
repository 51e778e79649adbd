import ProbeBase

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
