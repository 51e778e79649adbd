public import ProbeCore

/// One exchange of a capture: what was asked, what came back as it was on the wire, and what is known of the connection.
public struct RecordedExchange: Sendable {
  /// How an exchange without a complete answer failed.
  public struct Failure: Hashable, Sendable {
    /// The reason code.
    public var reason: ReasonCode
    /// The words on it.
    public var detail: String

    /// A failure.
    public init(_ reason: ReasonCode, _ detail: String) {
      self.reason = reason
      self.detail = detail
    }
  }

  /// The URL that was asked for.
  public var url: ProbeURL
  /// The request method; meaningless for tcp.
  public var method: String
  /// What went over the wire, or nil when there was no connection, or no TLS session where one is needed.
  public var wire: WireRecord?
  /// Why there was no complete answer, or nil.
  public var failure: Failure?
  /// The peer's address, or nil when no connection stood or it is not known.
  public var remoteAddress: SocketAddress?
  /// How long each phase took.
  public var timings: ProbeTimings
  /// What the TLS handshake showed, or nil without one.
  public var tls: TLSFacts?

  /// An exchange.
  public init(
    url: ProbeURL, method: String = "GET", wire: WireRecord? = nil, failure: Failure? = nil,
    remoteAddress: SocketAddress? = nil, timings: ProbeTimings = ProbeTimings(), tls: TLSFacts? = nil
  ) {
    self.url = url
    self.method = method
    self.wire = wire
    self.failure = failure
    self.remoteAddress = remoteAddress
    self.timings = timings
    self.tls = tls
  }
}
