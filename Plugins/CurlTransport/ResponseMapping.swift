internal import ByteStreams
internal import Curl
internal import ProbeCore

extension ProbeResponse {
  /// What a transfer brought, complete or not.
  init(_ result: TransferResult, for request: ProbeRequest) {
    self.init(
      url: request.url,
      head: HTTPResponseHead(wireBytes: result.answer.wholeLines),
      body: result.answer.body,
      bodyIsCut: result.answer.limit == .body,
      remoteAddress: (result.remote ?? result.tried).flatMap(SocketAddress.init),
      timings: ProbeTimings(result.moments, lookedUp: request.hostToResolve != nil),
      tls: result.handshake.map(TLSFacts.init)
    )
    if let seconds = result.retryAfter { retryAfter = .seconds(seconds) }
  }
}

extension SocketAddress {
  fileprivate init?(_ place: TransferResult.Place) {
    guard let address = IPAddress(place.address) else { return nil }
    self.init(address, port: place.port)
  }
}

extension ProbeTimings {
  fileprivate init(_ moments: TransferResult.Moments, lookedUp: Bool) {
    func span(_ start: Int64, _ end: Int64) -> Duration? {
      end > 0 ? .microseconds(max(0, end - start)) : nil
    }
    self.init(
      resolve: lookedUp ? span(0, moments.resolved) : nil,
      connect: span(moments.resolved, moments.connected),
      tls: span(moments.connected, moments.secured),
      firstByte: span(max(moments.requested, moments.connected), moments.answered),
      total: span(0, moments.finished)
    )
  }
}
