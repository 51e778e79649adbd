import ProbeCore
import ProbeSystem
import ProbePipeline
import ProbeReporting
import SourceDocuments
import CommandKit
import ProbeScan
import ProbeBase

/// `probekit scan`: probes a list of any length, and writes an output line for each input line.
struct ScanCommand: Subcommand {
  let plugins: PluginRegistry
  var clock: any Clock<Duration> = ContinuousClock()

  func run(_ given: ScanOptions, in context: CommandContext) async -> ExitCode {
    var options = given
    do {
      try options.check.readFiles(in: context)
    } catch let error as DialogFile.Unusable {
      error.report(in: context)
      return .badInput
    } catch {
      return context.ended(.badInput, because: "\(error)")
    }
    let plan: ScanPlan
    do throws(UnusablePipeline) {
      plan = try self.plan(options, in: context)
    } catch {
      let findings =
        options.pipeline.flatMap { listFinding(for: $0, in: context) }.map { [$0] } ?? error.findings
      for finding in findings { context.report(finding) }
      return .worst(of: findings.map { $0.isAboutArgument && !$0.concernsFile ? .usage : .badInput })
    }
    do {
      let transports = plugins.transports.guarded(by: try options.targetRules())
      let input = try ScanInput(
        options.inputs.isEmpty ? ["-"] : options.inputs, standardInput: context.input)
      if let folder = options.partsFolder {
        let parts = try ScanParts(folder)
        // A thread may hold a reference to it slightly longer.
        defer { parts.release() }
        return await scan(plan, options, transports, input, to: parts, in: context)
      }
      guard let path = options.probing.outputFile else {
        return await scan(plan, options, transports, input, to: ScanStream(sink: context.output), in: context)
      }
      let file = try ReportFile(path)
      // Not left to its last reference, which a thread may hold until the process ends.
      defer { file.discard() }
      let code = await scan(plan, options, transports, input, to: ScanStream(sink: file.sink), in: context)
      // Results without an end line are incomplete.
      if code == .success { try file.commit() }
      return code
    } catch let error as OutputSink.Failure {
      return context.reportUnwritable(options.probing.outputFile ?? "", "--output", error)
    } catch let error as InvalidExclusions {
      for mistake in error.mistakes { context.report("--exclude: \(mistake)") }
      return .badInput
    } catch {
      return context.ended(.badInput, because: "\(error)")
    }
  }

  /// The plan of the pipeline, or of the options alone.
  private func plan(_ options: ScanOptions, in context: CommandContext) throws(UnusablePipeline) -> ScanPlan {
    let probing = options.probing
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
      // The origin of unexpected responses is irrelevant here, unless the user requests it.
      pipeline.question = probing.question ?? .services
      if options.check.allowsHTTP {
        pipeline.policy = .plaintextAllowed
        for index in pipeline.sets.indices { pipeline.sets[index].policy = nil }
      }
      guard let judge = options.check.judge(for: pipeline.question) else { return }
      let replaces = !options.check.validators.isEmpty
      for index in pipeline.sets.indices where replaces || pipeline.sets[index].judge == nil {
        pipeline.sets[index].judge = judge
      }
    }
    return try ScanPlan(
      loaded, over: plugins.transports,
      in: context.requestContext(secretFolders: probing.secretFolders))
  }

  /// The finding for a file that is a list of URLs, compressed or not, instead of a pipeline; otherwise nil.
  private func listFinding(for path: String, in context: CommandContext) -> SourceFinding? {
    // A pipe cannot be read twice.
    guard path != "-", let input = try? ScanInput([path], standardInput: context.input), input.size != nil,
      case .bytes(let bytes)? = try? input.next()
    else { return nil }
    let reader = ScanReader()
    reader.add(bytes)
    guard case .line(let line)? = reader.next() ?? reader.endFile(), case .success = line.target else {
      return nil
    }
    return SourceFinding(
      path: path, message: "this is a list of URLs, not a pipeline file",
      remedy: "pass it with --input, or on standard input")
  }

  private func scan(
    _ plan: ScanPlan, _ options: ScanOptions, _ transports: TransportRegistry, _ input: ScanInput,
    to writer: any ScanWriter, in context: CommandContext
  ) async -> ExitCode {
    let limits = options.limits(else: options.pipeline.map { _ in plan.limits })
    // Otherwise, results would reflect the limits of this machine.
    guard limits.concurrency <= descriptorLimit - Self.otherDescriptors else {
      return context.ended(
        .unavailable,
        because:
          "--concurrency: \(limits.concurrency) probes at a time need more than the \(descriptorLimit) descriptors "
          + "that this process may open: raise the limit with ulimit -n, or choose fewer")
    }
    var session = ScanSession(
      plan: plan, limits: limits,
      transports: transports, clock: clock, input: input, writer: writer)
    session.shard = options.shard
    if let folder = writer as? ScanParts {
      session.parts = (folder, options.partLines ?? ScanOptions.defaultPartLines)
    }
    // Results on the same terminal would overwrite it.
    let showsResults = context.output.isTerminal && options.writesToStandardOutput
    if context.showsProgress, !options.isQuiet, !showsResults {
      session.progress = ScanProgress(errors: context.errors, clock: clock, width: context.width)
    }
    do {
      let (ending, tally, notes) = try await session.run()
      if !options.isQuiet { for note in notes { context.errors.writeLine(note) } }
      return report(ending, tally, options, in: context)
    } catch {
      return context.ended(.unavailable, because: "no thread is available for the scan")
    }
  }

  /// The number of descriptors that are not for probes: files, pipes, event loops, and name servers.
  private static let otherDescriptors = 64

  /// What to do about reasons that an option decides.
  private static let remedies: [ReasonCode: String] = [
    .plaintext: "add --allow-http to probe unencrypted URLs",
    .addressRefused: "add --allow-private to probe such addresses",
  ]

  private func report(
    _ ending: ScanSession.Ending, _ tally: ScanTally, _ options: ScanOptions, in context: CommandContext
  ) -> ExitCode {
    switch ending {
    case .complete(var end):
      // Include the results of previously existing parts.
      let earlier = end.results
      end.outcomes.merge(tally.outcomes, uniquingKeysWith: +)
      if options.partsFolder != nil { context.output.write(ScanRecords.line(of: end)) }
      if !options.isQuiet {
        context.errors.writeLine(
          "\(end.lines.counted("line")) in \(end.duration.forPerson): \(ScanTally.words(for: end.outcomes))"
        )
        // The parts have no reasons and times at hand.
        if earlier > 0 {
          context.errors.writeLine(
            "\(earlier) of these results are from earlier runs; in this run: \(tally.outcomesDescription)")
        }
        for line in tally.summary(remedies: Self.remedies) { context.errors.writeLine(line) }
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
      return context.ended(
        .badInput, because: "\(problem); \(tally.results) results were written, and no end line")
    case .otherInput(let problem):
      return context.ended(.badInput, because: "\(problem)")
    case .unwritable(let failure):
      let destinations = [("--parts", options.partsFolder), ("--output", options.probing.outputFile)]
      for case (let option, let path?) in destinations {
        return context.reportUnwritable(path, option, failure)
      }
      // A failure of standard output is reported once, in the same way for every command.
      return .unavailable
    }
  }
}
