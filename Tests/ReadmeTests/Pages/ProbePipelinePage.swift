import ProbeCore
import ProbePipeline

/// What the pipeline of a file says of the network; throws when something is wrong with the file.
func verdict(ofFile path: String, bytes: [UInt8], with plugins: PluginRegistry) async throws -> Verdict {
  let plan = try PipelineLoader(plugins).load(path: path, bytes: bytes).plan()
  let result = await PipelineRunner(plugins.transports).run(plan)
  for fact in result.evidence { print(fact.summary) }
  return result.verdict
}
