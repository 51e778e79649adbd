internal import ProbeSystem
package import ProbeCore

/// Turns what a probe received into its result, without secrets.
package struct ProbeJudging: Sendable {
  package let rule: OutcomeRule
  let redactors: Redactors

  package init(rule: OutcomeRule, redactors: Redactors) {
    self.rule = rule
    self.redactors = redactors
  }

  /// Whether judging a response takes so long that it must run on another thread than that of the connections.
  package func needsOtherThread(
    _ response: Result<ProbeResponse, ProbeFailure>, to request: ProbeRequest
  ) -> Bool {
    response.received.map { $0.body.count > Self.maximumBodyOnLoop } ?? false
      || isLong(response, for: request)
      || redactors.takeLong(for: request, response.received, and: secrets(of: request, in: nil))
  }

  /// The maximum time of judging on another thread, after which searches end: the timeout of the request, once more.
  package static func timeLimit(of probe: PlannedProbe) -> Duration {
    (try? probe.request.get().timeout) ?? .seconds(5)
  }

  /// The size of a body that is judged on the thread of its connection: a pattern searches it in 10 ms.
  private static let maximumBodyOnLoop = 16 * 1024

  /// The result of a probe without secrets; the original response is judged.
  ///
  /// - Parameters:
  ///   - probe: The probe, with the request that was sent.
  ///   - response: The response, or the failure.
  ///   - sequence: The steps that the probe is one of; nil for none.
  /// - Returns: The result.
  package func result(
    of probe: PlannedProbe, _ response: Result<ProbeResponse, ProbeFailure>, in sequence: StepSequence? = nil
  ) -> ProbeResult {
    var result = rule.result(of: probe, response)
    sequence?.keep(result, of: probe)
    sequence?.hide(in: &result, of: probe)
    guard let request = try? probe.request.get(),
      let redactor = redactors.redactor(for: request, and: secrets(of: request, in: sequence))
    else { return result }
    return result.redacted(by: redactor, requested: request.publicURL, isPart: isLong(response, for: request))
    {
      var judged = rule.result(of: probe, response.map(redactor.redacted).mapError(redactor.redacted))
      sequence?.hide(in: &judged, of: probe)
      return judged
    }
  }

  /// The secrets that only became known during the run.
  ///
  /// In a run about the network, the cookies of redirects are the network's own: a login URL often has the same value.
  func secrets(of request: ProbeRequest, in sequence: StepSequence?) -> [Secret] {
    (sequence?.secrets ?? []) + (rule.question == .services ? request.sentCookies : [])
  }

  /// Whether a body is longer than the limit of its request.
  private func isLong(_ response: Result<ProbeResponse, ProbeFailure>, for request: ProbeRequest) -> Bool {
    response.received.map { $0.body.count > request.maxBody } ?? false
  }
}

extension Result<ProbeResponse, ProbeFailure> {
  /// The response, complete or partial.
  fileprivate var received: ProbeResponse? {
    switch self {
    case .success(let response): response
    case .failure(let failure): failure.partial
    }
  }
}

extension ProbeRequest {
  /// The URL, unless it contains one of ``otherSecrets``.
  fileprivate var publicURL: ProbeURL? {
    otherSecrets.isEmpty || Redactor(otherSecrets).redacted(url) == url ? url : nil
  }
}

extension ProbeJudging {
  /// Has programs judge a response, as far as the judge of its probe needs them.
  ///
  /// The judge decides with the judgements that are known; as long as it needs another one, the program receives the
  /// response, and the judge decides again.
  ///
  /// - Parameters:
  ///   - received: The response, or the failure.
  ///   - probe: The probe, with the request that was sent.
  ///   - sequence: The steps that the probe is one of; nil for none.
  /// - Returns: The response, or the failure, with the judgements.
  func addingProgramJudgements(
    to received: Result<ProbeResponse, ProbeFailure>, of probe: PlannedProbe, in sequence: StepSequence?
  ) async -> Result<ProbeResponse, ProbeFailure> {
    guard let request = try? probe.request.get() else { return received }
    let judgements = ProgramJudgements()
    let received = received.changingResponse { $0.judgements = judgements }
    let exchange = ProbeExchange(requested: request.url, received.cut(to: request.maxBody))
    guard let response = exchange.partial else { return received }
    let redactor = redactors.redactor(for: request, and: secrets(of: request, in: sequence))
    // Made at the first use: often the status decides.
    lazy var redacted = redactor?.redacted(response) ?? response
    while true {
      if needsOtherThread(received, to: request) {
        _ = await ComputingThreads.run(within: Self.timeLimit(of: probe)) { [rule] in
          rule.judge(probe, exchange)
        }
      } else {
        rule.judge(probe, exchange)
      }
      guard let validator = judgements.takeMissing() else { return received }
      judgements.add(await validator.judgement(of: redacted, to: request), of: validator)
      if Task.isCancelled {
        return .failure(
          ProbeFailure(.cancelled, "cancelled while a program judged the response", partial: response))
      }
    }
  }
}

extension OutcomeRule {
  /// Runs the judge of a probe, and discards its decision.
  fileprivate func judge(_ probe: PlannedProbe, _ exchange: ProbeExchange) {
    switch probe.judge {
    case .validator(let validator):
      if case .success(let response) = exchange.ending { _ = validator.validate(response) }
    case .rules(let rules):
      _ = rules.first { $0.condition.finding(in: exchange, encryption: encryption).truth == .yes }
    }
  }
}

extension Result<ProbeResponse, ProbeFailure> {
  /// The same with its response changed, complete or partial.
  fileprivate func changingResponse(_ change: (inout ProbeResponse) -> Void) -> Self {
    switch self {
    case .success(var response):
      change(&response)
      return .success(response)
    case .failure(var failure):
      if var partial = failure.partial {
        change(&partial)
        failure.partial = partial
      }
      return .failure(failure)
    }
  }

  /// The same with its body cut.
  fileprivate func cut(to limit: Int) -> Self {
    changingResponse { $0 = $0.cut(to: limit) }
  }
}
