import BenchSupport
import BundledPlugins
import ProbeCore
import ProbePipeline

/// The work of probe-bench as a pipeline: a plan of one set with many probes, run to its verdict.
///
/// The plan is created before the clock starts, like the request of probe-bench; everything the runner does
/// with it is measured.
@main
struct PipelineBench {
  @concurrent
  static func main() async throws {
    let arguments = BenchArguments.read()
    let probes = (0..<arguments.count).map { number in
      let request = arguments.request(of: number)
      return PlannedProbe(url: request.url.string, request: request)
    }
    let plan = try ProbePlan(
      name: "bench", policy: .plaintextAllowed, sets: [PlannedSet(name: "all", probes: probes)],
      run: RunLimits(concurrency: arguments.concurrency, perHost: arguments.concurrency))
    let runner = PipelineRunner(try PluginRegistry.bundled(threads: arguments.threads).transports)
    await measure {
      let result = await runner.run(plan)
      return result.sets[0].total - result.sets[0].accepted
    }
  }
}
