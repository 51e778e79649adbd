import BenchSupport
import BundledPlugins
import ProbeCore
import Synchronization

/// The work of the yardsticks, done by ProbeKit: many probes, each on a new connection.
@main
struct ProbeBench {
  @concurrent
  static func main() async throws {
    let arguments = BenchArguments.read()
    let transports = try PluginRegistry.bundled(threads: arguments.threads).transports
    await measure { await run(arguments, transports) }
  }

  /// Makes all probes, and returns the number that were not accepted.
  private static func run(_ arguments: BenchArguments, _ transports: TransportRegistry) async -> Int {
    let prober = Prober(transports, policy: .plaintextAllowed)
    let validator = SuccessfulStatus()
    let isJudged = arguments.request.url.scheme != .tcp
    let executors = transports[arguments.request.url.scheme]?.executors ?? []
    let next = NextProbe(of: arguments.count)
    return await withTaskExecutorPreference(executors.first) {
      await withTaskGroup(of: Int.self) { group in
        for task in 0..<min(arguments.count, arguments.concurrency) {
          // Few tasks share one thread, many use all of them, as in pipelines.
          let executor = executors.isEmpty ? nil : executors[task / 8 % executors.count]
          group.addTask(executorPreference: executor) {
            var failed = 0
            while let probe = next.take() {
              let response = try? await prober.probe(arguments.request(of: probe))
              let isAccepted = response.map { !isJudged || validator.validate($0).isAccepted } ?? false
              if !isAccepted { failed += 1 }
            }
            return failed
          }
        }
        return await group.reduce(0, +)
      }
    }
  }
}

/// The number of the next probe to start.
private final class NextProbe: Sendable {
  private let count: Int
  private let started = Atomic(0)

  init(of count: Int) {
    self.count = count
  }

  func take() -> Int? {
    let probe = started.add(1, ordering: .relaxed).oldValue
    return probe < count ? probe : nil
  }
}
