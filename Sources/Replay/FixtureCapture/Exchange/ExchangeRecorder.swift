internal import ProbeBase
public import ProbeCore

/// Records every exchange of the transports it wraps.
///
/// ```swift
/// let recorder = ExchangeRecorder()
/// let runner = PipelineRunner(try recorder.recording(plugins.transports))
/// let result = await runner.run(plan)
/// let exchanges = recorder.exchanges
/// ```
public final class ExchangeRecorder: Sendable {
  private struct State: Sendable {
    var started = 0
    var exchanges: [(number: Int, exchange: RecordedExchange)] = []
  }

  private let state = Guarded(State())

  /// Creates a recorder without exchanges.
  public init() {}

  /// The recorded exchanges, in the order in which they began.
  public var exchanges: [RecordedExchange] {
    state.withLock { $0.exchanges.sorted { $0.number < $1.number }.map(\.exchange) }
  }

  /// Wraps these transports so that their exchanges are recorded.
  ///
  /// A transport that is not a `RecordingTransport` then rejects every request, because it cannot be
  /// recorded.
  public func recording(_ transports: TransportRegistry) -> TransportRegistry {
    transports.wrapping { RecordedTransport(transport: $0, recorder: self) }
  }

  fileprivate func begin() -> Int {
    state.withLock { state in
      state.started += 1
      return state.started
    }
  }

  fileprivate func keep(_ exchange: RecordedExchange, _ number: Int) {
    state.withLock { $0.exchanges.append((number, exchange)) }
  }
}

/// A transport whose exchanges are recorded; each hop of a redirect is a request to it.
private struct RecordedTransport: ProbeTransport {
  let transport: any ProbeTransport
  let recorder: ExchangeRecorder

  var schemes: [URLScheme: Encryption] { transport.schemes }

  // No executor: a recording blocks its own thread.

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    guard transport is any RecordingTransport else {
      throw InvalidInput(
        "\(request.url.scheme) URLs cannot be captured",
        remedy: "capture http and https URLs")
    }
    try transport.check(request)
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try transport.checkFiles(of: request)
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    guard let transport = transport as? any RecordingTransport else {
      throw ProbeFailure(.invalidRequest, "\(request.url.scheme) URLs cannot be captured")
    }
    let number = recorder.begin()
    let wire = Guarded<WireRecord?>(nil)
    func keep(_ response: ProbeResponse?, _ failure: ProbeFailure?) {
      recorder.keep(RecordedExchange(request, response, failure, wire.withLock(\.self)), number)
    }
    do {
      let response = try await transport.probe(request) { record in wire.withLock { $0 = record } }
      keep(response, nil)
      return response
    } catch let failure as ProbeFailure {
      keep(failure.partial, failure)
      throw failure
    }
  }
}

extension RecordedExchange {
  fileprivate init(
    _ request: ProbeRequest, _ response: ProbeResponse?, _ failure: ProbeFailure?, _ wire: WireRecord?
  ) {
    // The address that a rule routes to is not one of the name.
    let hasRoute = request.connectTo.contains { $0.applies(to: request.url) }
    self.init(
      url: request.url,
      method: request.http.method,
      wire: wire,
      failure: failure.map { Failure($0.reason, $0.detail) },
      remoteAddress: hasRoute ? nil : response?.remoteAddress,
      timings: response?.timings ?? ProbeTimings(),
      tls: response?.tls)
  }
}

/// One exchange of a capture: the request, the bytes received, and the facts of the connection.
public struct RecordedExchange: Sendable {
  /// Why an exchange has no complete response.
  public struct Failure: Hashable, Sendable {
    /// The reason code.
    public var reason: ReasonCode
    /// The description of the failure.
    public var detail: String

    /// Creates a failure.
    public init(_ reason: ReasonCode, _ detail: String) {
      self.reason = reason
      self.detail = detail
    }
  }

  /// The requested URL.
  public var url: ProbeURL
  /// The request method; meaningless for tcp.
  public var method: String
  /// The bytes on the wire, or nil if there was no connection, or no TLS session where one is required.
  public var wire: WireRecord?
  /// Why there is no complete response, or nil.
  public var failure: Failure?
  /// The peer's address, or nil if no connection was established or it is unknown.
  public var remoteAddress: SocketAddress?
  /// The duration of each phase.
  public var timings: ProbeTimings
  /// The facts of the TLS session, or nil without one.
  public var tls: TLSFacts?

  /// Creates an exchange.
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
