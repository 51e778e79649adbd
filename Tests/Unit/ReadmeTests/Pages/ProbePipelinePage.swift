import ProbeCore
import ProbePipeline

/// The verdict of a pipeline file; throws if the file is wrong.
func verdict(ofFile path: String, bytes: [UInt8], with plugins: PluginRegistry) async throws -> Verdict {
  let plan = try PipelineLoader(plugins).load(path: path, bytes: bytes).plan()
  let result = await PipelineRunner(plugins.transports).run(plan)
  for fact in result.evidence { print(fact.summary) }
  return result.verdict
}
