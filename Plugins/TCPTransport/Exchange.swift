internal import Curl
internal import ProbeCore

/// One connection that stands, and the time since its probe began.
struct Exchange {
  let connection: CurlConnection
  let start: ContinuousClock.Instant

  private var elapsed: Duration { start.duration(to: .now) }

  /// Does what a conversation says until it is over.
  ///
  /// - Returns: The answer, and whether the peer has finished sending.
  func converse(_ begun: Conversation) async throws(ProbeFailure) -> (ProbeResponse, hasEnded: Bool) {
    var conversation = begun
    while true {
      let outcome: CurlConnection.Outcome
      switch try conversation.next(at: elapsed) {
      case .finished: return (conversation.response, conversation.hasEnded)
      case .send(let bytes, let until):
        outcome = await connection.send(bytes, deadline: start + until)
        if case .timedOut = outcome { throw conversation.sendTimeout }
      case .receive(let limit, let until):
        outcome = await connection.receive(upTo: limit, deadline: start + until)
      }
      switch outcome {
      case .sent: conversation.didSend(at: elapsed)
      case .received(let bytes): conversation.receive(bytes, at: elapsed)
      case .timedOut: conversation.timePassed()
      case .failed(let number): throw conversation.failure(number)
      case .cancelled: throw conversation.cancelled
      }
    }
  }

  /// Receives until a banner is what is expected, or cannot become it any more.
  func receive(_ begun: Banner, timeout: Duration) async throws(ProbeFailure) -> ProbeResponse {
    var banner = begun
    while banner.wantsMore {
      let outcome = await connection.receive(upTo: banner.room, deadline: start + timeout)
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
