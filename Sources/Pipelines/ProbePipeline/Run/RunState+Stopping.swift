import ProbeCore

/// Ends a run early.
extension RunState {
  /// What ended a run early.
  enum Stop {
    case deadline
    case cancellation
    case certainty
  }

  /// Ends the run: unstarted probes never start, and running ones are cancelled.
  mutating func end(by cause: Stop) -> [Action] {
    if stop == .certainty { return gracePassed() }
    guard stop == nil, capportPhase != .done || phases.contains(where: { $0 != .done }) else { return [] }
    var actions: [Action] = []
    halt(by: cause, &actions)
    proceed(&actions)
    return actions
  }

  /// The grace period for probes that were running when the verdict became certain has passed.
  mutating func gracePassed() -> [Action] {
    guard stop == .certainty else { return [] }
    var actions: [Action] = []
    cancelRunning(&actions)
    return actions
  }

  /// Ends the run, without checking whether anything is left.
  mutating func halt(by cause: Stop, _ actions: inout [Action]) {
    stop = cause
    // In any case, fallbacks that could not have changed the verdict count as not needed.
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

  /// The result of a probe that was running when the run ended: it keeps what was learned, but a late
  /// response does not count.
  ///
  /// A redirect to another host before the deadline shows a third party, whatever the response would have
  /// been.
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

  /// The result of the captive-portal API (RFC 8908) if it was still being queried when the run ended.
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
