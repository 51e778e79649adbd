import Locking
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
  var wire: OutputSink?
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
      wire?.write(VerboseReport().text(of: probe))
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
