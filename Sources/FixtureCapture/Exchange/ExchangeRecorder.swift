internal import ProbeLocking
public import ProbeCore

/// Keeps every exchange that the transports it watches make.
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

  /// A recorder that has seen nothing.
  public init() {}

  /// What has been seen, in the order in which the exchanges began.
  public var exchanges: [RecordedExchange] {
    state.withLock { $0.exchanges.sorted { $0.number < $1.number }.map(\.exchange) }
  }

  /// These transports, each of whose exchanges is kept.
  ///
  /// A transport that is no `RecordingTransport` refuses every request, because nothing could be kept of it.
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

/// A transport whose every exchange is kept; each hop of a redirect comes by here.
private struct RecordedTransport: ProbeTransport {
  let transport: any ProbeTransport
  let recorder: ExchangeRecorder

  var schemes: [URLScheme: Encryption] { transport.schemes }

  // No executor: a recording keeps a thread of its own busy, and waits for it.

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    guard transport is any RecordingTransport else {
      throw InvalidInput(
        "what a \(request.url.scheme) probe receives cannot be recorded",
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
      throw ProbeFailure(.invalidRequest, "what a \(request.url.scheme) probe receives cannot be recorded")
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
    // Where a rule routes to says nothing of the name.
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
