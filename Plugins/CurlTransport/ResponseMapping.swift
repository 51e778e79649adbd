internal import ByteStreams
internal import Curl
internal import OpenSSL
internal import ProbeCore

extension ProbeResponse {
  /// What a transfer brought, complete or not.
  init(_ result: TransferResult, for request: ProbeRequest) {
    self.init(
      url: request.url,
      head: HTTPResponseHead(wireBytes: result.answer.wholeLines),
      body: result.answer.body,
      bodyIsCut: result.answer.limit == .body,
      remoteAddress: result.remote ?? result.tried,
      timings: ProbeTimings(result.moments, lookedUp: request.hostToResolve != nil),
      tls: result.handshake?.session
    )
    if let seconds = result.retryAfter { retryAfter = .seconds(seconds) }
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
