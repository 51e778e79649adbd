internal import ByteStreams
internal import ProbeTLS
internal import ProbeCore
internal import ProbeSystem

/// The failures of a dialog; each names the step, the expected data and the data found.
extension Conversation {
  private func failure(_ reason: ReasonCode, _ step: String, _ detail: String) -> ProbeFailure {
    ProbeFailure(reason, "\(step): \(detail)", partial: response)
  }

  /// The name of the current step.
  private var step: String { script.name(of: index) }

  func rejected(_ reject: (step: Int, sought: SoughtBytes), _ found: ArraySlice<UInt8>) -> ProbeFailure {
    failure(.dialogRejected, script.name(of: reject.step), "the peer sent \(Excerpt(found))")
  }

  func unmet(
    _ sought: SoughtBytes, _ window: ArraySlice<UInt8>, _ end: End, allowed: Duration?
  ) -> ProbeFailure {
    let found = DialogScript.found(window, isFirst: response.body.isEmpty)
    switch end {
    case .full: return failure(.bodyMismatch, step, "not in the first \(window.count) bytes; \(found)")
    case .ended:
      return isCutShort
        ? failure(.bodyShort, step, "\(Banner.cutShort); \(found)")
        : failure(.bodyMismatch, step, "the peer closed the connection first; \(found)")
    case .time:
      let words = DialogScript.notReceived(within: allowed, of: limits.timeout)
      return failure(.responseTimeout, step, "\(words); \(found)")
    }
  }

  func needsTooMuchWork(_ rank: Int, _ window: ArraySlice<UInt8>) -> ProbeFailure {
    let work = "the pattern exceeds its limits on these \(window.count) bytes"
    guard rank < rejects.count else { return failure(.matchLimit, step, work) }
    let reject = rejects[rank]
    return failure(.matchLimit, script.name(of: reject.step), work)
  }

  var insertsTooMuch: ProbeFailure {
    failure(.bodyMismatch, step, DialogScript.insertsTooMuch)
  }

  /// The failure if the peer did not accept the data of a send step before the timeout.
  var sendTimeout: ProbeFailure {
    let time = ValueSyntax.text(of: limits.timeout)
    return failure(
      .responseTimeout, step, "the peer did not accept all bytes within the probe's \(time)")
  }

  /// The failure for an error of the operating system.
  func failure(_ number: Int32) -> ProbeFailure {
    var (reason, detail) = ConnectionFailure.receiving(SystemError(number))
    if case .send = script.actions[index], reason == .connectReset {
      detail = "the peer closed the connection before it received all bytes"
    }
    return failure(reason, step, detail)
  }

  /// The failure for a TLS error.
  func failure(_ error: TLSError) -> ProbeFailure { failure(.tlsHandshake, step, error.message) }

  /// The failure if the peer sent data that no step consumed before a TLS handshake.
  ///
  /// Anyone on the path can inject such data, to have it mistaken for the server's (CVE-2011-0411,
  /// CVE-2021-23222).
  func injected(_ found: ArraySlice<UInt8>) -> ProbeFailure {
    failure(.tlsInjected, step, "unencrypted data that no step expects arrived before TLS: \(Excerpt(found))")
  }

  /// The failure for a failed TLS handshake, with everything learned from it.
  func failure(startingTLS failure: ProbeFailure) -> ProbeFailure {
    var conversation = self
    conversation.response.tls = failure.partial?.tls
    conversation.response.timings.total = failure.partial?.timings.total
    return conversation.failure(failure.reason, step, failure.detail)
  }

  var cancelled: ProbeFailure { ProbeFailure(.cancelled, "the probe was cancelled", partial: response) }
}
