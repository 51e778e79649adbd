import FoundationEssentials
import Glibc
import ProbeBase
import ProbeCore
import ProbeReporting
import ProbeSystem

/// The current configuration, and the state of its reloads.
final class ExporterState: Sendable {
  private struct Values: Sendable {
    var configuration: ExporterConfiguration
    var isReloaded = true
    var reloadTime = Date.now
    var unknownModules = 0
  }

  private let values: Guarded<Values>

  /// The state with a configuration that was just read.
  init(_ configuration: ExporterConfiguration) {
    values = Guarded(Values(configuration: configuration))
  }

  var configuration: ExporterConfiguration { values.withLock(\.configuration) }

  /// Replaces the configuration; nil if the new one is unusable and the old one remains in effect.
  func replace(with configuration: ExporterConfiguration?) {
    values.withLock { values in
      values.isReloaded = configuration != nil
      guard let configuration else { return }
      values.configuration = configuration
      values.reloadTime = .now
    }
  }

  /// Counts a request for a module that does not exist.
  func countUnknownModule() {
    values.withLock { $0.unknownModules += 1 }
  }

  /// The metrics in the text format; names and help texts are those of blackbox_exporter.
  ///
  /// - Parameters:
  ///   - commit: The commit of this build; nil if unknown.
  ///   - webFileIsUsable: Whether the web configuration file is in effect as it is; nil without one.
  /// - Returns: The metrics.
  func text(commit: String?, webFileIsUsable: Bool? = nil) -> String {
    let values = values.withLock { $0 }
    var build = MetricFamily(
      "blackbox_exporter_build_info", "The version of the program that serves this, which is ProbeKit.")
    build.add([("program", "probekit"), ("revision", commit ?? ""), ("version", probeKitVersion)], "1")
    var success = MetricFamily(
      "blackbox_exporter_config_last_reload_successful", "Blackbox exporter config loaded successfully.")
    success.add([], values.isReloaded)
    var time = MetricFamily(
      "blackbox_exporter_config_last_reload_success_timestamp_seconds",
      "Timestamp of the last successful configuration reload.")
    time.add([], values.reloadTime.timeIntervalSince1970)
    var unknown = MetricFamily(
      "blackbox_module_unknown_total", "Count of unknown modules requested by probes", .counter)
    unknown.add([], "\(values.unknownModules)")
    var web = MetricFamily(
      "probekit_web_config_last_reload_successful",
      "Whether the web configuration file is in effect as it is.")
    if let webFileIsUsable { web.add([], webFileIsUsable) }
    return ([build, success, time, unknown] + (webFileIsUsable == nil ? [] : [web])).map(\.text).joined()
  }
}

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

/// The metrics of this process, with the names of the Prometheus client libraries.
enum ProcessMetrics {
  /// The metrics in the text format; those that the system does not report are omitted.
  static var text: String {
    var metrics: [MetricFamily] = []
    func add(_ name: String, _ help: String, _ value: Double?, _ kind: MetricFamily.Kind = .gauge) {
      guard let value else { return }
      var family = MetricFamily(name, help, kind)
      family.add([], value)
      metrics.append(family)
    }
    let fields = statistics
    let page = Double(sysconf(Int32(truncatingIfNeeded: _SC_PAGESIZE)))
    let tick = Double(sysconf(Int32(truncatingIfNeeded: _SC_CLK_TCK)))
    func field(_ index: Int) -> Double? { fields.count > index ? Double(fields[index]) : nil }
    // The numbers of proc(5), minus the three fields up to the state.
    let cpu = field(11).flatMap { user in field(12).map { ($0 + user) / tick } }
    add("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", cpu, .counter)
    add("process_resident_memory_bytes", "Resident memory size in bytes.", field(21).map { $0 * page })
    add("process_virtual_memory_bytes", "Virtual memory size in bytes.", field(20))
    add("process_open_fds", "Number of open file descriptors.", openDescriptors)
    add("process_max_fds", "Maximum number of open file descriptors.", Double(descriptorLimit))
    add(
      "process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
      field(19).flatMap { start in bootTime.map { $0 + start / tick } })
    return metrics.map(\.text).joined()
  }

  /// The fields of /proc/self/stat from the state on.
  private static var statistics: [Substring] {
    guard let bytes = try? FileReading.bytes(of: "/proc/self/stat", limit: 4096, .anything) else { return [] }
    // The program name, in parentheses, may contain spaces and parentheses.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return [] }
    return String(decoding: bytes[bytes.index(after: end)...], as: UTF8.self).split(separator: " ")
  }

  /// The boot time in seconds since 1970.
  private static var bootTime: Double? {
    guard let bytes = try? FileReading.bytes(of: "/proc/stat", limit: 1 << 20, .anything) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("btime ") }
    return line.flatMap { Double($0.dropFirst(6)) }
  }

  private static var openDescriptors: Double? {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
  }
}
