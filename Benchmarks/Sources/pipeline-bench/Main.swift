import BundledPlugins
import CUsage
import FoundationEssentials
import Glibc
import ProbeCore
import ProbePipeline

/// The work of probe-bench as a pipeline: a plan of one set with many probes of one URL, run to its verdict.
///
/// Takes the arguments of probe-bench and writes the same line of JSON. The plan is made before the clock starts, as
/// probe-bench makes its request; everything the runner does with it is measured.
@main
struct PipelineBench {
  @concurrent
  static func main() async throws {
    let (request, count, concurrency) = readArguments()
    let probes = Array(
      repeating: PlannedProbe(url: request.url.string, request: request), count: count)
    let plan = try ProbePlan(
      name: "bench", policy: .plaintextAllowed, sets: [PlannedSet(name: "all", probes: probes)],
      run: RunLimits(concurrency: concurrency, perHost: concurrency))
    let runner = PipelineRunner(try PluginRegistry.bundled.transports)
    let start = usage_now()
    let result = await runner.run(plan)
    let end = usage_now()
    let failed = result.sets[0].total - result.sets[0].accepted
    print(
      "{\"seconds\":\(end.seconds - start.seconds),\"cpu\":\(end.cpu - start.cpu)"
        + ",\"peakKiB\":\(usage_peak_kib()),\"failed\":\(failed),\"descriptors\":\(openDescriptors())}")
  }

  private static func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }
}

extension PipelineBench {
  private static func readArguments() -> (request: ProbeRequest, count: Int, concurrency: Int) {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let url = try? ProbeURL(arguments[1]),
      let count = positive(arguments[2]), let concurrency = positive(arguments[3])
    else { failUsage() }
    var request = ProbeRequest(url)
    if arguments.count > 4, !arguments[4].isEmpty { request.tls.additionalAuthorities = arguments[4] }
    if arguments.count > 5 {
      guard let timeout = positive(arguments[5]) else { failUsage() }
      request.timeout = .milliseconds(timeout)
    }
    return (request, count, concurrency)
  }

  private static func positive(_ text: String) -> Int? {
    Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func failUsage() -> Never {
    let usage = "usage: pipeline-bench URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]\n"
    unsafe write(STDERR_FILENO, usage, usage.utf8.count)
    exit(64)
  }
}
