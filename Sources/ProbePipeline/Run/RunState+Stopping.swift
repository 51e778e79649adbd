import ProbeCore

/// Ending probes before their end.
extension RunState {
  /// What ended a run before its end.
  enum Stop {
    case deadline
    case cancellation
    case certainty
  }

  /// Ends the run: what has not started never will, and what runs is cancelled.
  mutating func end(by cause: Stop) -> [Action] {
    if stop == .certainty { return gracePassed() }
    guard stop == nil, capportPhase != .done || phases.contains(where: { $0 != .done }) else { return [] }
    var actions: [Action] = []
    halt(by: cause, &actions)
    proceed(&actions)
    return actions
  }

  /// What runs although the verdict is certain has had its time.
  mutating func gracePassed() -> [Action] {
    guard stop == .certainty else { return [] }
    var actions: [Action] = []
    cancelRunning(&actions)
    return actions
  }

  /// Ends the run without saying whether anything is left.
  mutating func halt(by cause: Stop, _ actions: inout [Action]) {
    stop = cause
    // Whatever ends the run: what could not have changed the verdict is not missing.
    if progress.isCertain { progress.leaveOutFallbacks() }
    for index in phases.indices where phases[index] == .waiting {
      end(index, neverStarted(index, because: cause))
    }
    if capportPhase == .waiting { capportPhase = .done }
    if cause != .certainty {
      cancelRunning(&actions)
    } else if capportPhase == .running || phases.contains(.running) {
      actions.append(.beginGrace)
    }
  }

  private mutating func cancelRunning(_ actions: inout [Action]) {
    for index in phases.indices where phases[index] == .running {
      phases[index] = .cancelling
      actions.append(.cancel(index))
    }
    guard capportPhase == .running else { return }
    capportPhase = .cancelling
    actions.append(.cancelCapport)
  }

  /// Skips the probes of a fallback that is not needed.
  mutating func skip(set: Int) {
    for index in ranges[set] where phases[index] == .waiting {
      let result = ProbeResult(
        url: results[index].url, outcome: .skipped, detail: "not needed: the sets before it decided",
        family: results[index].family)
      end(index, result)
    }
  }

  private func neverStarted(_ index: Int, because cause: Stop) -> ProbeResult {
    ProbeResult(
      url: results[index].url, outcome: .skipped, reason: reason(of: cause),
      detail: cause == .certainty ? text(of: cause) : "\(text(of: cause)) before this probe was started",
      family: results[index].family)
  }

  /// The result of a probe that ran when the run ended: what it had learnt is kept, an answer that came too late
  /// does not count.
  ///
  /// What came before the deadline and led elsewhere shows somebody in between, whatever would have come of it.
  func ended(_ index: Int, by cause: Stop, with late: ProbeResult) -> ProbeResult {
    var result = ProbeResult(
      url: results[index].url, outcome: cause == .deadline ? .failed : .skipped, reason: reason(of: cause),
      detail: cause == .certainty ? text(of: cause) : "\(text(of: cause)) before this probe had finished",
      response: late.response)
    if cause == .deadline, late.reason == .cancelled, late.outcome == .intercepted {
      result.outcome = .intercepted
      result.analysis = late.analysis
    }
    return result
  }

  /// What the API of RFC 8908 said when it was asked until the run ended.
  func ended(_ late: CapportResult, by cause: Stop) -> CapportResult {
    CapportResult(
      of: late.url, unavailable: reason(of: cause),
      cause == .certainty ? text(of: cause) : "\(text(of: cause)) before the API had answered")
  }

  private func reason(of cause: Stop) -> ReasonCode? {
    switch cause {
    case .deadline: .totalTimeout
    case .cancellation: .cancelled
    case .certainty: nil
    }
  }

  private func text(of cause: Stop) -> String {
    switch (cause, limits.deadline) {
    case (.deadline, let deadline?): "the run's deadline of \(ValueSyntax.text(of: deadline)) passed"
    case (.deadline, nil): "the run's deadline passed"
    case (.cancellation, _): "the run was cancelled"
    case (.certainty, _): "not needed: the verdict was certain"
    }
  }
}
