import ProbeCore
import ProbePipeline
import ProbeReporting

extension ExporterProber {
  /// Runs a pipeline, and adds the metrics of its report.
  func probePipeline(_ pipeline: ServedPipeline, _ run: inout ModuleRun) async {
    for (name, value) in pipeline.values.sorted(by: { $0.key < $1.key }) {
      run.note("\(name) is \(Excerpt(value))")
    }
    var plan = pipeline.plan
    // The bodies up to their limits; the run itself limits what it receives beyond them.
    let account = memory.account(of: plan.name, keepsBytes: true)
    defer { account.end() }
    guard await account.provide(plan.bodyBytes(upTo: memory.maximumBytes), by: run.deadline) else {
      return run.fail(account.shortage ?? .noMemoryInTime)
    }
    plan.run.deadline = min(plan.run.deadline ?? run.remaining, run.remaining)
    let result = await runner(of: pipeline).run(plan)
    run.note(result.verdictInWords)
    for evidence in result.evidence { run.note(evidence.summary) }
    let failed = result.sets.flatMap(\.probes).filter { $0.outcome == .failed || $0.outcome == .intercepted }
    for probe in failed { run.note("\(probe.title): \(probe.reason?.rawValue ?? ""): \(probe.detail ?? "")") }
    let reporter = ReportFormat.named("prometheus")?.reporter()
    do {
      run.furtherMetrics = try reporter?.text(of: [ReportedRun(source: plan.name, result)]) ?? ""
    } catch {
      run.note("the metrics cannot be written: \(error)")
    }
    guard ![.online, .healthy].contains(result.verdict) else { return }
    run.fail(failed.first?.reason ?? .rejected, result.verdictInWords)
  }
}

extension ProbePlan {
  /// The size of the bodies that a run may hold at a time, at most `maximum`.
  fileprivate func bodyBytes(upTo maximum: Int) -> Int {
    let sizes = sets.flatMap(\.probes).map { min(maximum, (try? $0.request.get().maxBody) ?? 0) }
    return min(maximum, min(run.concurrency, sizes.count) * (sizes.max() ?? 0))
  }
}
