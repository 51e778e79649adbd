import ProbeCore
import ProbeBase
import ProbeReporting

/// Counts the probes of each module since the start, for rates and service-level objectives.
final class ModuleCounters: Sendable {
  /// The upper bounds of the buckets in seconds, the defaults of the Prometheus client libraries.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// The maximum number of modules, so that reloads with new names do not increase memory use without limit.
  private static let maximumCount = 1000

  private struct Counter: Sendable {
    var buckets = [Int](repeating: 0, count: ModuleCounters.bounds.count)
    var count = 0
    var sum = Duration.zero
    var failures: [ReasonCode: Int] = [:]

    mutating func add(_ report: ProbeReport) {
      let seconds = report.duration / .seconds(1)
      count += 1
      sum += report.duration
      if let index = ModuleCounters.bounds.firstIndex(where: { seconds <= $0 }) { buckets[index] += 1 }
      if let reason = report.failure?.reason { failures[reason, default: 0] += 1 }
    }
  }

  private let counters = Guarded<[String: Counter]>([:])

  /// Counts a probe.
  func add(_ report: ProbeReport) {
    let name = report.module.name
    counters.withLock { counters in
      guard counters.count < Self.maximumCount || counters[name] != nil else { return }
      counters[name, default: Counter()].add(report)
    }
  }

  /// The metrics in the text format.
  var text: String {
    var durations = MetricFamily(
      "probekit_module_probe_duration_seconds", "How long the probes of a module took.", .histogram)
    var failures = MetricFamily(
      "probekit_module_failures_total", "The failed probes of a module by reason code.", .counter)
    for (name, counter) in counters.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let label = [("module", name)]
      var total = 0
      for (bound, count) in zip(Self.bounds, counter.buckets) {
        total += count
        durations.add(label + [("le", MetricFamily.text(of: bound))], "\(total)", suffix: "_bucket")
      }
      durations.add(label + [("le", "+Inf")], "\(counter.count)", suffix: "_bucket")
      durations.add(label, counter.sum.decimalSeconds, suffix: "_sum")
      durations.add(label, "\(counter.count)", suffix: "_count")
      for (reason, count) in counter.failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        failures.add(label + [("reason", reason.rawValue)], "\(count)")
      }
    }
    return durations.text + failures.text
  }
}
