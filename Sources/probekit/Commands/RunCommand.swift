import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments

/// `probekit run`: pipeline files, once.
struct RunCommand: Subcommand {
  /// What it probes with.
  let plugins: PluginRegistry
  /// Measures the runs, and the time until progress is shown.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Checks every file, probes, reports, and says what the verdicts mean for the exit code.
  func run(_ options: RunOptions, in context: CommandContext) async -> ExitCode {
    let mistake = options.overrides.mistake
    var overrides = options.overrides
    // Told once, and not for every file.
    if mistake != nil { overrides.authorities = nil }
    var plugins = plugins
    plugins.transports = plugins.transports.overridden(by: overrides)
    let files = PipelineFiles(options.paths, plugins, in: context, overriding: overrides.settings)
    guard !Task.isCancelled else { return context.interrupted("nothing was probed") }
    for finding in files.findings { context.errors.writeLine(finding.description) }
    if let mistake { context.report(mistake) }
    guard files.findings.isEmpty, mistake == nil else { return .badInput }
    let sources = files.plans.map { name, plan in
      var plan = plan
      if options.probesAll { plan.stopsEarly = false }
      plan.announcedCapport = options.announcedCapport
      return (name, plan)
    }
    guard let path = options.outputFile else {
      return await probe(sources, with: plugins, options, to: context.output, in: context)
    }
    do throws(OutputSink.Failure) {
      let file = try ReportFile(path)
      let code = await probe(sources, with: plugins, options, to: file.sink, in: context)
      if !Task.isCancelled, code != .internalError { try file.commit() }
      return code
    } catch {
      context.report("--output: \(Excerpt(path, limit: 200)): cannot be written: \(error.message)")
      return .unavailable
    }
  }

  private func probe(
    _ sources: [RunSession.Source], with plugins: PluginRegistry, _ options: RunOptions,
    to output: OutputSink, in context: CommandContext
  ) async -> ExitCode {
    let total = sources.reduce(0) { $0 + $1.plan.probes.count }
    let toFile = options.outputFile != nil
    let style = ReportFormat.Style(usesColor: context.usesColor && !toFile)
    guard let format = ReportFormat.named(context.format.description) else { return .internalError }
    var session = RunSession(
      runner: PipelineRunner(plugins.transports, clock: clock),
      reporter: format.reporter(style), output: output)
    // Both at once would write into each other, and another program's output is not to be mixed with anything.
    if options.isVerbose {
      session.wire = context.errors
    } else if context.showsProgress, toFile || context.format == .text {
      session.progress = RunProgress(total: total, on: context.errors, clock: clock)
    }
    do {
      let runs = try await session.run(sources)
      guard !Task.isCancelled else {
        let finished = runs.flatMap(\.result.sets).flatMap(\.probes).count { $0.outcome != .skipped }
        return context.interrupted("\(finished) of \(total) probes had finished")
      }
      return .worst(of: runs.map { ExitCode($0.result) })
    } catch {
      context.report("the report could not be written as \(format.name): \(error)")
      return .internalError
    }
  }
}
