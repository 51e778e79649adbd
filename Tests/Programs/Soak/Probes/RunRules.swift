import ProbeCore
import ProbePipeline

/// The possible results of a run's probes, depending on the run's fate.
struct RunRules: Sendable {
  /// Whether the run is cancelled at some moment.
  var isCancelled = false
  /// Whether the run has a deadline.
  var hasDeadline = false
  /// Whether probes may turn out not to be needed.
  var mayBeDecided = false
  /// Whether the servers stop during the run.
  var isDisturbed = false

  /// The results of a probe whose server stops, at any stage.
  static let gone: Set<ReasonCode?> = [
    .connectRefused, .connectReset, .tlsHandshake, .httpNoResponse, .httpProtocol, .httpHeadCut, .bodyShort,
    .bodyMismatch,
    // No port is assigned to the destination any more.
    .transportFailure,
  ]

  /// The problem with a result, or nil.
  func objection(to result: ProbeResult, _ question: Question) -> String? {
    let reason = result.reason
    let isRight =
      switch result.outcome {
      case .accepted: reason == nil && mayEnd(nil, question)
      case .failed: reason.map { mayEnd($0, question) || hasDeadline && $0 == .totalTimeout } ?? false
      // Only an unencrypted response can be from a third party.
      case .intercepted:
        question.request.url.scheme == .http && (reason == .httpStatus || reason == .bodyMismatch)
          && mayEnd(reason, question)
      case .skipped:
        switch reason {
        case nil: mayBeDecided
        case .cancelled: isCancelled
        case .totalTimeout: hasDeadline
        default: false
        }
      }
    guard !isRight else { return nil }
    return "\(result.url) is \(result.outcome) (\(reason?.rawValue ?? "no reason"): \(result.detail ?? "")), "
      + "timeout \(question.request.timeout), \(self)"
  }

  private func mayEnd(_ reason: ReasonCode?, _ question: Question) -> Bool {
    question.endings.contains(reason) || isDisturbed && Self.gone.contains(reason)
  }
}
