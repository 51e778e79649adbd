import ProbeCore
import ProbePipeline

/// How probes of a run may end, by what becomes of the run.
struct RunRules: Sendable {
  /// Whether the run is cancelled at some moment.
  var isCancelled = false
  /// Whether the run has a deadline.
  var hasDeadline = false
  /// Whether probes may turn out not to be needed.
  var mayBeDecided = false
  /// Whether the servers go while the run is under way.
  var isDisturbed = false

  /// What a probe comes to when its server goes, at whatever stage.
  static let gone: Set<ReasonCode?> = [
    .connectRefused, .connectReset, .tlsHandshake, .httpNoResponse, .httpProtocol, .bodyShort, .bodyMismatch,
    // No port stands in for a destination any more.
    .transportFailure,
  ]

  /// What is wrong with a result, or nil when nothing is.
  func objection(to result: ProbeResult, _ question: Question) -> String? {
    let reason = result.reason
    let isRight =
      switch result.outcome {
      case .accepted: reason == nil && mayEnd(nil, question)
      case .failed: reason.map { mayEnd($0, question) || hasDeadline && $0 == .totalTimeout } ?? false
      // Only where nothing is encrypted can somebody else have answered.
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
