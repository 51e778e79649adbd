public import ProbeCore

/// Runs a plan: every probe, within the limits, to a verdict.
///
/// What to do when is decided in `RunState`; this type does it.
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
  /// A probe that fails costs only itself. Once the verdict is certain, no probe starts any more and those that run have
  /// 500 ms, unless the plan says otherwise. A task that is cancelled gets its result promptly, with what had not finished
  /// as skipped.
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
    var executor = RunExecutor(plan, transports, clock)
    // Beside the connections no event has to change threads; but what somebody else does of each probe may take long.
    let state = await withTaskExecutorPreference(progress == nil ? executor.taskExecutor : nil) {
      await executor.run(progress)
    }
    let sets = zip(plan.sets, state.ranges).enumerated().map { position, part in
      let (set, range) = part
      return SetResult(
        name: set.name, threshold: set.threshold, required: set.required,
        isNeeded: state.isNeeded(set: position), probes: Array(state.results[range]))
    }
    let decision = RunDecision(plan, sets, capport: state.capport)
    return RunResult(
      pipeline: plan.name, verdict: decision.verdict, portal: decision.portal, evidence: decision.evidence,
      sets: sets, duration: elapsed(), capport: state.capport)
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
