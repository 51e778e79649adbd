import Glibc
import ProbeCore
import ProbeSystem
import ProbeBase
import Transports

/// Sends messages to a plugin at a steady rate, without probes, and measures the cost.
///
/// `plugin-load RATE COUNT MESSAGE-FILE PLUGIN [ARGUMENT…]`; the file has the members of a message besides `id` and
/// `deadlineMs`. Prints one JSON object: the CPU seconds of this process, and the median and the 99th percentile of the
/// seconds from a message to its response.
@main enum PluginLoad {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 4, let rate = Double(arguments[0]), let count = Int(arguments[1]) else {
      print("usage: plugin-load RATE COUNT MESSAGE-FILE PLUGIN [ARGUMENT…]")
      exit(64)
    }
    let message = try FileReading.bytes(of: arguments[2], limit: 1 << 24, .regularFiles)
    let plugin = PluginProgram("load", .validator, Program(Array(arguments[3...])))
    let host = ProcessHost(environment: ["PATH": "/usr/bin:/bin"])
    // The start of the plugin is not measured.
    _ = await host.query(plugin, message, within: .seconds(60))
    let start = cpu
    let results = EventQueue<Double?>()
    try WorkerThread(named: "pace") {
      let begin = ContinuousClock.now
      for number in 0..<count {
        let due = begin + .seconds(Double(number) / rate)
        WorkerThread.sleep(for: max(.zero, ContinuousClock.now.duration(to: due)))
        let sent = ContinuousClock.now
        Task {
          let response = await host.query(plugin, message, within: .seconds(60))
          let isAccepted = if case .accepted = response { true } else { false }
          results.send(isAccepted ? sent.duration(to: .now) / .seconds(1) : nil)
        }
      }
    }.detach()
    var times: [Double] = []
    var failed = 0
    var new: [Double?] = []
    while times.count + failed < count {
      await results.take(into: &new)
      times += new.compactMap(\.self)
      failed += new.count { $0 == nil }
    }
    let used = cpu - start
    await host.end()
    times.sort()
    func percentile(_ part: Int) -> Double { times.isEmpty ? 0 : times[(times.count - 1) * part / 100] }
    print(
      "{\"failed\":\(failed),\"cpu\":\(used),\"median\":\(percentile(50)),\"p99\":\(percentile(99))}")
  }

  /// The CPU seconds of this process.
  private static var cpu: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
