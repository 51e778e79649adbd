import ProbeCore

/// The state of a run: told what happened, it says what to do next.
///
/// Probes start in the order of the plan, as many at a time as the limits allow; one that has to wait for its host
/// does not hold up those behind it, and is the first to start once its host is free. A fallback's probes come behind
/// those of the sets that start with the run. As soon as the verdict is certain (``VerdictProgress``) nothing is started
/// any more, unless the plan says otherwise, and what runs has a moment of grace to finish: an answer that is on its way
/// belongs into the report. Every event costs constant time, taken over the whole run.
struct RunState {
  /// What to do next.
  enum Action: Hashable {
    /// Start the probe at this position.
    case start(Int)
    /// Cancel the probe at this position, which is running; it still has to report that it finished.
    case cancel(Int)
    /// Ask the API of RFC 8908.
    case askCapport
    /// Cancel that question; its end still has to be reported.
    case cancelCapport
    /// Tell when the time of ``RunState/grace`` has passed.
    case beginGrace
    /// Nothing is running and nothing is left to start: the results are complete.
    case finish
  }

  enum Phase { case waiting, running, cancelling, done }

  /// How long what runs may go on once the verdict is certain.
  static let grace = Duration.milliseconds(500)

  /// The probes of one host that wait because it has as many as it may; a chain through ``following``.
  private struct HostQueue {
    var running = 0
    var first: Int?
    var last: Int?
  }

  let limits: RunLimits
  private let stopsEarly: Bool
  /// Whether nothing starts before the API of RFC 8908 has been heard.
  private let waitsForCapport: Bool
  /// Where the probes of each set stand.
  let ranges: [Range<Int>]
  /// The set of each probe.
  private let sets: [Int]
  /// The position in ``queues`` of each probe's host; nil for a probe that goes nowhere.
  private let hosts: [Int?]
  private var queues: [HostQueue]
  private var following: [Int?]
  var phases: [Phase]
  /// The results in the order of the plan; complete once the run is finished.
  var results: [ProbeResult]
  /// What the API of RFC 8908 said; nil when it is not asked, or has not answered yet.
  var capport: CapportResult?
  var capportPhase: Phase
  var progress: VerdictProgress
  /// The probes of sets that may start, in order; those before the first have been started or wait for their host.
  private var ready: [Range<Int>] = []
  private var nextReady = 0
  private var running = 0
  /// How many probes are not done.
  private var pending: Int
  var stop: Stop?
  private var hasStarted = false
  private var isFinished = false

  /// A run of this plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  init(_ plan: ProbePlan, encryption: (URLScheme) -> Encryption? = \.usualEncryption) {
    let mayLeaveOut = plan.stopsEarly || plan.sets.contains { $0.start == .undecided }
    self.init(
      plan.sets, limits: plan.run, stopsEarly: plan.stopsEarly, asksCapport: plan.askedCapport != nil,
      asksCapportFirst: plan.asksCapportFirst,
      progress: VerdictProgress(
        plan.sets, success: plan.success, rules: plan.decide, asksCapport: plan.askedCapport != nil,
        portals: PortalProgress(
          mayLeaveOut ? plan.probes : [], policy: plan.policy, encryption: encryption)))
  }

  /// A run of these sets.
  init(
    _ plannedSets: [PlannedSet], limits: RunLimits, stopsEarly: Bool, asksCapport: Bool,
    asksCapportFirst: Bool = false, progress: VerdictProgress
  ) {
    waitsForCapport = asksCapportFirst
    self.limits = limits
    self.stopsEarly = stopsEarly
    self.progress = progress
    let probes = plannedSets.flatMap(\.probes)
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
    results = probes.map { ProbeResult(url: $0.url, outcome: .skipped, family: $0.family) }
    sets = plannedSets.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.probes.count) }
    var end = 0
    ranges = plannedSets.map { set in
      defer { end += set.probes.count }
      return end..<(end + set.probes.count)
    }
    for (set, range) in zip(plannedSets, ranges) where set.start == .always { ready.append(range) }
    pending = probes.count
    capportPhase = asksCapport ? .waiting : .done
  }
}

extension RunState {
  /// What came of one probe; nil as long as it has not finished.
  func result(of index: Int) -> ProbeResult? { phases[index] == .done ? results[index] : nil }

  /// Whether a probe has been started and has not finished.
  func isRunning(_ index: Int) -> Bool { phases[index] == .running || phases[index] == .cancelling }

  /// Whether the set at this position counts: every one does but a fallback that was not needed.
  func isNeeded(set: Int) -> Bool { progress.isNeeded(set) }

  /// The run begins.
  mutating func start() -> [Action] {
    guard stop == nil, !hasStarted else { return [] }
    hasStarted = true
    var actions: [Action] = []
    if capportPhase == .waiting {
      capportPhase = .running
      actions.append(.askCapport)
    }
    proceed(&actions)
    return actions
  }

  /// A probe has finished, by itself or because it was cancelled.
  mutating func finished(_ index: Int, _ result: ProbeResult) -> [Action] {
    guard isRunning(index) else { return [] }
    let isCancelling = phases[index] == .cancelling
    let family = results[index].family
    var result = result
    if isCancelling, let stop { result = ended(index, by: stop, with: result) }
    result.family = family
    running -= 1
    var actions: [Action] = []
    end(index, result)
    if let host = hosts[index] { queues[host].running -= 1 }
    proceed(&actions, freed: hosts[index])
    return actions
  }

  /// The API of RFC 8908 has answered, or could not be asked.
  mutating func finished(_ result: CapportResult) -> [Action] {
    guard capportPhase == .running || capportPhase == .cancelling else { return [] }
    capport = capportPhase == .cancelling ? stop.map { ended(result, by: $0) } ?? result : result
    capportPhase = .done
    progress.capportAnswered(CapportAnswer(capport))
    var actions: [Action] = []
    proceed(&actions)
    return actions
  }

  /// The time for the whole run is over.
  mutating func deadlinePassed() -> [Action] { end(by: .deadline) }

  /// The task that runs the probes was cancelled.
  mutating func cancelled() -> [Action] { end(by: .cancellation) }
}

extension RunState {
  /// Notes the outcome of a probe.
  mutating func end(_ index: Int, _ result: ProbeResult) {
    phases[index] = .done
    results[index] = result
    pending -= 1
    progress.finished(index, result, in: sets[index])
  }

  /// Draws the conclusions from what is known now, and says so when nothing is left.
  ///
  /// - Parameters:
  ///   - actions: Gets what is to be done.
  ///   - host: The host that one probe more may go to now.
  mutating func proceed(_ actions: inout [Action], freed host: Int? = nil) {
    if stop == nil { conclude(&actions) }
    if stop == nil, let host, let waiting = takeWaiting(of: host) { start(waiting, &actions) }
    startUnstarted(&actions)
    if pending == 0, capportPhase == .done, !isFinished {
      isFinished = true
      actions.append(.finish)
    }
  }

  /// Stops the run when the verdict is certain, starts fallbacks that are needed, and skips those that are not.
  private mutating func conclude(_ actions: inout [Action]) {
    // What is skipped may settle what comes behind it.
    var isSettled = false
    while !isSettled {
      isSettled = true
      if stopsEarly, progress.isCertain {
        if pending > 0 || capportPhase != .done { halt(by: .certainty, &actions) }
        return
      }
      while let fallback = progress.determineFallback() {
        isSettled = false
        if fallback.isNeeded {
          ready.append(ranges[fallback.set])
        } else {
          skip(set: fallback.set)
        }
      }
    }
  }

  private mutating func start(_ index: Int, _ actions: inout [Action]) {
    phases[index] = .running
    running += 1
    if let host = hosts[index] { queues[host].running += 1 }
    actions.append(.start(index))
  }

  /// Starts what comes next in the plan, as far as the limits allow.
  private mutating func startUnstarted(_ actions: inout [Action]) {
    guard !waitsForCapport || capportPhase == .done else { return }
    while stop == nil, running < limits.concurrency, nextReady < ready.count {
      guard let next = ready[nextReady].popFirst() else {
        nextReady += 1
        continue
      }
      guard phases[next] == .waiting else { continue }
      if let host = hosts[next], queues[host].running >= limits.perHost {
        letWait(next, for: host)
      } else {
        start(next, &actions)
      }
    }
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
    while let first = queues[host].first {
      queues[host].first = following[first]
      if following[first] == nil { queues[host].last = nil }
      // One that was skipped while it waited is passed over.
      if phases[first] == .waiting { return first }
    }
    return nil
  }
}
