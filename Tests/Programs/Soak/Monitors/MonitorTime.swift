import ConnectivityMonitor
import FixtureReplay
import ProbeCore
import TestSupport

/// A monitor from its start to its stop.
struct MonitorTime: Sendable {
  private let monitor: Connectivity
  private let paths: RandomPaths
  private let server: ReplayServer
  /// The mark of this period's paths.
  private let mark: Int
  private let tally: Tally
  private let numbers: SeededNumbers

  init(
    monitor: Connectivity, paths: RandomPaths, server: ReplayServer, mark: Int, tally: Tally,
    _ numbers: SeededNumbers
  ) {
    self.monitor = monitor
    self.paths = paths
    self.server = server
    self.mark = mark
    self.tally = tally
    self.numbers = numbers
  }

  /// The kinds of interfaces, and nil for a machine without a route.
  private static let kinds: [InterfaceKind?] = [.wifi, .ethernet, .cellular, nil]

  /// Plays the period.
  ///
  /// - Parameter isStopped: Whether the monitor is stopped at the end, rather than released by its holders.
  func play(isStopped: Bool) async {
    var numbers = numbers
    paths.change(to: NetworkPath(over: .wifi, mark: mark))
    var tasks: [Task<Void, Never>] = []
    // Keeps the monitor running, so that this is a single period.
    let keeper = listener(isFirst: true, upTo: nil)
    if numbers.once(in: 2) { monitor.start() }
    for _ in 0..<numbers.size(1...60) { await act(&numbers, &tasks) }
    await settle(&numbers)
    if isStopped {
      monitor.stop()
      await monitor.stopped()
      if monitor.isRunning { tally.problem("a stopped monitor is running") }
    } else {
      keeper.cancel()
      for task in tasks { task.cancel() }
      // After an explicit start it runs until its last reference is released.
    }
    await keeper.value
    for task in tasks { await task.value }
  }

  private func listener(isFirst: Bool = false, upTo count: Int?) -> Task<Void, Never> {
    let changes = monitor.changes.makeAsyncIterator()
    return Task { [mark, tally] in
      await MonitorListener.hear(changes, mark: mark, isFirst: isFirst, upTo: count, tally)
    }
  }

  private func act(_ numbers: inout SeededNumbers, _ tasks: inout [Task<Void, Never>]) async {
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0, 1:
      let number = Int.random(in: 0..<3, using: &numbers)
      paths.change(to: NetworkPath(over: numbers.pick(Self.kinds), mark: mark, number: number))
    case 2, 3: try? server.replace(with: [numbers.pick(Weather.allCases).fixture])
    case 4: monitor.use(MonitorSettings.random(&numbers))
    case 5: if let plan = try? Weather.plan(Int.random(in: 1...4, using: &numbers)) { monitor.use(plan) }
    case 6:
      let task = listener(upTo: numbers.once(in: 2) ? numbers.size(1...5) : nil)
      if numbers.once(in: 3) { task.cancel() }
      tasks.append(task)
    case 7:
      let checks = monitor.checks.makeAsyncIterator()
      let count = numbers.once(in: 2) ? numbers.size(1...5) : nil
      tasks.append(
        Task { [mark, tally] in await MonitorListener.hear(checks, mark: mark, upTo: count, tally) })
    case 8:
      let task = Task { [monitor] in _ = await monitor.check() }
      if numbers.once(in: 2) { task.cancel() }
      tasks.append(task)
    default: try? await Task.sleep(for: numbers.time(upTo: .milliseconds(30)))
    }
  }

  /// Waits until the network no longer changes and the monitor has reported its state.
  private func settle(_ numbers: inout SeededNumbers) async {
    let kind = numbers.pick(Self.kinds)
    let weather = numbers.pick(Weather.allCases)
    try? server.replace(with: [weather.fixture])
    monitor.use(MonitorSettings.attentive)
    paths.change(to: NetworkPath(over: kind, mark: mark, number: 9))
    guard let kind else {
      for await state in monitor.changes where state.status == .notConnected { break }
      return
    }
    let right = ConnectivityStatus(hasInternet: weather == .online, via: kind)
    for await check in monitor.checks where check.state.status == right { break }
  }
}
