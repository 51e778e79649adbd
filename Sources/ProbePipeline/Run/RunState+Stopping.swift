import ProbeCore

/// Ending probes before their end.
extension RunState {
  /// What ended a run before its end.
  enum Stop {
    case deadline
    case cancellation
    case certainty
  }

  /// Why a set was not needed.
  enum Dispensable {
    /// A fallback that the sets before it made unnecessary.
    case fallback
    /// Nothing that could come of it matters to a rule any more.
    case settledSet
  }

  /// Ends the run: what has not started never will, and what runs is cancelled.
  mutating func end(by cause: Stop) -> [Action] {
    guard stop == nil, capportPhase != .done || phases.contains(where: { $0 != .done }) else { return [] }
    var actions: [Action] = []
    halt(by: cause, &actions)
    proceed(&actions)
    return actions
  }

  /// Ends the run without saying whether anything is left.
  mutating func halt(by cause: Stop, _ actions: inout [Action]) {
    stop = cause
    // Whatever ends the run: what could not have changed the verdict is not missing.
    if progress.isCertain { progress.leaveOutFallbacks() }
    for index in phases.indices {
      switch phases[index] {
      case .running: actions.append(.cancel(index))
      case .waiting: end(index, neverStarted(index, because: cause))
      case .leaving, .done: break
      }
    }
    switch capportPhase {
    case .running:
      capportPhase = .leaving
      actions.append(.cancelCapport)
    case .waiting: capportPhase = .done
    case .leaving, .done: break
    }
  }

  /// Skips what has not finished of a set.
  mutating func skip(set: Int, _ why: Dispensable, _ actions: inout [Action]) {
    for index in ranges[set] {
      switch phases[index] {
      case .running:
        phases[index] = .leaving
        actions.append(.cancel(index))
      case .waiting: end(index, skipped(index, why))
      case .leaving, .done: break
      }
    }
  }

  /// The result of a probe that was not needed; what it had learnt is kept.
  func skipped(_ index: Int, _ why: Dispensable, with response: ProbeResponse? = nil) -> ProbeResult {
    ProbeResult(
      url: results[index].url, outcome: .skipped, detail: text(of: why), response: response,
      family: results[index].family)
  }

  private func neverStarted(_ index: Int, because cause: Stop) -> ProbeResult {
    ProbeResult(
      url: results[index].url, outcome: .skipped, reason: reason(of: cause),
      detail: cause == .certainty ? text(of: cause) : "\(text(of: cause)) before this probe was started",
      family: results[index].family)
  }

  /// The result of a probe that ran when the run ended: what it had learnt is kept, an answer that came too late
  /// does not count.
  func ended(_ index: Int, by cause: Stop, with late: ProbeResult) -> ProbeResult {
    ProbeResult(
      url: results[index].url, outcome: cause == .deadline ? .failed : .skipped, reason: reason(of: cause),
      detail: cause == .certainty ? text(of: cause) : "\(text(of: cause)) before this probe had finished",
      response: late.response)
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

  private func text(of why: Dispensable) -> String {
    switch why {
    case .fallback: "not needed: the sets before it decided"
    case .settledSet: "not needed: its set could not change the verdict any more"
    }
  }
}
