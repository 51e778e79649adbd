import ProbeCore
import ProbePipeline
import ProbeReporting
import SourceDocuments

/// `probekit scan`: probes a list of any length, and writes a line for each of its lines.
struct ScanCommand: Subcommand {
  /// The plugins to probe with.
  let plugins: PluginRegistry
  /// The clock of the scan.
  var clock: any Clock<Duration> = ContinuousClock()

  func run(_ given: ScanOptions, in context: CommandContext) async -> ExitCode {
    var options = given
    do {
      try options.check.readFiles(in: context)
    } catch let error as DialogFile.Unusable {
      error.report(in: context)
      return .badInput
    } catch {
      context.report("\(error)")
      return .badInput
    }
    let plan: ScanPlan
    do throws(UnusablePipeline) {
      plan = try self.plan(options, in: context)
    } catch {
      for finding in error.findings { context.report(finding) }
      return .worst(of: error.findings.map { $0.isOfArgument && !$0.concernsFile ? .usage : .badInput })
    }
    do throws(InvalidInput) {
      let input = try ScanInput(
        options.inputs.isEmpty ? ["-"] : options.inputs, standardInput: context.input)
      guard let folder = options.partsFolder else {
        return await context.writingReport(to: options.check.probing.outputFile) { sink, _ in
          await scan(plan, options, input, to: ScanStream(sink: sink), in: context)
        }
      }
      let parts = try ScanParts(folder)
      return await scan(plan, options, input, to: parts, in: context)
    } catch {
      context.report("\(error)")
      return .badInput
    }
  }

  /// The plan of the pipeline, or of the options alone.
  private func plan(_ options: ScanOptions, in context: CommandContext) throws(UnusablePipeline) -> ScanPlan {
    let probing = options.check.probing
    var loaded: LoadedPipeline
    if let path = options.pipeline {
      do throws(InvalidInput) {
        loaded = try PlannedPipelines.load(path, plugins, values: probing.values, in: context)
      } catch {
        throw UnusablePipeline(findings: [SourceFinding(path: path, error)])
      }
    } else {
      loaded = LoadedPipeline(
        Pipeline("scan", sets: [ProbeSet("urls", targets: [])]), over: plugins.transports)
    }
    let unused = probing.unusedValues(loaded.variables)
    guard unused.isEmpty else { throw UnusablePipeline(findings: unused) }
    loaded.change { pipeline in
      probing.apply(to: &pipeline)
      // What sends an unexpected response does not matter here, unless the user asks.
      pipeline.question = probing.question ?? .services
      if options.check.allowsHTTP {
        pipeline.policy = .plaintextAllowed
        for index in pipeline.sets.indices { pipeline.sets[index].policy = nil }
      }
      guard let judge = options.check.judge else { return }
      for index in pipeline.sets.indices { pipeline.sets[index].judge = judge }
    }
    return try ScanPlan(
      loaded, over: plugins.transports,
      in: .environment(context.environment).allowingSecrets(in: probing.secretFolders))
  }

  private func scan(
    _ plan: ScanPlan, _ options: ScanOptions, _ input: ScanInput, to writer: any ScanWriter,
    in context: CommandContext
  ) async -> ExitCode {
    var session = ScanSession(
      plan: plan, limits: options.limits(else: options.pipeline.map { _ in plan.limits }),
      transports: plugins.transports, clock: clock, input: input, writer: writer)
    session.shard = options.shard
    if let folder = writer as? ScanParts {
      session.parts = (folder, options.partLines ?? ScanOptions.usualPartLines)
    }
    if context.showsProgress, !options.isQuiet, !context.output.isTerminal {
      session.progress = ScanProgress(errors: context.errors, clock: clock)
    }
    do {
      let (ending, tally) = try await session.run()
      return report(ending, tally, options, in: context)
    } catch {
      context.report("no thread is available for the scan")
      return .unavailable
    }
  }

  private func report(
    _ ending: ScanSession.Ending, _ tally: ScanTally, _ options: ScanOptions, in context: CommandContext
  ) -> ExitCode {
    switch ending {
    case .complete(var end):
      // With the results of the parts that existed before.
      end.outcomes.merge(tally.outcomes, uniquingKeysWith: +)
      if options.partsFolder != nil { context.output.write(ScanRecords.line(of: end)) }
      if !options.isQuiet {
        context.errors.writeLine(
          "\(end.lines) lines in \(end.duration.forPerson): \(ScanTally.words(for: end.outcomes))")
        for line in tally.summary { context.errors.writeLine(line) }
      }
      return .success
    case .interrupted:
      if context.output.failure?.readerHasGone != true {
        context.report(
          "interrupted: \(tally.results) results"
            + (options.partsFolder == nil ? "" : "; run it again to do the parts that are missing"))
      }
      return .interrupted
    case .unreadable(let problem):
      context.report("\(problem); \(tally.results) results were written, and no end line")
      return .badInput
    case .otherInput(let problem):
      context.report("\(problem)")
      return .badInput
    case .unwritable(let failure):
      // Standard output and --output are reported as for every command.
      if options.partsFolder != nil { context.report("cannot be written: \(failure.message)") }
      return .unavailable
    }
  }
}
