public import ProbeCore

extension Pipeline {
  /// Makes a complete, validated plan from this pipeline.
  ///
  /// - Parameters:
  ///   - transports: The transports of the probes.
  ///   - context: How to read secrets, and the folder for relative paths.
  /// - Returns: The plan.
  /// - Throws: ``InvalidPlan`` with every problem, including those with files that requests name.
  public func plan(
    over transports: TransportRegistry, in context: RequestContext = .process
  ) throws(InvalidPlan) -> ProbePlan {
    var planner = Planner(self, over: transports, in: context)
    return try planner.plan()
  }

  /// Runs this pipeline once.
  ///
  /// If the task is cancelled, the probes are cancelled and the result is returned promptly, with unfinished
  /// probes as skipped.
  ///
  /// - Parameters:
  ///   - plugins: The transports of the probes.
  ///   - context: How to read secrets, and the folder for relative paths.
  /// - Returns: The verdict, its evidence, and the result of every probe.
  /// - Throws: ``InvalidPlan`` with every problem, before anything is sent.
  public func run(
    with plugins: PluginRegistry, in context: RequestContext = .process
  ) async throws(InvalidPlan) -> RunResult {
    await PipelineRunner(plugins.transports).run(try plan(over: plugins.transports, in: context))
  }
}

extension RequestContext {
  /// Reads secrets from this process's environment and from files; paths are relative to the current
  /// directory.
  public static let process = RequestContext { source throws(InvalidInput) in try source.secret() }

  /// Reads secrets from the given environment and from files; paths are relative to the current directory.
  public static func environment(_ environment: [String: String]) -> RequestContext {
    RequestContext { source throws(InvalidInput) in try source.secret(environment: environment) }
  }
}
