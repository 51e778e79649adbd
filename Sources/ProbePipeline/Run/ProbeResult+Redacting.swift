import PortalAnalysis
import ProbeCore

extension ProbeResult {
  /// The result of an answer, fit to be shown: without the secrets of its request, wherever a server echoed them.
  ///
  /// The true answer was judged; only the words are those for the redacted one, because an excerpt of the true one may
  /// hold a part of a secret.
  func redacted(by redactor: Redactor, _ probe: PlannedProbe, asked url: ProbeURL, _ rule: OutcomeRule)
    -> ProbeResult
  {
    guard let answer = response else { return self }
    let shown = redactor.response(answer)
    guard shown != answer else { return self }
    var result = self
    result.response = shown
    let again = rule.result(of: probe, asked: url, answer: shown)
    result.analysis = again.analysis
    if let portal { result.analysis?.portal?.loginURL = redactor.url(portal.loginURL) }
    result.captures =
      again.outcome == .accepted ? again.captures : captures.mapValues { _ in Secret.placeholder }
    if outcome != .accepted {
      result.detail =
        again.outcome == outcome
        ? again.detail.map(redactor.text)
        : "the answer was rejected, and cannot be quoted because it holds a secret of the request"
    }
    return result
  }
}
