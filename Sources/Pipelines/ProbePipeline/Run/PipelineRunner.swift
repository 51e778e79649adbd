public import FoundationEssentials
public import ProbeCore

/// Runs a plan: every probe, within the limits, until there is a verdict.
///
/// `RunState` decides what to do next, and this type does it.
public struct PipelineRunner: Sendable {
  private let transports: TransportRegistry
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - transports: The transports of the probes.
  ///   - clock: The clock for the run and its deadline.
  ///   - now: The time of day, for ``RunResult/time``.
  public init(
    _ transports: TransportRegistry, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transports = transports
    self.clock = clock
    self.now = now
  }

  /// Runs a plan to its verdict.
  ///
  /// If a portal is shown by nothing but redirects, the target of each is requested once, to find out what it is;
  /// see ``ProbePlan/followsRedirects``.
  ///
  /// The failure of a probe does not affect the others. Once the verdict is certain, no further probe starts
  /// and running ones have 500 ms to finish, unless the plan specifies otherwise. If the task is cancelled, the
  /// result is returned promptly, with unfinished probes as skipped.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - progress: Called with the position in ``ProbePlan/probes`` and the result of each probe, including
  ///     the response's body, as soon as it has finished. Calls do not overlap. It is not called for probes
  ///     that never start.
  /// - Returns: The verdict, its evidence, and the result of every probe in the order of the plan.
  @concurrent
  public func run(
    _ plan: ProbePlan, progress: (@Sendable (_ index: Int, _ result: ProbeResult) -> Void)? = nil
  ) async -> RunResult {
    let (time, elapsed) = (now(), clock.stopwatch())
    var executor = RunExecutor(plan, transports, clock)
    // On the connections' executor, no event switches threads; but a progress closure may take long, so don't
    // use it then.
    let state = await withTaskExecutorPreference(progress == nil ? executor.taskExecutor : nil) {
      await executor.run(progress)
    }
    let sets = zip(plan.sets, state.ranges).enumerated().map { position, part in
      let (set, range) = part
      var result = SetResult(
        name: set.name, threshold: set.threshold, required: set.isRequired,
        isNeeded: state.isNeeded(set: position), probes: Array(state.results[range]))
      (result.labels, result.isSequence) = (set.labels, set.isSequence)
      return result
    }
    var decision = RunDecision(plan, sets, capport: state.capport)
    var seen = sets
    let redirects = OpenRedirects(plan, sets, decision, transports: transports)
    if !redirects.isEmpty, !Task.isCancelled {
      let left = plan.run.deadline.map { $0 - elapsed() }
      let pages = await redirects.follow(over: transports, within: left, clock)
      if let changed = redirects.sets(with: pages) {
        seen = changed
        decision = RunDecision(plan, seen, capport: state.capport)
      }
    }
    return RunResult(
      pipeline: plan.name, verdict: decision.verdict, portal: decision.portal, evidence: decision.evidence,
      sets: seen, duration: elapsed(), capport: state.capport, interception: decision.interception,
      time: time)
  }
}
