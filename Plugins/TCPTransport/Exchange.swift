internal import ByteStreams
internal import ProbeCore

/// One connection that stands, and the answer so far.
final class Exchange {
  private let stream: ByteStream
  /// The answer so far.
  private(set) var response: ProbeResponse

  init(_ stream: ByteStream) {
    self.stream = stream
    response = stream.response
  }

  private var elapsed: Duration { stream.start.duration(to: .now) }

  /// Does what a conversation says until it is over.
  ///
  /// - Returns: Whether the peer has finished sending.
  func converse(_ begun: Conversation) async throws(ProbeFailure) -> Bool {
    var conversation = begun
    while true {
      let outcome: StreamOutcome
      switch try conversation.next(at: elapsed) {
      case .finished:
        response = conversation.response
        return conversation.hasEnded
      case .send(let bytes, let until):
        outcome = await stream.send(bytes, deadline: stream.start + until)
        if case .timedOut = outcome { throw conversation.sendTimeout }
      case .receive(let limit, let until):
        outcome = await stream.receive(upTo: limit, deadline: stream.start + until)
      }
      switch outcome {
      case .sent: conversation.didSend(at: elapsed)
      case .received(let bytes): conversation.receive(bytes, at: elapsed)
      case .timedOut: conversation.timePassed()
      case .failed(let number): throw conversation.failure(number)
      case .tlsFailed(let error): throw conversation.failure(error)
      case .cancelled: throw conversation.cancelled
      }
    }
  }

  /// Receives until a banner is what is expected, or cannot become it any more.
  func receive(_ begun: Banner, timeout: Duration) async throws(ProbeFailure) -> ProbeResponse {
    var banner = begun
    while banner.wantsMore {
      let outcome = await stream.receive(upTo: banner.room, deadline: stream.start + timeout)
      switch outcome {
      case .received(let bytes): banner.receive(bytes, at: elapsed)
      case .timedOut: try banner.timeOut(at: elapsed)
      case .failed(let number): throw banner.failure(number)
      case .tlsFailed(let error): throw banner.failure(error)
      case .cancelled: throw ProbeFailure(.cancelled, "the probe was cancelled", partial: banner.response)
      case .sent: break
      }
    }
    return banner.response
  }
}
