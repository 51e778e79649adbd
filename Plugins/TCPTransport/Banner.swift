internal import ByteStreams
internal import ProbeOpenSSL
internal import ProbeCore
internal import ProbeSockets

/// What is received on a connection until it is what is expected, or cannot become it any more; no I/O.
struct Banner {
  private(set) var response: ProbeResponse
  private(set) var wantsMore = true
  private let expectation: any ResponseValidator
  private let limit: Int
  private var nextLook = 1

  init(_ expectation: any ResponseValidator, limit: Int, response: ProbeResponse) {
    self.expectation = expectation
    self.limit = limit
    self.response = response
  }

  /// How many bytes may still be received; one more than are kept, to know whether there were more.
  var room: Int { min(limit - response.body.count, 1 << 30) + 1 }

  /// Judges what a dialog has received before.
  mutating func lookAtStart(hasEnded: Bool) {
    let isMet = !response.body.isEmpty && expectation.validate(response).isAccepted
    wantsMore = !(hasEnded || response.bodyIsCut || isMet)
  }

  /// Takes bytes; none means that the peer has finished sending.
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
      wantsMore = !expectation.validate(response).isAccepted
      // A peer that sends byte by byte must not have the whole looked at for every one of them.
      nextLook = response.body.count + max(1, response.body.count / 64)
    }
  }

  /// The deadline passed: what has come so far is the answer; without any there is none.
  mutating func timeOut(at elapsed: Duration) throws(ProbeFailure) {
    response.timings.total = elapsed
    wantsMore = false
    guard response.body.isEmpty else { return }
    throw ProbeFailure(.responseTimeout, "connected, but nothing was received in time", partial: response)
  }

  /// The failure that an error of the operating system is.
  func failure(_ number: Int32) -> ProbeFailure {
    let (reason, detail) = ConnectionFailure.receiving(SystemError(number))
    return ProbeFailure(reason, detail, partial: response)
  }

  /// The failure that TLS broke with.
  func failure(_ error: TLSError) -> ProbeFailure {
    ProbeFailure(.tlsHandshake, error.message, partial: response)
  }
}
