public import ProbeCore

extension Pipeline {
  /// The plan of this pipeline, checked and complete.
  ///
  /// - Parameters:
  ///   - transports: What the probes travel by.
  ///   - context: Where secrets come from, and where relative paths start.
  /// - Returns: The plan.
  /// - Throws: ``InvalidPlan`` with everything that is wrong, files that requests name included.
  public func plan(
    over transports: TransportRegistry, in context: RequestContext = .process
  ) throws(InvalidPlan) -> ProbePlan {
    var planner = Planner(self, over: transports, in: context)
    return try planner.plan()
  }

  /// Runs this pipeline once, to its verdict.
  ///
  /// Cancelling the task cancels the probes; the result is there promptly then, with what had not finished as skipped.
  ///
  /// - Parameters:
  ///   - plugins: What the probes travel by.
  ///   - context: Where secrets come from, and where relative paths start.
  /// - Returns: The verdict, what it rests on, and every probe.
  /// - Throws: ``InvalidPlan`` with everything that is wrong, before anything is sent.
  public func run(
    with plugins: PluginRegistry, in context: RequestContext = .process
  ) async throws(InvalidPlan) -> RunResult {
    await PipelineRunner(plugins.transports).run(try plan(over: plugins.transports, in: context))
  }
}

extension RequestContext {
  /// Secrets of this process's environment and of files, paths from where the program runs.
  public static let process = RequestContext { source throws(InvalidInput) in try source.secret() }

  /// Secrets of an environment and of files, paths from where the program runs.
  public static func environment(_ environment: [String: String]) -> RequestContext {
    RequestContext { source throws(InvalidInput) in try source.secret(environment: environment) }
  }
}
