import ProbeCore

/// The state of a run: it receives events, and returns the actions to perform.
///
/// Probes start in the order of the plan, as many at a time as the limits allow. A probe that waits for its
/// host does not delay those after it, and is the first to start once its host is free. Probes of a fallback
/// come after those of the sets that start with the run. As soon as the verdict is certain
/// (``VerdictProgress``), no further probe starts, unless the plan specifies otherwise, and running ones have a
/// grace period, because a response that is about to arrive belongs in the report. Each event costs constant
/// time on average over the run.
struct RunState {
  enum Action: Hashable {
    /// Start the probe at this position.
    case start(Int)
    /// Cancel the running probe at this position; its end must still be reported.
    case cancel(Int)
    /// Query the captive-portal API (RFC 8908).
    case requestCapport
    /// Cancel that query; its end must still be reported.
    case cancelCapport
    /// Report when the time ``RunState/grace`` has passed.
    case beginGrace
    /// Nothing is running or left to start: the results are complete.
    case finish
  }

  enum Phase { case waiting, running, cancelling, done }

  /// How long running probes may continue once the verdict is certain.
  static let grace = Duration.milliseconds(500)

  /// The probes of one host that wait because of its limit; a linked list through ``following``.
  private struct HostQueue {
    var running = 0
    var first: Int?
    var last: Int?
  }

  let limits: RunLimits
  private let stopsEarly: Bool
  /// Whether probes wait for the response of the captive-portal API.
  private let waitsForCapport: Bool
  /// The positions of the probes of each set.
  let ranges: [Range<Int>]
  /// Whether the probes of each set are steps.
  private let areSteps: [Bool]
  /// The set of each probe.
  private let sets: [Int]
  /// The position in ``queues`` of each probe's host; nil for a probe without a request.
  private let hosts: [Int?]
  private var queues: [HostQueue]
  private var following: [Int?]
  var phases: [Phase]
  /// The results in the order of the plan; complete once the run is finished.
  var results: [ProbeResult]
  /// The response of the captive-portal API; nil if it is not queried, or has not responded yet.
  var capport: CapportResult?
  var capportPhase: Phase
  var progress: VerdictProgress
  /// The probes of sets that may start, in order; those before the next one were started or wait for their
  /// host.
  private var ready: [Range<Int>] = []
  private var nextReady = 0
  private var running = 0
  /// The number of unfinished probes.
  private var pending: Int
  var stop: Stop?
  private var hasStarted = false
  private var isFinished = false

  /// Creates a run of this plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  init(_ plan: ProbePlan, encryption: (URLScheme) -> Encryption? = \.usualEncryption) {
    let mayLeaveOut = plan.stopsEarly || plan.sets.contains { $0.start == .undecided }
    self.init(
      plan.sets, limits: plan.run, stopsEarly: plan.stopsEarly, requestsCapport: plan.requestedCapport != nil,
      asksCapportFirst: plan.asksCapportFirst,
      progress: VerdictProgress(
        plan.sets, question: plan.question, success: plan.success, rules: plan.decide,
        requestsCapport: plan.requestedCapport != nil,
        portals: PortalProgress(
          mayLeaveOut ? plan.probes : [], policy: plan.policy, encryption: encryption)))
  }

  init(
    _ plannedSets: [PlannedSet], limits: RunLimits, stopsEarly: Bool, requestsCapport: Bool,
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
    results = probes.map { probe in
      var result = ProbeResult(url: probe.url, outcome: .skipped, family: probe.family)
      (result.name, result.labels) = (probe.name, probe.labels)
      return result
    }
    sets = plannedSets.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element.probes.count) }
    var end = 0
    ranges = plannedSets.map { set in
      defer { end += set.probes.count }
      return end..<(end + set.probes.count)
    }
    areSteps = plannedSets.map(\.isSequence)
    pending = probes.count
    capportPhase = requestsCapport ? .waiting : .done
    for (position, set) in plannedSets.enumerated() where set.start == .always {
      ready.append(firstProbes(of: position))
    }
  }
}

extension RunState {
  /// The result of a probe; nil until it has finished.
  func result(of index: Int) -> ProbeResult? { phases[index] == .done ? results[index] : nil }

  /// Whether a probe has been started and has not finished.
  func isRunning(_ index: Int) -> Bool { phases[index] == .running || phases[index] == .cancelling }

  /// Whether the set at this position counts: every set does except a fallback that was not needed.
  func isNeeded(set: Int) -> Bool { progress.isNeeded(set) }

  mutating func start() -> [Action] {
    guard stop == nil, !hasStarted else { return [] }
    hasStarted = true
    var actions: [Action] = []
    if capportPhase == .waiting {
      capportPhase = .running
      actions.append(.requestCapport)
    }
    proceed(&actions)
    return actions
  }

  /// A probe has finished, either normally or because it was cancelled.
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
    if areSteps[sets[index]], stop == nil { endStep(index) }
    if let host = hosts[index] { queues[host].running -= 1 }
    proceed(&actions, freed: hosts[index])
    return actions
  }

  /// The captive-portal API has responded, or could not be queried.
  mutating func finished(_ result: CapportResult) -> [Action] {
    guard capportPhase == .running || capportPhase == .cancelling else { return [] }
    capport = capportPhase == .cancelling ? stop.map { ended(result, by: $0) } ?? result : result
    capportPhase = .done
    progress.capportResponded(CapportResponse(capport))
    var actions: [Action] = []
    proceed(&actions)
    return actions
  }

  mutating func deadlinePassed() -> [Action] { end(by: .deadline) }

  mutating func cancelled() -> [Action] { end(by: .cancellation) }
}

extension RunState {
  mutating func end(_ index: Int, _ result: ProbeResult) {
    phases[index] = .done
    var result = result
    (result.name, result.labels) = (results[index].name, results[index].labels)
    results[index] = result
    pending -= 1
    progress.finished(index, result, in: sets[index])
  }

  /// Determines the next actions, including the end of the run if nothing is left.
  ///
  /// - Parameters:
  ///   - actions: The list to which actions are appended.
  ///   - host: A host that can now have one more probe.
  mutating func proceed(_ actions: inout [Action], freed host: Int? = nil) {
    if stop == nil { conclude(&actions) }
    if stop == nil, let host, let waiting = takeWaiting(of: host) { start(waiting, &actions) }
    startUnstarted(&actions)
    if pending == 0, capportPhase == .done, !isFinished {
      isFinished = true
      actions.append(.finish)
    }
  }

  /// Stops the run if the verdict is certain, starts the fallbacks that are needed, and skips those that are
  /// not.
  private mutating func conclude(_ actions: inout [Action]) {
    // Skipping a fallback may settle those after it.
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
          ready.append(firstProbes(of: fallback.set))
        } else {
          skip(set: fallback.set)
        }
      }
    }
  }

  /// The probes with which a set starts: its first step, or all.
  private func firstProbes(of set: Int) -> Range<Int> {
    areSteps[set] ? ranges[set].prefix(1) : ranges[set]
  }

  /// A step has finished: the next one may start, or those after it are skipped.
  private mutating func endStep(_ index: Int) {
    let rest = (index + 1)..<ranges[sets[index]].upperBound
    if results[index].outcome == .accepted {
      ready.append(rest.prefix(1))
      return
    }
    let name = results[index].name.map { Excerpt($0) } ?? Excerpt(results[index].url)
    let reason = results[index].reason.map { ": \($0)" } ?? ""
    for step in rest where phases[step] == .waiting {
      end(
        step,
        ProbeResult(
          url: results[step].url, outcome: .skipped, reason: .earlierStep,
          detail: "not sent: the step \(name) was not accepted\(reason)"))
    }
  }

  private mutating func start(_ index: Int, _ actions: inout [Action]) {
    phases[index] = .running
    running += 1
    if let host = hosts[index] { queues[host].running += 1 }
    actions.append(.start(index))
  }

  /// Starts the next probes of the plan, as far as the limits allow.
  private mutating func startUnstarted(_ actions: inout [Action]) {
    guard !waitsForCapport || capportPhase == .done else { return }
    while stop == nil, running < limits.concurrency, nextReady < ready.count {
      guard let next = ready[nextReady].popFirst() else {
        nextReady += 1
        continue
      }
      guard phases[next] == .waiting else { continue }
      if let host = hosts[next], queues[host].running >= limits.perHost {
        enqueue(next, for: host)
      } else {
        start(next, &actions)
      }
    }
  }

  private mutating func enqueue(_ index: Int, for host: Int) {
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
      // Probes that were skipped while they waited are ignored.
      if phases[first] == .waiting { return first }
    }
    return nil
  }
}
