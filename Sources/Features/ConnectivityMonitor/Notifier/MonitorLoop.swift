import ProbeBase
import ProbeCore
import ProbePipeline

/// A running monitor, from start to stop: passes events to ``MonitorState`` and performs its actions.
struct MonitorLoop {
  /// An event or a request.
  enum Event: Sendable {
    case changed(NetworkPath)
    case pathsEnded
    /// The timer with this number has fired.
    case timePassed(Int)
    case checked(Int, RunResult)
    case use(ProbePlan, TransportRegistry)
    case settings(MonitorSettings)
    case checkWanted(Int, CheckedContinuation<ConnectivityState, Never>)
    case checkUnwanted(Int)
    case stop
  }

  /// The dependencies of a monitor.
  struct Parts: Sendable {
    var plan: ProbePlan
    var transports: TransportRegistry
    var settings: MonitorSettings
    var paths: @Sendable () throws(PathFailure) -> any PathSource
    var clock: any Clock<Duration>
    var random: @Sendable () -> Double
  }

  private var parts: Parts
  private let events: EventQueue<Event>
  private let announce: @Sendable (ConnectivityState) -> Void
  private let report: @Sendable (ConnectivityCheck) -> Void
  private var monitor: MonitorState
  private var check: Task<Void, Never>?
  private var timer: (number: Int, end: Duration, task: Task<Void, Never>)?
  private var lastTimer = 0
  /// The continuations that wait for the check in progress, by the numbers of their callers.
  private var waiting: [Int: CheckedContinuation<ConnectivityState, Never>] = [:]

  /// A monitor.
  ///
  /// - Parameters:
  ///   - parts: Its dependencies.
  ///   - events: The queue of its events.
  ///   - announce: Receives each change, one at a time.
  ///   - report: Receives each check that has finished, one at a time.
  init(
    _ parts: Parts, events: EventQueue<Event>, announce: @escaping @Sendable (ConnectivityState) -> Void,
    report: @escaping @Sendable (ConnectivityCheck) -> Void
  ) {
    self.parts = parts
    self.events = events
    self.announce = announce
    self.report = report
    monitor = MonitorState(parts.settings, random: parts.random)
  }

  /// Runs until it is stopped, and ends everything that it has started.
  mutating func run() async {
    let elapsed = parts.clock.stopwatch()
    var pathTask: Task<Void, Never>?
    do throws(PathFailure) {
      let source = try parts.paths()
      let path = source.path
      pathTask = Task { [events] in
        for await path in source.changes() { events.send(.changed(path)) }
        events.send(.pathsEnded)
      }
      perform(monitor.started(.success(path), at: elapsed()), at: elapsed())
    } catch {
      perform(monitor.started(.failure(error), at: elapsed()), at: elapsed())
    }
    arm(at: elapsed())
    var taken: [Event] = []
    var isStopped = false
    while !isStopped {
      await events.take(into: &taken)
      for event in taken where !isStopped { isStopped = handle(event, at: elapsed()) }
      arm(at: elapsed())
    }
    let left = [pathTask, check, timer?.task].compactMap(\.self)
    for task in left { task.cancel() }
    resumeWaiting()
    for task in left { await task.value }
  }
}

extension MonitorLoop {
  /// Passes an event to the state; returns whether the loop should end.
  private mutating func handle(_ event: Event, at now: Duration) -> Bool {
    switch event {
    case .changed(let path): perform(monitor.changed(path, at: now), at: now)
    case .pathsEnded:
      perform(monitor.lost(PathFailure("interfaces and routes can be watched no more"), at: now), at: now)
    case .timePassed(let number):
      // An event of a replaced timer may already have been queued.
      guard number == timer?.number else { break }
      timer = nil
      perform(monitor.timePassed(at: now), at: now)
    case .checked(let number, let result): perform(monitor.checked(number, result, at: now), at: now)
    case .use(let plan, let transports):
      parts.plan = plan
      parts.transports = transports
      perform(monitor.planChanged(at: now), at: now)
    case .settings(let settings): perform(monitor.changed(settings, at: now), at: now)
    case .checkWanted(let number, let continuation):
      waiting[number] = continuation
      perform(monitor.checkWanted(at: now), at: now)
    case .checkUnwanted(let number): waiting.removeValue(forKey: number)?.resume(returning: monitor.state)
    case .stop: return true
    }
    if !monitor.isBusy { resumeWaiting() }
    return false
  }

  private mutating func resumeWaiting() {
    for continuation in waiting.values { continuation.resume(returning: monitor.state) }
    waiting = [:]
  }

  private mutating func perform(_ actions: [MonitorState.Action], at now: Duration) {
    for action in actions {
      switch action {
      case .check(let number): start(number)
      case .cancelCheck: check?.cancel()
      case .announce: announce(monitor.state)
      case .report:
        guard let result = monitor.state.result else { continue }
        report(
          ConnectivityCheck(result: result, state: monitor.state, nextCheck: monitor.nextCheck(after: now)))
      }
    }
  }

  private mutating func start(_ number: Int) {
    let before = check
    check = Task { [parts, events] in
      // One at a time, even if a cancelled check takes a moment to end.
      await before?.value
      guard !Task.isCancelled else { return }
      let result = await PipelineRunner(parts.transports, clock: parts.clock).run(parts.plan)
      guard !Task.isCancelled else { return }
      events.send(.checked(number, result))
    }
  }

  /// Starts the timer for the next scheduled event.
  private mutating func arm(at now: Duration) {
    guard let end = monitor.nextEvent else {
      timer?.task.cancel()
      timer = nil
      return
    }
    if let timer, timer.end == end { return }
    timer?.task.cancel()
    lastTimer += 1
    let task = Task { [clock = parts.clock, events, number = lastTimer] in
      try? await clock.sleep(for: max(.zero, end - now))
      if !Task.isCancelled { events.send(.timePassed(number)) }
    }
    timer = (lastTimer, end, task)
  }
}
