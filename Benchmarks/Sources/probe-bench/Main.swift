import BenchSupport
import BundledPlugins
import ProbeCore
import Synchronization

/// The same work as the yardsticks', done by ProbeKit: many probes of one URL, each on a fresh connection.
@main
struct ProbeBench {
  @concurrent
  static func main() async throws {
    let arguments = BenchArguments.read()
    let transports = try PluginRegistry.bundled.transports
    await measure {
      await run(
        arguments.request, count: arguments.count, concurrency: arguments.concurrency, transports: transports)
    }
  }

  /// Probes so many times, so many at a time; returns how many were not accepted.
  private static func run(
    _ request: ProbeRequest, count: Int, concurrency: Int, transports: TransportRegistry
  ) async -> Int {
    let prober = Prober(transports, policy: .plaintextAllowed)
    let validator = SuccessfulStatus()
    let executor = transports[request.url.scheme]?.executor
    let remaining = Remaining(count)
    return await withTaskExecutorPreference(executor) {
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<min(count, concurrency) {
          group.addTask {
            var failed = 0
            while remaining.takeOne() {
              let response = try? await prober.probe(request)
              if response.map({ validator.validate($0).isAccepted }) != true { failed += 1 }
            }
            return failed
          }
        }
        return await group.reduce(0, +)
      }
    }
  }
}

/// How many probes are still to be started.
final class Remaining: Sendable {
  private let count: Atomic<Int>

  init(_ count: Int) {
    self.count = Atomic(count)
  }

  func takeOne() -> Bool {
    count.subtract(1, ordering: .relaxed).oldValue > 0
  }
}
