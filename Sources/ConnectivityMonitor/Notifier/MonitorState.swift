import ProbeCore
import ProbePipeline

/// What a monitor knows and what it does next: told events, it answers with actions.
///
/// Times are counted from the monitor's start. Nothing here waits, asks or tells; ``MonitorLoop`` does.
struct MonitorState {
  /// Something to be done.
  enum Action: Equatable {
    /// Start a check; its number comes back with its result.
    case check(Int)
    /// Stop the check under way; its result is of no use any more.
    case cancelCheck
    /// Tell ``state`` to everyone, because it has changed in what counts.
    case announce
    /// Tell that a check has finished.
    case report
  }

  /// What is known.
  private(set) var state = ConnectivityState()
  /// When something is to be done though nothing happens, or nil for never.
  private(set) var nextEvent: Duration?

  private var settings: MonitorSettings
  private let random: @Sendable () -> Double
  private var pace = PollingPace()
  /// Whether no check has counted yet on the network as it is now: then the first one counts alone.
  private var isNew = true
  /// How many checks in a row have contradicted ``state``.
  private var contradictions = 0
  private var lastCheck = 0
  private var isChecking = false
  /// Until when a network that does not settle can put off the check of it.
  private var settlesAtLatest: Duration?

  /// A monitor that knows nothing yet.
  ///
  /// - Parameters:
  ///   - settings: When to check, and what makes it change its mind.
  ///   - random: Numbers at random, 0..<1, for the jitter.
  init(_ settings: MonitorSettings, random: @escaping @Sendable () -> Double) {
    self.settings = settings
    self.random = random
  }

  /// Whether something could be found out by asking.
  private var hasWay: Bool {
    guard settings.requiresRoute, let path = state.path else { return true }
    return path.currentInterface != nil
  }
}

extension MonitorState {
  /// The monitor starts.
  ///
  /// - Parameters:
  ///   - path: Interfaces and routes, or why nothing can be told of them.
  ///   - now: The time.
  /// - Returns: What to do.
  mutating func started(_ path: Result<NetworkPath, PathFailure>, at now: Duration) -> [Action] {
    switch path {
    case .success(let path): state.path = path
    case .failure(let failure): state.pathFailure = failure
    }
    state.currentInterface = state.path?.currentInterface
    state.families = state.families(after: nil)
    return lookAnew(after: .zero, at: now)
  }

  /// Interfaces or routes have changed.
  mutating func changed(_ path: NetworkPath, at now: Duration) -> [Action] {
    let before = state.path
    state.path = path
    guard path.routesDiffer(from: before) else { return [] }
    return lookAnew(after: settings.settleTime, at: now)
  }

  /// Nothing can be told of interfaces and routes any more.
  mutating func lost(_ failure: PathFailure, at now: Duration) -> [Action] {
    state.path = nil
    state.pathFailure = failure
    return lookAnew(after: .zero, at: now)
  }

  /// Something else is to be asked: nothing is known any more of what it says.
  mutating func askedAnew(at now: Duration) -> [Action] {
    settlesAtLatest = nil
    return lookAnew(after: .zero, at: now)
  }

  /// The monitor behaves otherwise from now on.
  mutating func changed(_ settings: MonitorSettings, at now: Duration) -> [Action] {
    self.settings = settings
    return askedAnew(at: now)
  }

  /// A check is wanted at once.
  ///
  /// - Returns: What to do; nothing when one is under way already, or when there is no way to ask by.
  mutating func checkWanted(at now: Duration) -> [Action] {
    guard hasWay, !isChecking else { return [] }
    return startCheck()
  }

  /// Whether a check is under way, or will be once the network has settled.
  var isBusy: Bool { isChecking || settlesAtLatest != nil }

  /// The time has come for whatever was planned.
  mutating func timePassed(at now: Duration) -> [Action] {
    guard let planned = nextEvent, planned <= now else { return [] }
    guard !isChecking else {
      nextEvent = nil
      return []
    }
    return startCheck()
  }

  /// A check has finished.
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

  /// The time from then on until the next check unless something happens before, or nil for none.
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

  /// Forgets what was found out by asking, and asks again once the network has settled.
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
    // A network that never settles is asked all the same.
    let latest = settlesAtLatest ?? now + delay * 4
    settlesAtLatest = latest
    nextEvent = min(now + delay, latest)
    if delay == .zero { actions += startCheck() }
    return actions
  }

  /// Takes over what a check says, unless it contradicts what is known and stands alone with that.
  private mutating func take(_ result: RunResult) {
    state.result = result
    state.latency = result.latency
    let isOnline = result.verdict == .online
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
