internal import CUsage
internal import FoundationEssentials

/// Does a benchmark's work and writes one line of JSON: seconds, CPU seconds, peak memory in KiB, how many probes were
/// not accepted, and how many descriptors the process holds at the end.
///
/// - Parameter work: The work; returns how many probes were not accepted.
@concurrent
public func measure(_ work: @Sendable () async throws -> Int) async rethrows {
  let start = usage_now()
  let failed = try await work()
  let end = usage_now()
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  print(
    "{\"seconds\":\(end.seconds - start.seconds),\"cpu\":\(end.cpu - start.cpu)"
      + ",\"peakKiB\":\(usage_peak_kib()),\"failed\":\(failed),\"descriptors\":\(descriptors)}")
}
