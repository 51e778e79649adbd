import EngineProfiles
import ProbeCore
import ProbePipeline

/// What every engine says of the network that transports lead to.
func judgements(with plugins: PluginRegistry) async throws -> [String: Verdict] {
  var verdicts: [String: Verdict] = [:]
  for profile in EngineProfile.all {
    let plan = try profile.plan(with: plugins)
    verdicts[profile.name] = await PipelineRunner(plugins.transports).run(plan).verdict
  }
  return verdicts
}
