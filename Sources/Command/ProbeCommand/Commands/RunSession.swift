import PortalSurvey
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem
import CommandKit

/// Runs pipelines concurrently, and writes the reports.
struct RunSession: Sendable {
  /// A plan with the user's name for its pipeline.
  typealias Source = (name: String, plan: ProbePlan)

  /// The maximum number of concurrent pipelines; each also has its own limits.
  static let width = 8

  let runner: PipelineRunner
  let reporter: any Reporter
  /// Receives the reporter's text.
  let output: OutputSink
  /// The destination for the details of exchanges, or nil if they are not requested.
  var wire: (sink: OutputSink, usesASCII: Bool)?
  /// The progress display, or nil if it is not requested.
  var progress: RunProgress?
  /// What else to ask the network while the pipelines run; nil for nothing.
  var conditions: NetworkConditions?
  /// Whether the report is written before the evidence of ``conditions``, which then follows as text in this style.
  var lateEvidence: TextStyle?

  /// Runs all pipelines.
  ///
  /// The reporter's lines are written immediately; its text on all runs only if the task was not cancelled.
  ///
  /// - Returns: The results in the order given.
  /// - Throws: An error of the reporter.
  @concurrent
  func run(_ sources: [Source]) async throws -> [ReportedRun] {
    let mistake = Guarded<(any Error)?>(nil)
    let observation = conditions.map { conditions in
      Task { await conditions.run { [wire] probe in wire?.sink.write(Self.wireText(of: probe, wire)) } }
    }
    return try await withTaskCancellationHandler {
      try await run(sources, observation, mistake)
    } onCancel: {
      observation?.cancel()
    }
  }

  private func run(
    _ sources: [Source], _ observation: Task<NetworkConditions.Observation, Never>?,
    _ mistake: Guarded<(any Error)?>
  ) async throws -> [ReportedRun] {
    let runs = await RunProgress.show(progress) {
      await withTaskGroup(of: (Int, ReportedRun).self) { group in
        var runs: [Int: ReportedRun] = [:]
        for (index, source) in sources.enumerated() {
          if index >= Self.width, let (index, run) = await group.next() { runs[index] = run }
          group.addTask { (index, await run(source, observation, mistake)) }
        }
        for await (index, run) in group { runs[index] = run }
        return runs
      }
    }
    let inOrder = runs.sorted { $0.key < $1.key }.map(\.value)
    if let error = mistake.withLock(\.self) { throw error }
    if !Task.isCancelled { output.write(try reporter.text(of: inOrder)) }
    if let lateEvidence, let first = inOrder.first {
      // The verdict does not wait.
      output.flush()
      let evidence = await evidence(beside: first.result, observation)
      if !Task.isCancelled, !evidence.isEmpty {
        let lines = evidence.map { "  \(lateEvidence.shown($0.summary))\n" }
        output.write("\nWhat else the network does:\n" + lines.joined())
      }
    }
    return inOrder
  }

  /// The evidence of ``conditions``, once their run has ended.
  private func evidence(beside result: RunResult, _ observation: Task<NetworkConditions.Observation, Never>?)
    async -> [Evidence]
  {
    guard let conditions, let observation else { return [] }
    return conditions.evidence(of: await observation.value, beside: result)
  }

  private static func wireText(of probe: ProbeResult, _ wire: (sink: OutputSink, usesASCII: Bool)?) -> String
  {
    VerboseReport(usesASCII: wire?.usesASCII ?? false).text(of: probe)
  }

  private func run(
    _ source: Source, _ observation: Task<NetworkConditions.Observation, Never>?,
    _ mistake: Guarded<(any Error)?>
  ) async -> ReportedRun {
    let sets = source.plan.sets.flatMap { Array(repeating: $0.name, count: $0.probes.count) }
    let wireReport = VerboseReport(of: source.plan.question, usesASCII: wire?.usesASCII ?? false)
    let notify: @Sendable (Int, ProbeResult) -> Void = { index, probe in
      progress?.oneFinished()
      wire?.sink.write(wireReport.text(of: probe))
      write(mistake) { try reporter.text(of: probe, in: sets[index], of: source.plan.name) }
    }
    // Without a progress closure, the run avoids switching threads for it.
    let needsProgress = progress != nil || wire != nil || reporter.reportsProbes
    var result = await runner.run(source.plan, progress: needsProgress ? notify : nil)
    if lateEvidence == nil { result.evidence += await evidence(beside: result, observation) }
    let run = ReportedRun(source: source.name, result)
    // The verdict of a cancelled run would be misleading.
    if !Task.isCancelled { write(mistake) { try reporter.text(ofFinished: run) } }
    return run
  }

  /// Writes the reporter's text immediately, and keeps its first error.
  private func write(_ mistake: Guarded<(any Error)?>, _ text: () throws -> String) {
    do {
      let text = try text()
      guard !text.isEmpty else { return }
      output.write(text)
      output.flush()
    } catch {
      mistake.withLock { $0 = $0 ?? error }
    }
  }
}

extension RunSession {
  /// Runs the pipelines of a command, and returns the exit code for their verdicts.
  ///
  /// - Parameters:
  ///   - sources: The pipelines.
  ///   - transports: The transports for the probes.
  ///   - options: The command-line options: the report's file, and the output during the runs.
  ///   - clock: The clock that measures the runs and the delay before progress is displayed.
  ///   - conditions: What else to ask the network; nil for nothing.
  ///   - context: The report's format, and its destination if the options name no file.
  /// - Returns: The exit code.
  static func run(
    _ sources: [Source], over transports: TransportRegistry, _ options: ProbingOptions,
    by clock: any Clock<Duration>, observing conditions: NetworkConditions? = nil, in context: CommandContext
  ) async -> ExitCode {
    await context.writingReport(to: options.outputFile) { output, style in
      guard let format = ReportFormat.named(context.format.description) else { return .internalError }
      let total = sources.reduce(0) { $0 + $1.plan.probes.count }
      var session = RunSession(
        runner: PipelineRunner(transports, clock: clock), reporter: format.reporter(style), output: output)
      session.conditions = conditions
      if conditions != nil, context.format == .text {
        session.lateEvidence = TextStyle(usesColor: style.usesColor, usesASCII: style.usesASCII)
      }
      // The two would overwrite each other, and must not be mixed with another program's output.
      if options.isVerbose {
        session.wire = (context.errors, context.usesASCII)
      } else if context.showsProgress, options.outputFile != nil || context.format == .text {
        session.progress = RunProgress(total: total, on: context.errors, clock: clock)
      }
      do {
        let runs = try await session.run(sources)
        guard !Task.isCancelled else {
          let finished = runs.flatMap(\.result.sets).flatMap(\.probes).count { $0.outcome != .skipped }
          return context.interrupted("\(finished) of \(total) probes had finished")
        }
        return .worst(
          of: runs.map { ExitCode($0.result, treatsDegradedAsSuccess: options.treatsDegradedAsSuccess) })
      } catch {
        return context.ended(
          .internalError, because: "the report could not be written as \(format.name): \(error)")
      }
    }
  }
}

extension CommandContext {
  /// Whether the output includes evidence in addition to the verdict.
  var showsConditions: Bool { !isQuiet && [.text, .json, OutputFormat("ndjson")].contains(format) }
}

extension OutputFormat {
  static let ofReports = ReportFormat.all.map { OutputFormat($0.name) }
}

extension CommandContext {
  /// Checks, before any work, that a report can be written to a file.
  ///
  /// - Parameters:
  ///   - path: The file, or nil for standard output.
  ///   - option: The option that names the file.
  /// - Returns: The exit code if the report cannot be written, which is reported; otherwise nil.
  func unwritableReport(_ path: String?, option: String = "--output") -> ExitCode? {
    guard let path else { return nil }
    do throws(OutputSink.Failure) {
      try ReportFile.check(path)
      return nil
    } catch {
      return reportUnwritable(path, option, error)
    }
  }

  /// Reports that the file or folder of an option cannot be written.
  func reportUnwritable(_ path: String, _ option: String, _ error: OutputSink.Failure) -> ExitCode {
    return ended(
      .unavailable, because: "\(option): \(Excerpt(path, limit: 200)): cannot be written: \(error.message)")
  }

  /// Writes a command's report to a file, which is created completely or not at all, or to standard output.
  ///
  /// - Parameters:
  ///   - path: The file, or nil for standard output.
  ///   - option: The option that names the file.
  ///   - body: Writes the report to the given destination, in a suitable style.
  /// - Returns: The exit code of the body, or the one for a file that cannot be written.
  func writingReport(
    to path: String?, option: String = "--output",
    _ body: (OutputSink, ReportFormat.Style) async -> ExitCode
  ) async -> ExitCode {
    guard let path else {
      return await body(output, ReportFormat.Style(usesColor: usesColor, usesASCII: usesASCII))
    }
    do throws(OutputSink.Failure) {
      let file = try ReportFile(path)
      let code = await body(file.sink, ReportFormat.Style())
      if !Task.isCancelled, code != .internalError { try file.commit() }
      return code
    } catch {
      return reportUnwritable(path, option, error)
    }
  }
}

extension ExitCode {
  /// The exit code for a run's verdict, unless this machine lacked a resource.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - treatsDegradedAsSuccess: Whether degraded services count as success.
  init(_ result: RunResult, treatsDegradedAsSuccess: Bool = false) {
    let verdict: ExitCode =
      switch result.verdict {
      case .online, .healthy: .success
      case .degraded: treatsDegradedAsSuccess ? .success : .notOnline
      case .captivePortal: .captivePortal
      case .partial, .intercepted, .offline, .inconclusive, .unhealthy: .notOnline
      }
    self = result.localFailure != nil ? .worst(of: [verdict, .unavailable]) : verdict
  }
}
