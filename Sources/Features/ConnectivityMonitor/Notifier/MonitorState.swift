import ProbeCore
import ProbePipeline

/// The state of a monitor and its next steps: receives events and returns actions.
///
/// Times are counted from the monitor's start. Nothing here waits, sends or notifies; ``MonitorLoop`` does.
struct MonitorState {
  /// An action for the caller to perform.
  enum Action: Equatable {
    /// Start a check; its result must be passed back with its number.
    case check(Int)
    /// Cancel the check in progress; its result is no longer of use.
    case cancelCheck
    /// Announce ``state``, because a part of it that is announced has changed.
    case announce
    /// Report that a check has finished.
    case report
  }

  private(set) var state = ConnectivityState()
  /// The time of the next scheduled event, or nil for none.
  private(set) var nextEvent: Duration?

  private var settings: MonitorSettings
  private let random: @Sendable () -> Double
  private var pace = PollingPace()
  /// Whether no check has counted yet on the current network: then the first one takes effect immediately.
  private var isNew = true
  /// The number of consecutive checks that contradicted ``state``.
  private var contradictions = 0
  private var lastCheck = 0
  private var isChecking = false
  /// The latest time to which a network that keeps changing can delay its check.
  private var settlesAtLatest: Duration?

  /// A monitor in its initial state.
  ///
  /// - Parameters:
  ///   - settings: The schedule of checks, and the number of results that change the status.
  ///   - random: Returns random numbers, 0..<1, for the jitter.
  init(_ settings: MonitorSettings, random: @escaping @Sendable () -> Double) {
    self.settings = settings
    self.random = random
  }

  /// Whether a check can yield any information.
  private var hasWay: Bool {
    guard settings.requiresRoute, let path = state.path else { return true }
    return path.currentInterface != nil
  }
}

extension MonitorState {
  /// Handles the start of the monitor.
  ///
  /// - Parameters:
  ///   - path: Interfaces and routes, or the reason why they are unavailable.
  ///   - now: The time.
  /// - Returns: The actions to perform.
  mutating func started(_ path: Result<NetworkPath, PathFailure>, at now: Duration) -> [Action] {
    switch path {
    case .success(let path): state.path = path
    case .failure(let failure): state.pathFailure = failure
    }
    state.currentInterface = state.path?.currentInterface
    state.families = state.families(after: nil)
    return lookAnew(after: .zero, at: now)
  }

  /// Handles a change of interfaces or routes.
  mutating func changed(_ path: NetworkPath, at now: Duration) -> [Action] {
    let before = state.path
    state.path = path
    guard path.routesDiffer(from: before) else { return [] }
    return lookAnew(after: settings.settleTime, at: now)
  }

  /// Handles the loss of the source of interfaces and routes.
  mutating func lost(_ failure: PathFailure, at now: Duration) -> [Action] {
    state.path = nil
    state.pathFailure = failure
    return lookAnew(after: .zero, at: now)
  }

  /// Handles a new plan: the results of the old one no longer apply.
  mutating func planChanged(at now: Duration) -> [Action] {
    settlesAtLatest = nil
    return lookAnew(after: .zero, at: now)
  }

  /// Handles new settings.
  mutating func changed(_ settings: MonitorSettings, at now: Duration) -> [Action] {
    self.settings = settings
    return planChanged(at: now)
  }

  /// Handles a request for an immediate check.
  ///
  /// - Returns: The actions to perform; none if a check is in progress already, or if there is no route to
  ///   check.
  mutating func checkWanted(at now: Duration) -> [Action] {
    guard hasWay, !isChecking else { return [] }
    return startCheck()
  }

  /// Whether a check is in progress, or starts once the network has settled.
  var isBusy: Bool { isChecking || settlesAtLatest != nil }

  /// Handles the time of the next scheduled event.
  mutating func timePassed(at now: Duration) -> [Action] {
    guard let planned = nextEvent, planned <= now else { return [] }
    guard !isChecking else {
      nextEvent = nil
      return []
    }
    return startCheck()
  }

  mutating func checked(_ number: Int, _ result: RunResult, at now: Duration) -> [Action] {
    guard isChecking, number == lastCheck else { return [] }
    isChecking = false
    let before = state.announced
    take(result)
    let hasChanged = state.announced != before
    if hasChanged { pace.reset() } else { pace.note() }
    plan(at: now)
    return hasChanged ? [.announce, .report] : [.report]
  }

  /// The time until the next check unless an event causes an earlier one, or nil for none.
  func nextCheck(after now: Duration) -> Duration? {
    nextEvent.map { max(.zero, $0 - now) }
  }
}

extension MonitorState {
  private mutating func startCheck() -> [Action] {
    nextEvent = nil
    settlesAtLatest = nil
    lastCheck += 1
    isChecking = true
    return [.check(lastCheck)]
  }

  /// Discards the results of checks, and checks again once the network has settled.
  private mutating func lookAnew(after delay: Duration, at now: Duration) -> [Action] {
    var actions: [Action] = isChecking ? [.cancelCheck] : []
    isChecking = false
    isNew = true
    contradictions = 0
    pace.reset()
    guard hasWay else {
      nextEvent = nil
      settlesAtLatest = nil
      let before = state.announced
      state.loseWay()
      return state.announced == before ? actions : actions + [.announce]
    }
    // A network that never settles is checked nevertheless.
    let latest = settlesAtLatest ?? now + delay * 4
    settlesAtLatest = latest
    nextEvent = min(now + delay, latest)
    if delay == .zero { actions += startCheck() }
    return actions
  }

  /// Adopts the result of a check, unless it contradicts the current state and is not yet confirmed.
  private mutating func take(_ result: RunResult) {
    state.result = result
    state.latency = result.latency
    let isOnline = result.isAsHoped
    if !isNew, result.verdict != state.verdict {
      contradictions += 1
      guard contradictions >= max(1, isOnline ? settings.rise : settings.fall) else { return }
    }
    if isNew, isOnline, settings.rise > 1 {
      contradictions += 1
      guard contradictions >= settings.rise else { return }
    }
    isNew = false
    contradictions = 0
    state.adopt(result, slowLatency: settings.slowLatency)
  }

  private mutating func plan(at now: Duration) {
    let delay =
      contradictions > 0
      ? settings.recheckDelay
      : pace.delay(
        settings.polling, isConnected: state.isConnected, isPortal: state.verdict == .captivePortal,
        random: random())
    nextEvent = delay.map { now + $0 }
  }
}
