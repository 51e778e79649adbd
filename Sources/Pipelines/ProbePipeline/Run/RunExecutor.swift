import PortalAnalysis
import ProbeBase
import ProbeCore

/// Executes a run: performs the actions of ``RunState``, and passes it the events.
///
/// Probes are made by workers: tasks on the executor of their transport's connections, so that starting a
/// probe and receiving its response does not switch threads. A worker makes one probe after another, because
/// a new task costs more. If its probe was cancelled, the worker ends too, because a task stays cancelled.
struct RunExecutor {
  enum Event: Sendable {
    /// A worker has finished a probe, and waits for the position of the next one.
    case finished(Int, ProbeResult, CheckedContinuation<Int?, Never>)
    case capport(CapportResult)
    case deadlinePassed
    case gracePassed
    case cancelled
  }

  /// The workers for one scheme.
  private struct WorkerPool {
    let scheme: URLScheme?
    let executors: [any TaskExecutor]
    /// The number of workers created.
    var made = 0
    /// The workers that wait for their next probe.
    var idle: [(task: Task<Void, Never>, next: CheckedContinuation<Int?, Never>)] = []

    /// The number of workers that share a thread before the next thread is used.
    static let perThread = 8

    /// The executor of the next worker: a few stay together, many are distributed over all threads.
    mutating func nextExecutor() -> (any TaskExecutor)? {
      guard !executors.isEmpty else { return nil }
      defer { made += 1 }
      return executors[made / Self.perThread % executors.count]
    }
  }

  private let plan: ProbePlan
  private let probes: [PlannedProbe]
  private let transports: TransportRegistry
  private let clock: any Clock<Duration>
  private let prober: Prober
  private let judging: ProbeJudging
  private let sequences: [Int: StepSequence]
  private let furtherMemory = FurtherBodyMemory()
  private let events = EventQueue<Event>()
  private var state: RunState
  private var pools: [WorkerPool] = []
  /// The position in ``pools`` of each probe.
  private var poolOfProbe: [Int] = []
  private var tasks: [Task<Void, Never>?]
  private var capportTask: Task<Void, Never>?
  private var graceTask: Task<Void, Never>?
  private var signs = SharedSigns()
  private var longURLs = LongURLRoom()

  init(_ plan: ProbePlan, _ transports: TransportRegistry, _ clock: any Clock<Duration>) {
    let transports = transports.adding(plan.pluginTransports)
    self.plan = plan
    self.transports = transports
    self.clock = clock
    probes = plan.probes
    sequences = plan.sequences
    prober = Prober(transports, policy: plan.policy, clock: clock)
    judging = ProbeJudging(
      rule: OutcomeRule(question: plan.question) { transports.encryption(of: $0) },
      redactors: Redactors(plan.probes))
    state = RunState(plan) { transports.encryption(of: $0) }
    tasks = Array(repeating: nil, count: probes.count)
    poolOfProbe.reserveCapacity(probes.count)
    for probe in probes { poolOfProbe.append(pool(for: probe)) }
  }

  /// The executor of the first probe, and almost always of the others too.
  var taskExecutor: (any TaskExecutor)? { pools.first { $0.scheme != nil }?.executors.first }

  /// Executes the run to its end.
  ///
  /// - Parameter progress: Called with each finished probe.
  /// - Returns: The final state.
  nonisolated(nonsending) mutating func run(
    _ progress: (@Sendable (Int, ProbeResult) -> Void)?
  ) async -> RunState {
    let events = events
    let timer = plan.run.deadline.map { deadline in
      Task { [clock] in
        // If the clock fails, the deadline has not passed.
        guard (try? await clock.sleep(for: deadline)) != nil else { return }
        events.send(.deadlinePassed)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      let keepsResponses = progress != nil
      var taken: [Event] = []
      var isFinished = perform(Task.isCancelled ? state.cancelled() : state.start(), keepsResponses)
      while !isFinished {
        await events.take(into: &taken)
        for event in taken {
          // Before the event itself, because a result that was caused by cancellation is not the probe's own.
          if Task.isCancelled { isFinished = perform(state.cancelled(), keepsResponses) || isFinished }
          isFinished = perform(handle(event, progress), keepsResponses) || isFinished
        }
      }
      graceTask?.cancel()
      for pool in pools {
        for worker in pool.idle { worker.next.resume(returning: nil) }
      }
      return state
    } onCancel: {
      events.send(.cancelled)
    }
  }
}

extension RunExecutor {
  private mutating func pool(for probe: PlannedProbe) -> Int {
    var scheme: URLScheme?
    if case .success(let request) = probe.request { scheme = request.url.scheme }
    if let pool = pools.firstIndex(where: { $0.scheme == scheme }) { return pool }
    pools.append(WorkerPool(scheme: scheme, executors: scheme.flatMap { transports[$0]?.executors } ?? []))
    return pools.count - 1
  }

  /// Passes an event to the state.
  private mutating func handle(
    _ event: Event, _ progress: (@Sendable (Int, ProbeResult) -> Void)?
  ) -> [RunState.Action] {
    switch event {
    case .finished(let index, let result, let next):
      if let task = tasks[index].take(), !task.isCancelled {
        pools[poolOfProbe[index]].idle.append((task, next))
      } else {
        next.resume(returning: nil)
      }
      var kept = result.analysis == nil ? result : signs.shared(with: result)
      longURLs.fit(&kept)
      guard let progress else { return state.finished(index, kept) }
      // Complete responses of a large run would fill the memory.
      kept.response?.keepForReport()
      let actions = state.finished(index, kept)
      if var reported = state.result(of: index) {
        if reported.response != nil { reported.response = result.response }
        progress(index, reported)
      }
      return actions
    case .capport(let result):
      capportTask = nil
      return state.finished(result)
    case .deadlinePassed: return state.deadlinePassed()
    case .gracePassed: return state.gracePassed()
    case .cancelled: return state.cancelled()
    }
  }

  /// Performs actions; returns whether the run is finished.
  private mutating func perform(_ actions: [RunState.Action], _ keepsResponses: Bool) -> Bool {
    for action in actions {
      switch action {
      case .start(let index): start(index, keepsResponses)
      case .cancel(let index): tasks[index]?.cancel()
      case .requestCapport: requestCapport()
      case .cancelCapport: capportTask?.cancel()
      case .beginGrace:
        graceTask = Task { [clock, events] in
          try? await clock.sleep(for: RunState.grace)
          events.send(.gracePassed)
        }
      case .finish: return true
      }
    }
    return false
  }

  private mutating func start(_ index: Int, _ keepsResponses: Bool) {
    let pool = poolOfProbe[index]
    if let worker = pools[pool].idle.popLast() {
      tasks[index] = worker.task
      return worker.next.resume(returning: index)
    }
    let worker = RunWorker(
      probes: probes, prober: prober, judging: judging,
      encryption: pools[pool].scheme.flatMap(judging.rule.encryption), keepsResponses: keepsResponses,
      sequences: sequences,
      furtherReading: FurtherBodyReading(furtherMemory) { [rule = judging.rule, probes] in
        rule.isUnexpected($0, to: probes[$1])
      },
      events: events)
    tasks[index] = Task(executorPreference: pools[pool].nextExecutor()) { await worker.work(from: index) }
  }

  private mutating func requestCapport() {
    guard let url = plan.requestedCapport else { return }
    capportTask = Task {
      [transports, clock, events, redactors = judging.redactors, connection = plan.connectionOfCapport] in
      let result = await CapportResult(requesting: url, by: connection, over: transports, clock)
      events.send(.capport(redactors.ofAll.map(result.redacted) ?? result))
    }
  }
}

/// Stores each list of signs only once.
///
/// If a third party intercepts all requests, a hundred thousand responses may have the same signs.
struct SharedSigns {
  private static let limit = 1000

  private var signs: [UInt64: [ResponseSign]] = [:]

  /// The result with the signs of the first similar response.
  ///
  /// After a thousand kinds of responses, the signs of further kinds are not kept.
  mutating func shared(with result: ProbeResult) -> ProbeResult {
    guard var analysis = result.analysis, !analysis.signs.isEmpty else { return result }
    if let known = signs[analysis.likeness] {
      analysis.signs = known
    } else if signs.count < Self.limit {
      signs[analysis.likeness] = analysis.signs
    } else {
      analysis.signs = []
    }
    var result = result
    result.analysis = analysis
    return result
  }
}
