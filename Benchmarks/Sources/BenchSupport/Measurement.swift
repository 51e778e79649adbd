internal import CUsage
internal import FoundationEssentials

/// Runs a benchmark and writes one line of JSON: seconds, CPU seconds, peak memory in KiB, the number of
/// probes that were not accepted, and the number of descriptors that are open at the end.
///
/// - Parameter work: The benchmark; returns the number of probes that were not accepted.
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
