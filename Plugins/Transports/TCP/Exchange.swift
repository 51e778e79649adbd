internal import ByteStreams
internal import ProbeCore

/// An established connection, and the response so far.
final class Exchange {
  private let stream: ByteStream
  /// The response so far.
  private(set) var response: ProbeResponse

  init(_ stream: ByteStream) {
    self.stream = stream
    response = stream.response
  }

  private var elapsed: Duration { stream.start.duration(to: .now) }

  /// Performs the actions of a conversation until it is finished.
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
        conversation.isCutShort = stream.isCutShort
      case .startTLS:
        try await startTLS(&conversation)
        continue
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

  private func startTLS(_ conversation: inout Conversation) async throws(ProbeFailure) {
    guard stream.unread.isEmpty else { throw conversation.injected(stream.unread[...]) }
    do {
      try await stream.startTLS()
    } catch {
      throw conversation.failure(startingTLS: error)
    }
    conversation.didStartTLS(stream.response, at: elapsed)
  }

  /// Receives data until a banner is as expected or can no longer become so.
  func receive(_ begun: Banner, timeout: Duration) async throws(ProbeFailure) -> ProbeResponse {
    var banner = begun
    while banner.wantsMore {
      let outcome = await stream.receive(upTo: banner.room, deadline: stream.start + timeout)
      switch outcome {
      case .received(let bytes):
        banner.receive(bytes, at: elapsed)
        if bytes.isEmpty, stream.isCutShort { throw banner.cutShort }
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
