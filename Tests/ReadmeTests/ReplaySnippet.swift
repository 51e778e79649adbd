import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline

/// What a pipeline says of a network that a fixture replays.
func verdict(in folder: String) async throws -> Verdict {
  let replay = try ReplayServer([try Fixture(folder: folder)])
  defer { replay.stop() }
  // Names, ports, Host fields and certificates are those of real life, and nothing leaves this machine.
  let transports = try PluginRegistry.bundled.transports.led(to: replay)

  let probe = PlannedProbe(
    url: "http://shop.example/health", request: ProbeRequest(try ProbeURL("http://shop.example/health")))
  let plan = try ProbePlan(
    name: "shop", policy: .plaintextAllowed, sets: [PlannedSet(name: "shop", probes: [probe])])
  let result = await PipelineRunner(transports).run(plan)
  try replay.journal.expect(.once, where: RouteCondition(host: "shop.example", path: "/health"))
  return result.verdict
}
