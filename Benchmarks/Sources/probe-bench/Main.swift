import BundledPlugins
import CUsage
import FoundationEssentials
import Glibc
import ProbeCore
import Synchronization

/// The same work as the yardsticks', done by ProbeKit: many probes of one URL, each on a fresh connection.
///
/// Writes one line of JSON: seconds, CPU seconds, peak memory in KiB, how many probes were not accepted, and
/// how many descriptors the process holds at the end.
@main
struct ProbeBench {
  @concurrent
  static func main() async throws {
    let (request, count, concurrency) = readArguments()
    let plugins = try PluginRegistry.bundled
    let start = usage_now()
    let failed = await run(request, count: count, concurrency: concurrency, transports: plugins.transports)
    let end = usage_now()
    print(
      "{\"seconds\":\(end.seconds - start.seconds),\"cpu\":\(end.cpu - start.cpu)"
        + ",\"peakKiB\":\(usage_peak_kib()),\"failed\":\(failed),\"descriptors\":\(openDescriptors())}")
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

  private static func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }
}

extension ProbeBench {
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
    let usage = "usage: probe-bench URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]\n"
    unsafe write(STDERR_FILENO, usage, usage.utf8.count)
    exit(64)
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
