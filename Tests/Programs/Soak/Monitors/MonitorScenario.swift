import BundledPlugins
import ConnectivityMonitor
import FixtureReplay
import ProbeCore
import ProbePipeline
import TestSupport

/// Monitors of changing networks: started, stopped, observed, abandoned and reconfigured.
struct MonitorScenario: Scene {
  let scenario: Scenario
  var numbers: SeededNumbers

  mutating func play() async throws {
    var options = ReplayOptions()
    options.authority = scenario.authority
    let count = Int.random(in: 1...4, using: &numbers)
    let parts = (0..<count).map { _ in numbers.branch() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in parts {
        let server = try ReplayServer([Weather.online.fixture], options: options)
        group.addTask { [scenario] in
          defer { server.stop() }
          try await Self.play(scenario, server, part)
        }
      }
      try await group.waitForAll()
    }
  }

  private static func play(
    _ scenario: Scenario, _ server: ReplayServer, _ numbers: SeededNumbers
  ) async throws {
    var numbers = numbers
    let tally = scenario.tally
    let paths = RandomPaths(NetworkPath(over: .wifi, mark: 0))
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    do {
      let token = LifeToken { end.finish() }
      let monitor = Connectivity(
        plan: try Weather.plan(3), over: scenario.shared.routed(to: server),
        settings: .random(&numbers), paths: paths)
      let log = CallbackLog()
      monitor.observe { [token] _, state in
        _ = token
        log.note(state, tally)
      }
      tally.add(1, .monitors)
      let last = Int.random(in: 1...6, using: &numbers)
      for mark in 1...last {
        tally.add(1, .epochs)
        let time = MonitorTime(
          monitor: monitor, paths: paths, server: server, mark: mark, tally: tally, numbers.branch())
        // The last period may end with the monitor itself, when its last reference is released.
        await time.play(isStopped: mark < last || numbers.once(in: 2))
      }
    }
    // The monitor is released, and everything that it has started must end; the watch enforces that.
    for await _ in ends {}
    while paths.listeners > 0 { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
