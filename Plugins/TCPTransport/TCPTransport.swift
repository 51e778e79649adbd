package import Curl
internal import CurlTransport
public import ProbeCore

/// Plain TCP: connects and, when something is expected, receives until it is there.
///
/// Nothing is sent. Without an expectation (``ProbeRequest/expectation``) a connection that stands is the answer.
public struct TCPTransport: ProbeTransport {
  private let loop: CurlLoop

  /// A transport with a loop of its own.
  public init() {
    self.init(loop: CurlLoop())
  }

  /// A transport that shares a loop with others.
  package init(loop: CurlLoop) {
    self.loop = loop
  }

  /// TCP.
  public var schemes: [URLScheme: Encryption] { [.tcp: .plaintext] }

  /// The thread of its connections.
  public var executor: (any TaskExecutor)? { loop }

  /// Refuses a URL without a port, or with parts that TCP has no use for.
  ///
  /// - Throws: ``InvalidInput`` naming the part.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    let url = request.url
    guard url.explicitPort != nil else {
      throw InvalidInput("a tcp URL needs a port", remedy: "write it as tcp://\(url.host):22")
    }
    guard url.path.isEmpty || url.path == "/", url.query == nil else {
      throw InvalidInput("a tcp URL has no path or query", remedy: "write it as tcp://host:port")
    }
    try request.checkForConnecting()
  }

  /// Connects, and receives what is expected.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and what was learnt so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let start = ContinuousClock.now
    // libcurl connects without sending anything; the scheme only has to be one it knows.
    let port = request.url.port ?? 0
    let host = request.url.host.contains(":") ? "[\(request.url.host)]" : request.url.host
    var options = TransferOptions(request)
    options.url = "http://\(host):\(port)"
    let (result, connection) = await loop.connect(options)
    let response = ProbeResponse(result, for: request)
    guard let connection else { throw await ProbeFailure(result, of: request, partial: response) }
    guard let expectation = request.expectation else { return response }
    let banner = Banner(expectation, limit: request.maxBody, response: response)
    return try await receive(banner, over: connection, start: start, timeout: request.timeout)
  }

  private func receive(
    _ empty: Banner, over connection: CurlConnection, start: ContinuousClock.Instant, timeout: Duration
  ) async throws(ProbeFailure) -> ProbeResponse {
    var banner = empty
    while banner.wantsMore {
      let outcome = await connection.receive(upTo: banner.room, deadline: start + timeout)
      let elapsed = start.duration(to: .now)
      switch outcome {
      case .received(let bytes): banner.receive(bytes, at: elapsed)
      case .timedOut: try banner.timeOut(at: elapsed)
      case .failed(let number): throw banner.failure(number)
      case .cancelled: throw ProbeFailure(.cancelled, "the probe was cancelled", partial: banner.response)
      case .sent: break
      }
    }
    return banner.response
  }
}
