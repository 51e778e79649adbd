import ProbeLocking
import ProbeCore
import ProbePipeline
import ProbeReporting

/// Runs pipelines side by side, and writes what a reporter says of them.
struct RunSession: Sendable {
  /// A pipeline ready to run, with what the user called it by.
  typealias Source = (name: String, plan: ProbePlan)

  /// How many pipelines run at a time; each of them keeps to limits of its own.
  static let width = 8

  /// Runs a plan.
  let runner: PipelineRunner
  /// Tells of the runs.
  let reporter: any Reporter
  /// Where the reporter's text goes.
  let output: OutputSink
  /// Where what happened on the wire is shown, or nil when nobody wants to see it.
  var wire: (sink: OutputSink, report: VerboseReport)?
  /// Shows how far the runs are, or nil when nobody wants to see it.
  var progress: RunProgress?

  /// Runs all of them.
  ///
  /// The reporter's lines are written as things happen; its text of all runs only when nobody cancelled the task.
  ///
  /// - Returns: What came of each, in the order given.
  /// - Throws: What the reporter throws.
  @concurrent
  func run(_ sources: [Source]) async throws -> [ReportedRun] {
    let mistake = Guarded<(any Error)?>(nil)
    let runs = await RunProgress.show(progress) {
      await withTaskGroup(of: (Int, ReportedRun).self) { group in
        var runs: [Int: ReportedRun] = [:]
        for (index, source) in sources.enumerated() {
          if index >= Self.width, let (index, run) = await group.next() { runs[index] = run }
          group.addTask { (index, await run(source, mistake)) }
        }
        for await (index, run) in group { runs[index] = run }
        return runs
      }
    }
    let inOrder = runs.sorted { $0.key < $1.key }.map(\.value)
    if let error = mistake.withLock(\.self) { throw error }
    if !Task.isCancelled { output.write(try reporter.text(of: inOrder)) }
    return inOrder
  }

  private func run(_ source: Source, _ mistake: Guarded<(any Error)?>) async -> ReportedRun {
    let sets = source.plan.sets.flatMap { Array(repeating: $0.name, count: $0.probes.count) }
    let tell: @Sendable (Int, ProbeResult) -> Void = { index, probe in
      progress?.oneFinished()
      wire?.sink.write(wire?.report.text(of: probe) ?? "")
      write(mistake) { try reporter.text(of: probe, in: sets[index], of: source.plan.name) }
    }
    // A run that tells nothing of its probes changes no threads for them.
    let tells = progress != nil || wire != nil || reporter.reportsProbes
    let result = await runner.run(source.plan, progress: tells ? tell : nil)
    let run = ReportedRun(source: source.name, result)
    // What a run says that was broken off is not what it would have said.
    if !Task.isCancelled { write(mistake) { try reporter.text(ofFinished: run) } }
    return run
  }

  /// Writes at once what the reporter has to say, and keeps its first mistake.
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
  /// Runs pipelines for a command, and says what the verdicts mean for the exit code.
  ///
  /// - Parameters:
  ///   - sources: The pipelines.
  ///   - transports: What their probes travel by.
  ///   - options: What the command line says: where the report goes, and what is shown meanwhile.
  ///   - clock: Measures the runs, and the time until progress is shown.
  ///   - context: The form of the report, and where it goes when the options name no file.
  /// - Returns: The exit code.
  static func run(
    _ sources: [Source], over transports: TransportRegistry, _ options: ProbingOptions,
    by clock: any Clock<Duration>, in context: CommandContext
  ) async -> ExitCode {
    await context.writingReport(to: options.outputFile) { output, style in
      guard let format = ReportFormat.named(context.format.description) else { return .internalError }
      let total = sources.reduce(0) { $0 + $1.plan.probes.count }
      var session = RunSession(
        runner: PipelineRunner(transports, clock: clock), reporter: format.reporter(style), output: output)
      // Both at once would write into each other, and another program's output is not to be mixed with anything.
      if options.isVerbose {
        session.wire = (context.errors, VerboseReport(usesASCII: context.usesASCII))
      } else if context.showsProgress, options.outputFile != nil || context.format == .text {
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
}

extension OutputFormat {
  /// The forms of reports on runs.
  static let ofReports = ReportFormat.all.map { OutputFormat($0.name) }
}

extension CommandContext {
  /// Checks before any work whether a report can be written to a file.
  ///
  /// - Parameters:
  ///   - path: The file, or nil for standard output.
  ///   - option: The option that names it.
  /// - Returns: The exit code when it cannot, which is reported; otherwise nil.
  func unwritableReport(_ path: String?, option: String = "--output") -> ExitCode? {
    guard let path else { return nil }
    do throws(OutputSink.Failure) {
      try ReportFile.check(path)
      return nil
    } catch {
      return reportUnwritable(path, option, error)
    }
  }

  private func reportUnwritable(_ path: String, _ option: String, _ error: OutputSink.Failure) -> ExitCode {
    report("\(option): \(Excerpt(path, limit: 200)): cannot be written: \(error.message)")
    return .unavailable
  }

  /// Lets a command write its report to a file, which appears whole or not at all, or to standard output.
  ///
  /// - Parameters:
  ///   - path: The file, or nil for standard output.
  ///   - option: The option that names it.
  ///   - body: Writes the report to where it is given, in the style that fits there.
  /// - Returns: The exit code of the body, or that nothing can be written there.
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
  /// What a run's verdict is to the program that started it, unless this machine itself was the obstacle.
  init(_ result: RunResult) {
    let verdict: ExitCode =
      switch result.verdict {
      case .online: .success
      case .captivePortal: .captivePortal
      case .partial, .intercepted, .offline, .inconclusive: .notOnline
      }
    self = result.localFailure != nil ? .worst(of: [verdict, .unavailable]) : verdict
  }
}
