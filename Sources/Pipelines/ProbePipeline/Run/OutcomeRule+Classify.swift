import PortalAnalysis
import ProbeCore

/// Determines an outcome by a set's own rules.
extension OutcomeRule {
  /// The outcome from the first rule that applies; if none applies, the probe failed.
  func classified(
    _ probe: PlannedProbe, by rules: [ClassifyRule], _ exchange: ProbeExchange, analysed whole: ProbeResponse?
  ) -> ProbeResult {
    // The reason of a validator that rejected is more specific than that no rule applied.
    var missed: Validation.Rejection?
    for (index, rule) in rules.enumerated() {
      let finding = rule.condition.finding(in: exchange, encryption: encryption)
      guard finding.truth == .yes else {
        if rule.outcome == .accepted { missed = missed ?? finding.rejection }
        continue
      }
      var result = result(
        of: probe, exchange, rule.outcome, because: "rule \(index + 1) of classify", finding.rejection, whole)
      if rule.outcome != .accepted, let reason = rule.reason { result.reason = reason }
      result.captures.merge(finding.captures) { $1 }
      return result
    }
    return result(of: probe, exchange, .failed, because: "no rule of classify applies", missed, whole)
  }

  private func result(
    of probe: PlannedProbe, _ exchange: ProbeExchange, _ outcome: Outcome, because cause: String,
    _ rejection: Validation.Rejection?, _ whole: ProbeResponse?
  ) -> ProbeResult {
    var result: ProbeResult
    switch exchange.ending {
    case .failure(let failure):
      result = ProbeResult(of: probe, outcome, failure)
    case .success(let complete):
      result = ProbeResult(url: probe.url, outcome: outcome, response: complete, captures: complete.captures)
      if outcome != .accepted {
        result.reason = rejection?.reason ?? .rejected
        let why = rejection.map { Self.words($0, of: complete) } ?? "found \(complete.inBrief)"
        result.detail = "\(cause): \(why)"
      }
    }
    if outcome != .accepted, let whole { result.analysis = analysis(of: whole, asked: exchange.url) }
    return result
  }
}

extension ProbeResponse {
  /// A short description of the response, safe to print.
  fileprivate var inBrief: String {
    guard let head else { return body.isEmpty ? "a connection, and nothing received" : "\(Excerpt(body))" }
    guard let hop = redirects.last, !head.isRedirect else { return head.statusForDisplay }
    return "\(head.statusForDisplay) after a redirect to \(Excerpt(hop.location ?? "", limit: 200))"
  }
}
