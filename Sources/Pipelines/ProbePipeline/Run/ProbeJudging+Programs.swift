import ProbeCore
import ProbeSystem

extension ProbeJudging {
  /// Has programs judge a response, as far as the judge of its probe needs them.
  ///
  /// The judge decides with the judgements that are known; as long as it needs another one, the program receives the
  /// response, and the judge decides again.
  ///
  /// - Parameters:
  ///   - probe: The probe, with the request that was sent.
  ///   - received: The response, or the failure.
  ///   - sequence: The steps that the probe is one of; nil for none.
  /// - Returns: The response, or the failure, with the judgements.
  func judgedByPrograms(
    _ probe: PlannedProbe, _ received: Result<ProbeResponse, ProbeFailure>, in sequence: StepSequence?
  ) async -> Result<ProbeResponse, ProbeFailure> {
    guard let request = try? probe.request.get() else { return received }
    let judgements = ProgramJudgements()
    let received = received.changingResponse { $0.judgements = judgements }
    let exchange = ProbeExchange(asked: request.url, received.cut(to: request.maxBody))
    guard let response = exchange.partial else { return received }
    let redactor = redactors.redactor(for: request, and: secrets(of: request, in: sequence))
    // Made at the first use: often the status decides.
    lazy var redacted = redactor?.response(response) ?? response
    while true {
      if takesLong(received, to: request) {
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
