import FoundationEssentials
import Glibc
import ProbeSystem
import ProbeReporting

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
