public import ProbeCore

/// Runs a plan: every probe, within the limits, to a verdict.
///
/// What to do when is decided in ``RunState``; this type does it.
public struct PipelineRunner: Sendable {
  private let transports: TransportRegistry
  private let clock: any Clock<Duration>

  /// A runner over these transports.
  ///
  /// - Parameters:
  ///   - transports: What the probes travel by.
  ///   - clock: Measures the run and its deadline.
  public init(_ transports: TransportRegistry, clock: any Clock<Duration> = ContinuousClock()) {
    self.transports = transports
    self.clock = clock
  }

  /// Runs a plan to its verdict.
  ///
  /// A probe that fails costs only itself. A task that is cancelled gets its result promptly, with what had not
  /// finished as skipped.
  ///
  /// - Parameters:
  ///   - plan: What to probe.
  ///   - progress: Told the position in ``ProbePlan/probes`` and the result of each probe, with the answer's body, as
  ///     soon as it has finished, one at a time; probes that never start are not told.
  /// - Returns: The verdict, what it rests on, and every probe in the order of the plan.
  @concurrent
  public func run(
    _ plan: ProbePlan, progress: (@Sendable (_ index: Int, _ result: ProbeResult) -> Void)? = nil
  ) async -> RunResult {
    let elapsed = Self.stopwatch(clock)
    let results = await results(of: plan, progress)
    var remaining = results[...]
    let sets = plan.sets.map { set in
      let probes = remaining.prefix(set.probes.count)
      remaining = remaining.dropFirst(set.probes.count)
      return SetResult(
        name: set.name, threshold: set.threshold, required: set.required, probes: Array(probes))
    }
    let decision = EvidenceDecision(sets, success: plan.success, policy: plan.policy)
    return RunResult(
      pipeline: plan.name, verdict: decision.verdict, portal: decision.portal, evidence: decision.evidence,
      sets: sets, duration: elapsed())
  }
}

extension PipelineRunner {
  private enum Event: Sendable {
    case finished(Int, ProbeResult)
    case deadlinePassed
    /// The deadline's timer was cancelled, or its clock failed.
    case timerEnded
  }

  private func results(
    of plan: ProbePlan, _ progress: (@Sendable (Int, ProbeResult) -> Void)?
  ) async -> [ProbeResult] {
    let probes = plan.probes
    let prober = Prober(transports, policy: plan.policy, clock: clock)
    let rule = OutcomeRule { [transports] in transports.encryption(of: $0) }

    return await withTaskGroup(of: Event.self) { group in
      var state = RunState(probes, limits: plan.run)
      // A group can only cancel all of its tasks; to be cancelled alone each probe has a task of its own, and the
      // group's task for it passes the outside's cancellation on.
      var tasks: [Int: Task<ProbeResult, Never>] = [:]
      if let deadline = plan.run.deadline {
        group.addTask { [clock] in await Self.timer(clock, deadline) }
      }

      var actions = Task.isCancelled ? state.cancelled() : state.start()
      while true {
        for action in actions {
          switch action {
          case .start(let index):
            let probe = probes[index]
            let task = Task { await Self.result(of: probe, prober, rule) }
            tasks[index] = task
            group.addTask {
              await withTaskCancellationHandler {
                .finished(index, await task.value)
              } onCancel: {
                task.cancel()
              }
            }
          case .cancel(let index):
            tasks[index]?.cancel()
          case .finish:
            group.cancelAll()
            return state.results
          }
        }
        // Without a task there is nothing to wait for; the state has said so before it comes to that.
        guard let event = await group.next() else { return state.results }
        // Before the event itself: a result that cancellation brought about is not the probe's own.
        actions = Task.isCancelled ? state.cancelled() : []
        switch event {
        case .finished(let index, let result):
          tasks[index] = nil
          actions += state.finished(index, result.withoutBody)
          if let progress, var finished = state.result(of: index) {
            finished.response?.body = result.response?.body ?? []
            progress(index, finished)
          }
        case .deadlinePassed: actions += state.deadlinePassed()
        case .timerEnded: break
        }
      }
    }
  }

  private static func result(
    of probe: PlannedProbe, _ prober: Prober, _ rule: OutcomeRule
  ) async -> ProbeResult {
    do throws(ProbeFailure) {
      let request = try probe.request.get()
      let answer = try await prober.probe(request)
      let result = rule.result(of: probe, asked: request.url, answer: answer)
      return request.redactor.map { result.redacted(by: $0, probe, asked: request.url, rule) } ?? result
    } catch {
      return rule.result(of: probe, failure: error)
    }
  }

  private static func timer(_ clock: any Clock<Duration>, _ deadline: Duration) async -> Event {
    do {
      try await clock.sleep(for: deadline)
      return .deadlinePassed
    } catch {
      return .timerEnded
    }
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

extension ProbeResult {
  /// The result without the answer's body, for keeping: all answers of a large run would fill the memory.
  fileprivate var withoutBody: ProbeResult {
    var result = self
    result.response?.body = []
    return result
  }
}
