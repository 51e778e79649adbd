internal import ProbePipeline
internal import ProbeReporting
package import ByteStreams
package import ProbeCore

/// Probes targets with the modules of blackbox.yml.
package struct ExporterProber: Sendable {
  /// Looks up names.
  let finder: any AddressFinding
  let prober: Prober
  let connector: StreamConnector
  private let runner: PipelineRunner
  private let transports: TransportRegistry
  let targets: TargetRules
  /// The memory for the bodies of all probes.
  let memory: ProbeMemory

  /// Creates a prober.
  ///
  /// - Parameters:
  ///   - transports: The transports of the probes.
  ///   - connector: The connector of TCP modules.
  ///   - targets: The rules for targets, which also apply to each redirect.
  /// - Throws: `InvalidInput` if the transport for https cannot look up names.
  package init(
    _ transports: TransportRegistry, connector: StreamConnector, targets: TargetRules
  ) throws(InvalidInput) {
    try self.init(transports, connector: connector, targets: targets, memory: ProbeMemory())
  }

  init(
    _ transports: TransportRegistry, connector: StreamConnector, targets: TargetRules, memory: ProbeMemory
  ) throws(InvalidInput) {
    guard let finder = transports[.https] as? any AddressFinding else {
      throw InvalidInput("the transport for https cannot look names up")
    }
    self.finder = finder
    self.connector = connector
    self.targets = targets
    self.memory = memory
    let guarded = transports.guarded(by: targets)
    prober = Prober(guarded, policy: .plaintextAllowed)
    runner = PipelineRunner(guarded)
    self.transports = guarded
  }

  /// The runner of a pipeline, which connects only to its permitted targets.
  func runner(of pipeline: ServedPipeline) -> PipelineRunner {
    guard let targets = pipeline.targets else { return runner }
    return PipelineRunner(transports.guarded(by: .targets(targets), exceptFor: pipeline.names))
  }

  /// Probes a target.
  ///
  /// - Parameters:
  ///   - target: The target as received from Prometheus.
  ///   - module: The module.
  ///   - hostname: The host to request instead of the target's; nil for the target's.
  ///   - timeout: The timeout.
  /// - Returns: Its samples and its log.
  package func probe(
    _ target: String, with module: ExporterModule, hostname: String? = nil, timeout: Duration
  ) async -> ProbeReport {
    let start = ContinuousClock.now
    var run = ModuleRun(target: target, deadline: start + timeout)
    run.note(
      "probing \(Excerpt(target.withoutCredentials)) with the prober \(module.prober) within \(timeout.secondsDescription)"
    )
    switch module.probe {
    case .http(let settings): await probeHTTP(settings, hostname: hostname, &run)
    case .tcp(let settings): await probeTCP(settings, hostname: hostname, &run)
    case .icmp(let settings): await probeICMP(settings, &run)
    case .dns(let settings): await probeDNS(settings, &run)
    case .pipeline(let pipeline): await probePipeline(pipeline, &run)
    case .unsupported(let reason): run.fail(.invalidRequest, reason)
    }
    let duration = start.duration(to: .now)
    run.samples.set(.success, to: run.failure == nil)
    run.samples.set(.duration, to: duration / .seconds(1))
    run.samples.set(.timeout, to: timeout / .seconds(1))
    if let failure = run.failure { run.samples.set(.failure, [("reason", failure.reason.rawValue)], to: 1) }
    run.conclude("\(run.failure == nil ? "succeeded" : "failed") after \(duration.secondsDescription)")
    return ProbeReport(
      target: target, module: module, failure: run.failure, log: run.log,
      metrics: run.samples.bytes + run.furtherMetrics.utf8, duration: duration)
  }
}

/// A probe that has ended.
package struct ProbeReport: Sendable {
  /// The target as received from Prometheus.
  package let target: String
  package let module: ExporterModule
  /// The reason for the failure; nil if the probe succeeded.
  package let failure: ProbeFailure?
  /// The lines of the log, in order.
  let log: [String]
  /// Its samples in the text format, as UTF-8.
  let metrics: [UInt8]
  package let duration: Duration

  /// Its samples in the text format.
  package var text: String { String(decoding: metrics, as: UTF8.self) }

  /// The page about the probe: its log, its metrics and its module.
  package var page: String {
    let lines = log.map { "\($0)\n" }.joined()
    return "Logs for the probe:\n\(lines)\n\n\nMetrics that would have been returned:\n\(text)"
      + "\n\n\nModule configuration:\n\(module.text)"
  }
}

extension ExporterProber {
  /// Runs a pipeline, and adds the metrics of its report.
  func probePipeline(_ pipeline: ServedPipeline, _ run: inout ModuleRun) async {
    for (name, value) in pipeline.values.sorted(by: { $0.key < $1.key }) {
      run.note("\(name) is \(Excerpt(value))")
    }
    var plan = pipeline.plan
    // The bodies up to their limits; the run itself limits what it receives beyond them.
    let share = memory.share(of: plan.name, keepsBytes: true)
    defer { share.end() }
    guard await share.provide(plan.bodyBytes(upTo: memory.maximumBytes), by: run.deadline) else {
      return run.fail(share.shortage ?? .noMemoryInTime)
    }
    plan.run.deadline = min(plan.run.deadline ?? run.remaining, run.remaining)
    let result = await runner(of: pipeline).run(plan)
    run.note(result.verdictDescription)
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
    run.fail(failed.first?.reason ?? .rejected, result.verdictDescription)
  }
}

extension ProbePlan {
  /// The size of the bodies that a run may hold at a time, at most `maximum`.
  fileprivate func bodyBytes(upTo maximum: Int) -> Int {
    let sizes = sets.flatMap(\.probes).map { min(maximum, (try? $0.request.get().maxBody) ?? 0) }
    return min(maximum, min(run.concurrency, sizes.count) * (sizes.max() ?? 0))
  }
}
