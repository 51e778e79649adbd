import EngineProfiles
import ProbeCore
import ProbePipeline

/// The verdict of every engine for a network.
func judgements(with plugins: PluginRegistry) async throws -> [String: Verdict] {
  var verdicts: [String: Verdict] = [:]
  for profile in EngineProfile.all {
    let plan = try profile.plan(with: plugins)
    verdicts[profile.name] = await PipelineRunner(plugins.transports).run(plan).verdict
  }
  return verdicts
}
