import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline

/// The verdict of a pipeline for the network of a fixture.
func verdict(in folder: String) async throws -> Verdict {
  // Names, ports, Host fields and certificates are those of the real network. Nothing leaves this machine.
  let network = try ReplayedNetwork(folder, with: .bundled)
  let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/health") }.policy(.plaintextAllowed)
  let result = try await network.run(pipeline)
  try network.expect(.once, "GET http://shop.example/health")
  return result.verdict
}
