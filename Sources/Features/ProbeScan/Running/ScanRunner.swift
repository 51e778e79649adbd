package import ProbeCore
import ProbeBase
import ProbeSystem
import ProbePipeline

/// Probes lines as they come, many at a time, in constant memory: it keeps no plan and no result.
///
/// Probes are made by workers on the executors of the transports, as in a run of a pipeline; see `RunExecutor`.
package final class ScanRunner: Sendable {
  /// The receiver of results.
  package struct Output: Sendable {
    /// Waits until there is room for another result.
    let room: @Sendable () async -> Void
    /// Receives a result, on the thread of its connection: it must not wait.
    let take: @Sendable (ScanLine, ProbeResult) -> Void
  }

  private let plan: ScanPlan
  private let prober: Prober
  private let judging: ProbeJudging
  private let transports: TransportRegistry
  private let executors: [any TaskExecutor]
  private let limitsAddresses: Bool
  private let isPaced: Bool
  private let output: Output
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let state: Guarded<ScanState>
  private let tasks = Guarded<[Task<Void, Never>]>([])

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - plan: How to probe a line.
  ///   - limits: The limits of the scan.
  ///   - transports: The transports of the probes.
  ///   - clock: The clock for rates and retries.
  ///   - output: The receiver of results.
  package init(
    _ plan: ScanPlan, _ limits: ScanLimits, over transports: TransportRegistry, clock: any Clock<Duration>,
    output: Output
  ) {
    self.plan = plan
    self.transports = transports
    self.output = output
    self.clock = clock
    elapsed = clock.stopwatch()
    prober = Prober(transports, policy: plan.policy, clock: clock)
    judging = ProbeJudging(
      rule: OutcomeRule(question: plan.question) { transports.encryption(of: $0) },
      redactors: Redactors(plan.probes))
    executors =
      ([.https] + transports.schemes).lazy.compactMap { transports[$0]?.executors }
      .first { !$0.isEmpty } ?? []
    limitsAddresses = limits.perAddress != nil
    isPaced = limits.interval != nil
    state = Guarded(ScanState(limits))
  }

  /// The number of lines that are being probed.
  package var inFlight: Int { state.withLock(\.inFlight) }

  /// Adds a line, once there is room for it; only one task may call this.
  package func add(_ line: ScanLine) async {
    guard let host = line.host else {
      await output.room()
      return finish(line, plan.probe(for: line), .failure(ProbeFailure(.invalidRequest, "")))
    }
    var isAdded = false
    change { isAdded = $0.add(line, host: host) }
    guard !isAdded else { return }
    await withCheckedContinuation { continuation in change { $0.waitForRoom(continuation) } }
    change { _ = $0.add(line, host: host) }
  }

  /// Waits until every line has its result, or has been abandoned.
  package func end() async {
    await withCheckedContinuation { continuation in
      change { state in
        state.complete()
        state.waitForEnd(continuation)
      }
    }
  }

  /// Abandons all unfinished lines, and passes on no results for them.
  package func stop() {
    change { $0.stop() }
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  /// Changes the state, and resumes every worker or waiter that can continue.
  private func change(_ body: (inout ScanState) -> Void) {
    let wakes = state.withLock { state in
      body(&state)
      return state.wakes()
    }
    for wake in wakes {
      switch wake {
      case .worker(let worker, let item): worker.resume(returning: item)
      case .other(let waiter): waiter.resume()
      case .start(let item): startWorker(with: item)
      }
    }
  }

  private func startWorker(with item: ScanQueue.Item) {
    let task = tasks.withLock { tasks in
      let executor = executors.isEmpty ? nil : executors[tasks.count / Self.perThread % executors.count]
      let task = Task(executorPreference: executor) { await self.work(from: item) }
      tasks.append(task)
      return task
    }
    // The scan may have been stopped in the meantime.
    if state.withLock(\.isStopped) { task.cancel() }
  }

  /// The number of workers that share a thread before the next thread is used.
  private static let perThread = 8
}

extension ScanRunner {
  private func work(from first: ScanQueue.Item) async {
    var next: ScanQueue.Item? = first
    while let item = next {
      await output.room()
      let probe = plan.probe(for: item.line)
      if limitsAddresses, item.found == nil, let request = try? probe.request.get() {
        next = await found(await addresses(for: request), for: item, probe)
      } else {
        next = await line(after: item, probe, await response(to: probe, item.found))
      }
    }
  }

  private func response(
    to probe: PlannedProbe, _ found: FoundAddresses?
  ) async -> Result<ProbeResponse, ProbeFailure> {
    do throws(ProbeFailure) {
      var request = try probe.request.get()
      request.knownAddresses = found
      request.checksOwnAddress = judging.rule.question == .internet
      if isPaced {
        let wait = state.withLock { $0.pace.take(at: elapsed()) }
        if wait > .zero { try? await clock.sleep(for: wait) }
      }
      return .success(try await prober.response(to: request))
    } catch {
      return .failure(error)
    }
  }

  private func addresses(for request: ProbeRequest) async -> Result<FoundAddresses?, ProbeFailure> {
    do throws(ProbeFailure) {
      // If the prober refuses a request, its host must not be looked up either.
      try prober.check(request)
      let finder = transports[request.url.scheme] as? any AddressFinding
      return .success(try await finder?.addresses(for: request))
    } catch {
      return .failure(error)
    }
  }

  /// Waits for slots at the addresses of a line, or ends it if its lookup failed.
  ///
  /// - Returns: The line to probe next: this one, if it has its slots, or another.
  private func found(
    _ addresses: Result<FoundAddresses?, ProbeFailure>, for item: ScanQueue.Item, _ probe: PlannedProbe
  ) async -> ScanQueue.Item? {
    switch addresses {
    case .failure(let failure): return await line(after: item, probe, .failure(failure))
    case .success(let found):
      var item = item
      // A transport without lookups, or a proxy, is not limited.
      item.found = found ?? FoundAddresses(host: item.host, addresses: [])
      // An IPv6 address that contains an IPv4 address is a way to the same server.
      item.addresses = Array(
        Set(item.found?.addresses.map { $0.address.embeddedV4.first ?? $0.address } ?? []))
      return await withCheckedContinuation { continuation in
        var hasSlots = false
        change { state in
          hasSlots = state.queue.takeAddressSlots(of: item)
          if !hasSlots { state.wait(continuation) }
        }
        if hasSlots { continuation.resume(returning: item) }
      }
    }
  }

  /// Ends a line.
  ///
  /// - Returns: The line to probe next; nil for none.
  private func line(
    after item: ScanQueue.Item, _ probe: PlannedProbe, _ response: Result<ProbeResponse, ProbeFailure>
  ) async -> ScanQueue.Item? {
    // Otherwise it was cut short.
    if !Task.isCancelled {
      if let request = try? probe.request.get(), judging.needsOtherThread(response, to: request) {
        // On this thread it would block every connection.
        await finishOnComputingThread(item.line, probe, response)
      } else {
        finish(item.line, probe, response)
      }
    }
    // A refusal takes no time, and many of them in a row would keep this thread from its connections.
    if case .failure = response { await Task.yield() }
    var next: ScanQueue.Item?
    change { next = $0.finished(item) }
    if let next { return next }
    return await withCheckedContinuation { continuation in change { $0.wait(continuation) } }
  }

  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  private func finish(
    _ line: ScanLine, _ probe: PlannedProbe, _ response: Result<ProbeResponse, ProbeFailure>
  ) {
    pass(result(of: probe, response), of: line)
  }

  @inline(never)
  private func finishOnComputingThread(
    _ line: ScanLine, _ probe: PlannedProbe, _ response: Result<ProbeResponse, ProbeFailure>
  ) async {
    let result = await ComputingThreads.run(within: ProbeJudging.timeLimit(of: probe)) {
      self.result(of: probe, response)
    }
    if let result { pass(result, of: line) }
  }

  private func pass(_ result: ProbeResult, of line: ScanLine) {
    // Cancellation ends a search.
    if !Task.isCancelled { output.take(line, result) }
  }

  private func result(of probe: PlannedProbe, _ response: Result<ProbeResponse, ProbeFailure>) -> ProbeResult
  {
    var result = judging.result(of: probe, response)
    result.labels = probe.labels
    return result
  }
}
