import PortalAnalysis
import ProbeCore

/// Says what became of a probe: from its answer or failure, its validator's judgement, and how the answer travelled.
///
/// An unencrypted answer other than the expected one came from somebody else: the true server gives the expected
/// one. Over a verified connection nobody else can answer, so there the same answer is that server's own fault. A
/// redirect within the host proves nothing by itself: that is how sites lead to HTTPS.
struct OutcomeRule: Sendable {
  /// What is known of each scheme.
  let encryption: @Sendable (URLScheme) -> Encryption?

  /// The result of a probe, whatever came of it.
  func result(of probe: PlannedProbe, _ ending: Result<ProbeResponse, ProbeFailure>) -> ProbeResult {
    do throws(ProbeFailure) {
      return result(of: probe, asked: try probe.request.get().url, answer: try ending.get())
    } catch {
      return result(of: probe, failure: error)
    }
  }

  /// The result of a probe whose answer has come.
  func result(of probe: PlannedProbe, asked url: ProbeURL, answer: ProbeResponse) -> ProbeResult {
    switch probe.judge {
    case .rules(let rules): classified(probe, by: rules, ProbeExchange(asked: url, .success(answer)))
    case .validator(let validator): validated(probe, by: validator, asked: url, answer)
    }
  }

  private func validated(
    _ probe: PlannedProbe, by validator: any ResponseValidator, asked url: ProbeURL, _ answer: ProbeResponse
  ) -> ProbeResult {
    let validation = validator.validate(answer)
    guard let rejection = validation.rejection else {
      return ProbeResult(
        url: probe.url, outcome: .accepted, response: answer,
        // Where both have a name, the validator's is the judgement on the whole.
        captures: answer.captures.merging(validation.captures) { $1 })
    }
    var result = ProbeResult(
      url: probe.url, outcome: .failed, reason: rejection.reason,
      detail: Self.words(rejection, of: answer), response: answer, captures: answer.captures,
      analysis: analysis(of: answer, asked: url))
    if isIntercepted(
      rejection, answer, asked: url, knowsTrueAnswer: probe.knowsTrueAnswer,
      isStated: result.analysis?.isStated == true)
    {
      result.outcome = .intercepted
    }
    return result
  }

  /// What an answer tells of whoever gave it, whole or not; nil where it can only be the server's own.
  func analysis(of answer: ProbeResponse, asked url: ProbeURL) -> AnswerAnalysis? {
    guard answer.status != nil || !answer.redirects.isEmpty else { return nil }
    let isOpen =
      encryption(answer.url.scheme) == .plaintext
      || answer.redirects.contains { encryption($0.url.scheme) == .plaintext }
    guard isOpen || answer.status == 511 else { return nil }
    return AnswerAnalysis(of: answer, asked: url, encryption: encryption)
  }

  /// Why an answer was rejected, in words, with the attempt it came in when there was more than one.
  static func words(_ rejection: Validation.Rejection, of answer: ProbeResponse) -> String {
    rejection.description + (answer.attempts > 1 ? ", in attempt \(answer.attempts)" : "")
  }

  /// The result of a probe without a complete answer; what its validator finds in it is told beside the reason.
  ///
  /// Portals are careless: what came of an answer may show one, however it broke off.
  ///
  /// Rules may make anything of it, an acceptance included: that nobody answers can be what is expected.
  func result(of probe: PlannedProbe, failure: ProbeFailure) -> ProbeResult {
    if case .rules(let rules) = probe.judge, let request = try? probe.request.get() {
      return classified(probe, by: rules, ProbeExchange(asked: request.url, .failure(failure)))
    }
    var result = ProbeResult(of: probe, .failed, failure)
    if case .validator(let validator) = probe.judge {
      result.detail? += validator.findings(in: failure).map { "; also \($0)" }.joined()
    }
    guard let partial = failure.partial, let url = try? probe.request.get().url else { return result }
    result.analysis = analysis(of: partial, asked: url)
    if let analysis = result.analysis, isIntercepted(partial, asked: url, probe, analysis) {
      result.outcome = .intercepted
    }
    return result
  }

  /// Whether what came of an answer is somebody else's: the beginning of the true one must not be taken for that.
  private func isIntercepted(
    _ partial: ProbeResponse, asked url: ProbeURL, _ probe: PlannedProbe, _ analysis: AnswerAnalysis
  ) -> Bool {
    if analysis.isStated || partial.plainRedirectOffHost(from: url, encryption: encryption) != nil {
      return true
    }
    guard probe.knowsTrueAnswer, encryption(partial.url.scheme) == .plaintext,
      let status = partial.status, (200..<400).contains(status), !leadsToEncryption(partial)
    else { return false }
    return [.login, .loggedIn, .administration, .wall].contains(analysis.kind)
  }

  /// Whether the answer is a redirect to the encrypted form of what was asked, where nobody else can answer.
  private func leadsToEncryption(_ answer: ProbeResponse) -> Bool {
    guard let target = answer.redirects.last?.target else { return false }
    return encryption(target.scheme) == .encrypted && !answer.url.isOffHost(target)
  }

  private func isIntercepted(
    _ rejection: Validation.Rejection, _ answer: ProbeResponse, asked url: ProbeURL, knowsTrueAnswer: Bool,
    isStated: Bool
  ) -> Bool {
    // Neither says that the answer is a wrong one, only that it could not be judged to its end.
    guard let status = answer.status, !rejection.isUndecided else { return false }
    // Only those who stand in between say that a login is required (RFC 6585 §6), whatever they are trusted for.
    if isStated { return true }
    if answer.plainRedirectOffHost(from: url, encryption: encryption) != nil { return true }
    // A verdict on the connection, its certificates and times, says nothing of who answered.
    if rejection.reason.traits.contains(.aboutConnection) { return false }
    guard knowsTrueAnswer, encryption(answer.url.scheme) == .plaintext else { return false }
    return (200..<400).contains(status) && !leadsToEncryption(answer)
  }
}

extension ProbeResult {
  /// The result of a probe without a complete answer: what it had learnt is kept.
  init(of probe: PlannedProbe, _ outcome: Outcome, _ failure: ProbeFailure) {
    let isAccepted = outcome == .accepted
    self.init(
      url: probe.url, outcome: outcome, reason: isAccepted ? nil : failure.reason,
      detail: isAccepted ? nil : failure.detail, response: failure.partial,
      captures: failure.partial?.captures ?? [:])
  }
}
