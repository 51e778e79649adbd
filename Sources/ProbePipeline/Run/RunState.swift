import ProbeCore

/// The course of a run: told what happened, it says what to do next.
///
/// Probes start in the order of the plan, as many at a time as the limits allow; one that has to wait for its host
/// does not hold up those behind it, and is the first to start once its host is free. Every event costs constant
/// time, taken over the whole run. It waits for all probes, as the decision from evidence weighs each of them.
struct RunState {
  /// What to do next.
  enum Action: Hashable {
    /// Start the probe at this position.
    case start(Int)
    /// Cancel the probe at this position, which is running; it still has to report that it finished.
    case cancel(Int)
    /// Nothing is running and nothing is left to start: the results are complete.
    case finish
  }

  private enum Phase { case waiting, running, done }

  /// What ended a run before its end.
  private enum Stop {
    case deadline
    case cancellation
  }

  /// The probes of one host that wait because it has as many as it may; a chain through ``following``.
  private struct HostQueue {
    var running = 0
    var first: Int?
    var last: Int?
  }

  private let limits: RunLimits
  /// The position in ``queues`` of each probe's host; nil for a probe that goes nowhere.
  private let hosts: [Int?]
  private var queues: [HostQueue]
  private var following: [Int?]
  private var phases: [Phase]
  /// The results in the order of the plan; complete once the run is finished.
  private(set) var results: [ProbeResult]
  /// Every probe before this one has been started or waits for its host.
  private var next = 0
  private var running = 0
  private var stop: Stop?

  /// A run of these probes.
  init(_ probes: [PlannedProbe], limits: RunLimits) {
    self.limits = limits
    var queueByHost: [String: Int] = [:]
    hosts = probes.map { probe in
      guard let host = try? probe.request.get().url.host else { return nil }
      let queue = queueByHost[host] ?? queueByHost.count
      queueByHost[host] = queue
      return queue
    }
    queues = Array(repeating: HostQueue(), count: queueByHost.count)
    following = Array(repeating: nil, count: probes.count)
    phases = Array(repeating: .waiting, count: probes.count)
    results = probes.map { ProbeResult(url: $0.url, outcome: .skipped) }
  }

  /// What came of one probe; nil as long as it has not finished.
  func result(of index: Int) -> ProbeResult? { phases[index] == .done ? results[index] : nil }

  /// The run begins.
  mutating func start() -> [Action] {
    var actions: [Action] = []
    startUnstarted(&actions)
    return actions
  }

  /// A probe has finished, by itself or because it was cancelled.
  mutating func finished(_ index: Int, _ result: ProbeResult) -> [Action] {
    guard phases[index] == .running else { return [] }
    phases[index] = .done
    running -= 1
    results[index] = stop.map { ended(index, by: $0, with: result) } ?? result
    var actions: [Action] = []
    if let host = hosts[index] {
      queues[host].running -= 1
      if stop == nil, let waiting = takeWaiting(of: host) { start(waiting, &actions) }
    }
    startUnstarted(&actions)
    return actions
  }

  /// The time for the whole run is over.
  mutating func deadlinePassed() -> [Action] { end(by: .deadline) }

  /// The task that runs the probes was cancelled.
  mutating func cancelled() -> [Action] { end(by: .cancellation) }
}

extension RunState {
  private mutating func start(_ index: Int, _ actions: inout [Action]) {
    phases[index] = .running
    running += 1
    if let host = hosts[index] { queues[host].running += 1 }
    actions.append(.start(index))
  }

  /// Starts what comes next in the plan, as far as the limits allow, and says so when nothing is left.
  private mutating func startUnstarted(_ actions: inout [Action]) {
    while stop == nil, running < limits.concurrency, next < phases.count {
      defer { next += 1 }
      if let host = hosts[next], queues[host].running >= limits.perHost {
        letWait(next, for: host)
      } else {
        start(next, &actions)
      }
    }
    // Whatever waits for its host waits for a probe that runs, so nothing is left when nothing runs.
    if running == 0, stop != nil || next == phases.count { actions.append(.finish) }
  }

  private mutating func letWait(_ index: Int, for host: Int) {
    if let last = queues[host].last {
      following[last] = index
    } else {
      queues[host].first = index
    }
    queues[host].last = index
  }

  private mutating func takeWaiting(of host: Int) -> Int? {
    guard let first = queues[host].first else { return nil }
    queues[host].first = following[first]
    if following[first] == nil { queues[host].last = nil }
    return first
  }
}

extension RunState {
  /// Ends the run: what has not started never will, and what runs is cancelled.
  private mutating func end(by cause: Stop) -> [Action] {
    guard stop == nil, phases.contains(where: { $0 != .done }) else { return [] }
    stop = cause
    var actions: [Action] = []
    for index in phases.indices {
      switch phases[index] {
      case .running: actions.append(.cancel(index))
      case .waiting:
        phases[index] = .done
        results[index] = neverStarted(index, because: cause)
      case .done: break
      }
    }
    startUnstarted(&actions)
    return actions
  }

  private func neverStarted(_ index: Int, because cause: Stop) -> ProbeResult {
    ProbeResult(
      url: results[index].url, outcome: .skipped, reason: reason(of: cause),
      detail: "\(text(of: cause)) before this probe was started")
  }

  /// The result of a probe that ran when the run ended: what it had learnt is kept, an answer that came too late
  /// does not count.
  private func ended(_ index: Int, by cause: Stop, with late: ProbeResult) -> ProbeResult {
    ProbeResult(
      url: results[index].url, outcome: cause == .deadline ? .failed : .skipped, reason: reason(of: cause),
      detail: "\(text(of: cause)) before this probe had finished", response: late.response)
  }

  private func reason(of cause: Stop) -> ReasonCode {
    switch cause {
    case .deadline: .totalTimeout
    case .cancellation: .cancelled
    }
  }

  private func text(of cause: Stop) -> String {
    switch (cause, limits.deadline) {
    case (.deadline, let deadline?): "the run's deadline of \(ValueSyntax.text(of: deadline)) passed"
    case (.deadline, nil): "the run's deadline passed"
    case (.cancellation, _): "the run was cancelled"
    }
  }
}
