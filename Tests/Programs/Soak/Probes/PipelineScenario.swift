import BundledPlugins
import ProbeCore
import ProbePipeline
import TestSupport

/// Runs of up to thousands of concurrent probes: completed, cancelled, abandoned, and with servers that stop.
struct PipelineScenario: Scene {
  let scenario: Scenario
  var numbers: SeededNumbers

  mutating func play() async throws {
    let worlds = try Worlds(authority: scenario.authority)
    defer { worlds.stop() }
    // Runs that are not awaited must end too.
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let count = Int.random(in: 1...3, using: &numbers)
    let isDisturbed = numbers.once(in: 6)
    for _ in 0..<count {
      // Separate transports, so that they can be released while their probes are in progress.
      let transports = numbers.once(in: 3) ? try PluginRegistry.bundled.transports : scenario.shared
      let run = try RandomRun(worlds, transports, isDisturbed: isDisturbed, &numbers)
      let token = LifeToken { end.yield() }
      let tally = scenario.tally
      Task { await run.play(tally, holding: token) }
    }
    if isDisturbed {
      scenario.tally.add(1, .disturbed)
      try? await Task.sleep(for: numbers.time(upTo: .seconds(1)))
      worlds.stop()
    }
    var left = count
    for await _ in ends {
      left -= 1
      if left == 0 { break }
    }
  }
}
