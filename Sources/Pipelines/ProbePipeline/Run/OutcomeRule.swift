internal import PortalAnalysis
package import ProbeCore

/// Determines the outcome of a probe from its response or failure, its validator, and its redirects.
///
/// An unexpected response without encryption is from a third party, because the genuine server gives the
/// expected one. Over a verified connection, only the server can respond, so there the same response is the
/// server's own fault. A redirect within the host alone proves nothing, because sites redirect to HTTPS that
/// way.
///
/// What an address of this machine itself does, to which a name resolves, is no evidence about the network: it is a
/// failure, whatever the response contains, and also without one.
///
/// In a run about services, a response that is not accepted is a failure, whatever sent it.
package struct OutcomeRule: Sendable {
  package let question: Question
  /// The encryption of each scheme, or nil for an unknown one.
  let encryption: @Sendable (URLScheme) -> Encryption?

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - question: The question of the run.
  ///   - encryption: The encryption of each scheme, or nil for an unknown one.
  package init(question: Question = .internet, encryption: @escaping @Sendable (URLScheme) -> Encryption?) {
    self.question = question
    self.encryption = encryption
  }

  /// The result of a probe, with a response or without one.
  ///
  /// Validators see a body up to the limit of its request; the analysis sees all that was received.
  func result(of probe: PlannedProbe, _ ending: Result<ProbeResponse, ProbeFailure>) -> ProbeResult {
    do throws(ProbeFailure) {
      let request = try probe.request.get()
      let response = try ending.get()
      return result(
        of: probe, requested: request.url, response: response.cut(to: request.maxBody), analysed: response)
    } catch {
      return result(of: probe, failure: error)
    }
  }

  /// The result of a probe with a response.
  ///
  /// - Parameters:
  ///   - probe: The probe.
  ///   - url: The URL of its request.
  ///   - response: The response to judge.
  ///   - whole: The response with more of its body, to analyse; nil for the same.
  /// - Returns: The result.
  func result(
    of probe: PlannedProbe, requested url: ProbeURL, response: ProbeResponse,
    analysed whole: ProbeResponse? = nil
  ) -> ProbeResult {
    switch probe.judge {
    case .rules(let rules):
      classified(
        probe, by: rules, ProbeExchange(requested: url, .success(response)), analysed: whole ?? response)
    case .validator(let validator):
      validated(probe, by: validator, requested: url, response, analysed: whole ?? response)
    }
  }

  private func validated(
    _ probe: PlannedProbe, by validator: any ResponseValidator, requested url: ProbeURL,
    _ response: ProbeResponse,
    analysed whole: ProbeResponse
  ) -> ProbeResult {
    if question == .internet, response.isFromThisMachine {
      return ProbeResult(of: probe, atThisMachine: response)
    }
    let validation = validator.validate(response)
    guard let rejection = validation.rejection else {
      return ProbeResult(
        url: probe.url, outcome: .accepted, response: response,
        // If both have the same name, the validator's capture takes precedence, because it judged the whole
        // response.
        captures: response.captures.merging(validation.captures) { $1 })
    }
    var result = ProbeResult(
      url: probe.url, outcome: .failed, reason: rejection.reason,
      detail: Self.words(rejection, of: response), response: response, captures: response.captures,
      analysis: analysis(of: whole, requested: url))
    guard question == .internet else { return result }
    if rejection.isUndecided, let analysis = result.analysis {
      // The validator saw only the beginning; the analysis shows who sent it.
      if isIntercepted(response, requested: url, probe, analysis) { result.outcome = .intercepted }
    } else if isIntercepted(
      rejection, response, requested: url, knowsTrueResponse: probe.knowsTrueResponse,
      isStated: result.analysis?.isStated == true)
    {
      result.outcome = .intercepted
    }
    return result
  }

  /// The analysis of a response, complete or partial; nil if it can only be from the server.
  func analysis(of response: ProbeResponse, requested url: ProbeURL) -> ResponseAnalysis? {
    guard isAnalysed(response) else { return nil }
    return ResponseAnalysis(of: response, asked: url, encryption: encryption)
  }

  /// Whether a response can be from someone other than its server.
  private func isAnalysed(_ response: ProbeResponse) -> Bool {
    guard response.status != nil || !response.redirects.isEmpty else { return false }
    let isOpen =
      encryption(response.url.scheme) == .plaintext
      || response.redirects.contains { encryption($0.url.scheme) == .plaintext }
    return isOpen || response.status == 511
  }

  /// Whether a response to a probe is not accepted, and the analysis decides what it is.
  func isUnexpected(_ response: ProbeResponse, to probe: PlannedProbe) -> Bool {
    guard question == .internet, isAnalysed(response) else { return false }
    switch probe.judge {
    case .validator(let validator): return validator.validate(response).rejection != nil
    case .rules(let rules):
      guard let url = try? probe.request.get().url else { return false }
      let exchange = ProbeExchange(requested: url, .success(response))
      let rule = rules.first { $0.condition.finding(in: exchange, encryption: encryption).truth == .yes }
      return rule?.outcome != .accepted
    }
  }

  /// The rejection of a response in words, with the number of the attempt if there was more than one.
  static func words(_ rejection: Validation.Rejection, of response: ProbeResponse) -> String {
    rejection.description + (response.attempts > 1 ? ", in attempt \(response.attempts)" : "")
  }

  /// The result of a probe without a complete response; its validator's findings are added to the reason.
  ///
  /// A portal's responses are often malformed, so even a partial response may show a portal.
  ///
  /// Rules may determine any outcome, even acceptance, because no response may be the expected result.
  func result(of probe: PlannedProbe, failure whole: ProbeFailure) -> ProbeResult {
    var failure = whole
    if let request = try? probe.request.get() { failure.partial = whole.partial?.cut(to: request.maxBody) }
    if case .rules(let rules) = probe.judge, let request = try? probe.request.get() {
      return classified(
        probe, by: rules, ProbeExchange(requested: request.url, .failure(failure)), analysed: whole.partial)
    }
    // That a rule refuses the address is the statement of the rule.
    if question == .internet, let partial = failure.partial, partial.isFromThisMachine,
      failure.reason != .addressRefused
    {
      return ProbeResult(of: probe, atThisMachine: partial, failedBy: failure.detail)
    }
    let whole = question == .internet ? whole.asHTTP09 : whole
    failure.partial?.head = whole.partial?.head
    var result = ProbeResult(of: probe, .failed, failure)
    if case .validator(let validator) = probe.judge {
      result.detail? += validator.findings(in: failure).map { "; also \($0)" }.joined()
    }
    guard question == .services || whole.partial?.isFromThisMachine != true else { return result }
    guard let partial = whole.partial, let url = try? probe.request.get().url else { return result }
    result.analysis = analysis(of: partial, requested: url)
    if question == .internet, let analysis = result.analysis,
      isIntercepted(partial, requested: url, probe, analysis)
    {
      result.outcome = .intercepted
    }
    return result
  }

  /// Whether a partial response is from a third party; it must not be the beginning of the genuine one.
  private func isIntercepted(
    _ partial: ProbeResponse, requested url: ProbeURL, _ probe: PlannedProbe, _ analysis: ResponseAnalysis
  ) -> Bool {
    if analysis.isStated || partial.plainRedirectOffHost(from: url, encryption: encryption) != nil {
      return true
    }
    guard probe.knowsTrueResponse, encryption(partial.url.scheme) == .plaintext,
      let status = partial.status, (200..<400).contains(status), !redirectsToHTTPS(partial)
    else { return false }
    // The genuine server has a status line.
    if partial.deviations.contains(.http09) { return true }
    return ![.failure, .unclear].contains(analysis.kind.role)
  }

  /// Whether the response redirects to HTTPS on the same host, where only the server can respond.
  private func redirectsToHTTPS(_ response: ProbeResponse) -> Bool {
    guard let target = response.redirects.last?.target else { return false }
    return encryption(target.scheme) == .encrypted && !response.url.isOffHost(target)
  }

  private func isIntercepted(
    _ rejection: Validation.Rejection, _ response: ProbeResponse, requested url: ProbeURL,
    knowsTrueResponse: Bool,
    isStated: Bool
  ) -> Bool {
    // These do not mean that the response is wrong, only that it could not be judged completely.
    guard let status = response.status, !rejection.isUndecided else { return false }
    // Only a device on the path requires a login (RFC 6585 §6), even over a trusted connection.
    if isStated { return true }
    if response.plainRedirectOffHost(from: url, encryption: encryption) != nil { return true }
    // A judgement of the connection, its certificates and timings, does not show who responded.
    if rejection.reason.traits.contains(.aboutConnection) { return false }
    guard knowsTrueResponse, encryption(response.url.scheme) == .plaintext else { return false }
    return (200..<400).contains(status) && !redirectsToHTTPS(response)
  }
}

extension ProbeFailure {
  /// The failure, in which a text without a status line is a response of HTTP/0.9: content with status 200.
  ///
  /// No server that is probed for its response uses HTTP/0.9, but some portals do, and browsers show their
  /// page.
  fileprivate var asHTTP09: ProbeFailure {
    guard let partial, partial.head == nil, partial.deviations.contains(.http09) else { return self }
    var failure = self
    failure.partial?.head = HTTPResponseHead(version: "0.9", status: 200)
    return failure
  }
}

extension ProbeResult {
  /// The result of a probe that this machine itself received.
  ///
  /// - Parameters:
  ///   - probe: The probe.
  ///   - response: The response, complete or partial.
  ///   - failure: Why there is no complete response; nil if there is one.
  init(of probe: PlannedProbe, atThisMachine response: ProbeResponse, failedBy failure: String? = nil) {
    let host = (try? probe.request.get().url.host) ?? probe.url
    let address = response.remoteAddress.map { "\($0.address)" } ?? "an address of this machine"
    self.init(
      url: probe.url, outcome: .failed, reason: .ownAddress,
      detail: "\(host.escapedForDisplay) resolves to \(address), an address of this machine itself: "
        + (failure ?? "it responded"),
      response: response,
      captures: response.captures)
  }

  /// The result of a probe without a complete response; it keeps what was learned.
  init(of probe: PlannedProbe, _ outcome: Outcome, _ failure: ProbeFailure) {
    let isAccepted = outcome == .accepted
    self.init(
      url: probe.url, outcome: outcome, reason: isAccepted ? nil : failure.reason,
      detail: isAccepted ? nil : failure.detail, response: failure.partial,
      captures: failure.partial?.captures ?? [:])
  }
}

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
    if outcome != .accepted, let whole { result.analysis = analysis(of: whole, requested: exchange.url) }
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
