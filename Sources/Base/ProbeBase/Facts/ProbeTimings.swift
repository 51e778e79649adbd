/// The duration of each phase of a probe; nil for a phase that did not happen.
///
/// The phases do not overlap. Over several exchanges (redirects), their durations are added up.
public struct ProbeTimings: Hashable, Sendable {
  /// The name lookup.
  public var resolve: Duration?
  /// Establishing the connection.
  public var connect: Duration?
  /// The TLS handshake.
  public var tls: Duration?
  /// The time from the request to the first byte of the response.
  public var firstByte: Duration?
  /// The time from start to end, including all phases and receiving the response.
  public var total: Duration?

  /// Creates timings; those not given are nil.
  public init(
    resolve: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, firstByte: Duration? = nil,
    total: Duration? = nil
  ) {
    self.resolve = resolve
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }

  /// Adds the phases of an earlier exchange of the same probe.
  public mutating func add(_ earlier: ProbeTimings) {
    func sum(_ left: Duration?, _ right: Duration?) -> Duration? {
      guard let left else { return right }
      return right.map { left + $0 } ?? left
    }
    resolve = sum(resolve, earlier.resolve)
    connect = sum(connect, earlier.connect)
    tls = sum(tls, earlier.tls)
    firstByte = sum(firstByte, earlier.firstByte)
    total = sum(total, earlier.total)
  }
}
