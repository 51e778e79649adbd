import ProbeCore

/// One run under way: does what ``RunState`` says, and tells it what happens.
///
/// Each probe is one task, which runs where its transport's connections do, so that starting it and taking its answer
/// changes no thread. It can be cancelled alone; a group could only cancel all of its tasks.
struct RunCourse {
  private enum Event: Sendable {
    case finished(Int, ProbeResult)
    case capport(CapportResult)
    case deadlinePassed
    case cancelled
  }

  private let plan: ProbePlan
  private let probes: [PlannedProbe]
  private let transports: TransportRegistry
  private let clock: any Clock<Duration>
  private let prober: Prober
  private let rule: OutcomeRule
  private let events = EventQueue<Event>()
  private var state: RunState
  private var tasks: [Task<Void, Never>?]
  private var capportTask: Task<Void, Never>?

  /// A run of this plan.
  init(_ plan: ProbePlan, _ transports: TransportRegistry, _ clock: any Clock<Duration>) {
    self.plan = plan
    self.transports = transports
    self.clock = clock
    probes = plan.probes
    prober = Prober(transports, policy: plan.policy, clock: clock)
    rule = OutcomeRule { transports.encryption(of: $0) }
    state = RunState(plan)
    tasks = Array(repeating: nil, count: probes.count)
  }

  /// Where the first probe runs, and as good as always the others too.
  var executor: (any TaskExecutor)? {
    probes.first { (try? $0.request.get()) != nil }.flatMap { executor(of: $0) }
  }

  /// Runs to the end.
  ///
  /// - Parameter progress: Told each probe that has finished.
  /// - Returns: What came of everything.
  nonisolated(nonsending) mutating func run(
    _ progress: (@Sendable (Int, ProbeResult) -> Void)?
  ) async -> RunState {
    let events = events
    let timer = plan.run.deadline.map { deadline in
      Task { [clock] in
        // A clock that fails is no deadline that has passed.
        guard (try? await clock.sleep(for: deadline)) != nil else { return }
        events.send(.deadlinePassed)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      var isFinished = carryOut(Task.isCancelled ? state.cancelled() : state.start())
      while !isFinished {
        for event in await events.take() where !isFinished {
          // Before the event itself: a result that cancellation brought about is not the probe's own.
          if Task.isCancelled { isFinished = carryOut(state.cancelled()) }
          isFinished = carryOut(taken(event, progress)) || isFinished
        }
      }
      return state
    } onCancel: {
      events.send(.cancelled)
    }
  }
}

extension RunCourse {
  private mutating func taken(
    _ event: Event, _ progress: (@Sendable (Int, ProbeResult) -> Void)?
  ) -> [RunState.Action] {
    switch event {
    case .finished(let index, var result):
      tasks[index] = nil
      let body = result.response?.body
      // All answers of a large run would fill the memory.
      result.response?.body = []
      let actions = state.finished(index, result)
      if let progress, var finished = state.result(of: index) {
        finished.response?.body = body ?? []
        progress(index, finished)
      }
      return actions
    case .capport(let result):
      capportTask = nil
      return state.finished(result)
    case .deadlinePassed: return state.deadlinePassed()
    case .cancelled: return state.cancelled()
    }
  }

  /// Does what the state says; returns whether the run is finished.
  private mutating func carryOut(_ actions: [RunState.Action]) -> Bool {
    for action in actions {
      switch action {
      case .start(let index): start(index)
      case .cancel(let index): tasks[index]?.cancel()
      case .askCapport: askCapport()
      case .cancelCapport: capportTask?.cancel()
      case .finish: return true
      }
    }
    return false
  }

  private mutating func start(_ index: Int) {
    let probe = probes[index]
    tasks[index] = Task(executorPreference: executor(of: probe)) { [prober, rule, events] in
      events.send(.finished(index, await Self.result(of: probe, prober, rule)))
    }
  }

  private func executor(of probe: PlannedProbe) -> (any TaskExecutor)? {
    guard let request = try? probe.request.get() else { return nil }
    return transports[request.url.scheme]?.executor
  }

  private mutating func askCapport() {
    guard let url = plan.capport else { return }
    capportTask = Task { [transports, clock, events] in
      events.send(.capport(await CapportResult(asking: url, over: transports, clock)))
    }
  }

  private static func result(
    of probe: PlannedProbe, _ prober: Prober, _ rule: OutcomeRule
  ) async -> ProbeResult {
    do throws(ProbeFailure) {
      let request = try probe.request.get()
      let answer = try await prober.probe(request)
      let result = rule.result(of: probe, asked: request.url, answer: answer)
      return request.redactor.map { result.redacted(by: $0, probe, asked: request.url, rule) } ?? result
    } catch {
      return rule.result(of: probe, failure: error)
    }
  }
}
