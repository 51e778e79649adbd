import BundledPlugins
import FoundationEssentials
import Glibc
import ProbeCore
import Synchronization

/// The same work as the yardsticks', done by ProbeKit: many probes of one URL, each on a fresh connection.
///
/// Writes one line of JSON: seconds, CPU seconds, peak memory in KiB, how many probes were not accepted, and what
/// the process holds at the end.
@main
struct ProbeBench {
  @concurrent
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 1 {
      print(
        MemoryLayout<ProbeRequest>.size, MemoryLayout<ProbeResponse>.size, MemoryLayout<ProbeURL>.size,
        MemoryLayout<ProbeTimings>.size, MemoryLayout<HTTPResponseHead>.size, MemoryLayout<ProbeFailure>.size,
        MemoryLayout<HTTPRequestOptions>.size, MemoryLayout<TLSFacts?>.size,
        MemoryLayout<SocketAddress?>.size, MemoryLayout<Duration?>.size)
    }
    guard arguments.count >= 4, let count = Int(arguments[2]), let concurrency = Int(arguments[3]) else {
      fail("usage: probe-bench URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]")
    }
    var request = ProbeRequest(try ProbeURL(arguments[1]))
    if arguments.count > 4, !arguments[4].isEmpty { request.tls.additionalAuthorities = arguments[4] }
    if arguments.count > 5, let timeout = Int(arguments[5]) { request.timeout = .milliseconds(timeout) }
    let plugins = try PluginRegistry.bundled
    let (start, before) = (ContinuousClock.now, Usage.now)
    let failed = await run(request, count: count, concurrency: concurrency, transports: plugins.transports)
    let (seconds, usage) = (start.duration(to: .now), Usage.now)
    print(
      "{\"seconds\":\(seconds / .seconds(1)),\"cpu\":\(usage.cpu - before.cpu),\"peakKiB\":\(usage.peak)"
        + ",\"failed\":\(failed),\"descriptors\":\(openDescriptors())}")
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

  private static func fail(_ message: String) -> Never {
    print(message)
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

/// What the process has used.
struct Usage {
  /// CPU seconds, user and system.
  let cpu: Double
  /// Peak memory in KiB.
  let peak: Int

  static var now: Usage {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Usage(cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), peak: usage.ru_maxrss)
  }
}
