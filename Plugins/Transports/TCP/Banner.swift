internal import ByteStreams
internal import ProbeTLS
internal import ProbeCore
internal import ProbeSystem

/// Receives data until it is as expected or can no longer become so; no I/O.
struct Banner {
  private(set) var response: ProbeResponse
  private(set) var wantsMore = true
  private let expectation: any ResponseValidator
  private let limit: Int
  private var nextLook = 1

  /// The number of bytes up to which the data is judged while it arrives.
  private static let maximumBytesJudgedEarly = 1 << 18

  /// The description of an unannounced end of TLS (RFC 8446 §6.1).
  static let cutShort = "the connection ended without TLS close_notify"

  init(_ expectation: any ResponseValidator, limit: Int, response: ProbeResponse) {
    self.expectation = expectation
    self.limit = limit
    self.response = response
  }

  /// The maximum number of bytes to receive: one more than is kept, to detect excess data.
  var room: Int { min(limit - response.body.count, 1 << 30) + 1 }

  /// Judges the data that a dialog has already received.
  mutating func lookAtStart(hasEnded: Bool) {
    let isMet = !response.body.isEmpty && expectation.validate(response).isAccepted
    wantsMore = !(hasEnded || response.bodyIsCut || isMet)
  }

  /// Adds received bytes; an empty array means that the peer has finished sending.
  mutating func receive(_ bytes: [UInt8], at elapsed: Duration) {
    if response.timings.firstByte == nil, !bytes.isEmpty {
      response.timings.firstByte = elapsed - (response.timings.total ?? .zero)
    }
    response.timings.total = elapsed
    let kept = bytes.prefix(limit - response.body.count)
    response.body += kept
    response.bodyIsCut = kept.count < bytes.count
    if bytes.isEmpty || response.bodyIsCut {
      wantsMore = false
    } else if response.body.count >= nextLook {
      let validation = expectation.validate(response)
      wantsMore = !validation.isAccepted
      // If a peer sends byte by byte, don't examine the whole data for each byte. What takes long is judged only
      // at the end, and then not on this thread.
      nextLook =
        validation.rejection?.reason == .matchLimit || response.body.count > Self.maximumBytesJudgedEarly
        ? .max : response.body.count + max(1, response.body.count / 64)
    }
  }

  /// Handles the timeout: the data so far is the response; without data, there is none.
  mutating func timeOut(at elapsed: Duration) throws(ProbeFailure) {
    response.timings.total = elapsed
    wantsMore = false
    guard response.body.isEmpty else { return }
    throw ProbeFailure(.responseTimeout, "connected, but nothing was received in time", partial: response)
  }

  /// The failure for an error of the operating system.
  func failure(_ number: Int32) -> ProbeFailure {
    let (reason, detail) = ConnectionFailure.receiving(SystemError(number))
    return ProbeFailure(reason, detail, partial: response)
  }

  /// The failure for an unannounced end of TLS: anyone on the path may have cut the connection.
  var cutShort: ProbeFailure { ProbeFailure(.bodyShort, Self.cutShort, partial: response) }

  func failure(_ error: TLSError) -> ProbeFailure {
    ProbeFailure(.tlsHandshake, error.message, partial: response)
  }
}
