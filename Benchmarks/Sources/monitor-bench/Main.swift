import CUsage
import ConnectivityMonitor
import FoundationEssentials
import Glibc
import ProbeCore
import ProbePipeline

/// A monitor with simulated responses and times, or with the interfaces of this machine; nothing is sent.
///
/// `polls N` makes N checks by a monitor, `runs N` runs the same plan N times without a monitor, `changes N`
/// changes the network N times, and `cycles N` starts and stops a monitor of this machine's interfaces N
/// times. Each writes one line of JSON: seconds, CPU seconds, anonymous memory in KiB after a tenth and at
/// the end, and how many more threads and descriptors there are than after the first tenth.
@main
struct MonitorBench {
  @concurrent
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]), count >= 10 else {
      print("usage: monitor-bench polls|runs|changes|cycles COUNT (at least 10)")
      exit(64)
    }
    let work: @Sendable (Int) async throws -> Void
    switch arguments[1] {
    case "polls": work = polls
    case "runs": work = runs
    case "changes": work = changes
    case "cycles": work = cycles
    default:
      print("unknown benchmark \(arguments[1]): use polls, runs, changes or cycles")
      exit(64)
    }
    let start = usage_now()
    try await work(count / 10)
    let first = Footprint()
    try await work(count - count / 10)
    let end = usage_now()
    let last = Footprint()
    print(
      "{\"seconds\":\(end.seconds - start.seconds),\"cpu\":\(end.cpu - start.cpu)"
        + ",\"firstKiB\":\(first.memory),\"lastKiB\":\(last.memory)"
        + ",\"threads\":\(last.threads - first.threads)"
        + ",\"descriptors\":\(last.descriptors - first.descriptors)}")
  }

  private static func plan(over transports: TransportRegistry) throws -> ProbePlan {
    try Pipeline("bench", sets: [ProbeSet("a", "https://a.example/")]).plan(over: transports)
  }

  private static func polls(_ count: Int) async throws {
    let transport = InstantTransport(count)
    var transports = TransportRegistry()
    try transports.register(transport)
    let connectivity = Connectivity(
      plan: try plan(over: transports), over: transports, paths: ChangingPaths(), clock: EagerClock())
    connectivity.start()
    for await _ in transport.finished {}
    connectivity.stop()
    await connectivity.stopped()
  }

  private static func runs(_ count: Int) async throws {
    var transports = TransportRegistry()
    try transports.register(InstantTransport(count))
    let (plan, runner) = (try plan(over: transports), PipelineRunner(transports, clock: EagerClock()))
    for _ in 0..<count { _ = await runner.run(plan) }
  }

  private static func changes(_ count: Int) async throws {
    var transports = TransportRegistry()
    try transports.register(InstantTransport(0))
    let paths = ChangingPaths()
    var settings = MonitorSettings()
    settings.polling.isEnabled = false
    let connectivity = Connectivity(
      plan: try plan(over: transports), over: transports, settings: settings, paths: paths,
      clock: EagerClock())
    var states = connectivity.changes.makeAsyncIterator()
    while let state = await states.next(), !state.isConnected {}
    for round in 0..<count {
      paths.change(to: ChangingPaths.path(over: round.isMultiple(of: 2) ? .ethernet : .wifi))
      _ = await states.next()
    }
    connectivity.stop()
    await connectivity.stopped()
  }

  private static func cycles(_ count: Int) async throws {
    for _ in 0..<count {
      let transport = InstantTransport(1)
      var transports = TransportRegistry()
      try transports.register(transport)
      var settings = MonitorSettings()
      settings.requiresRoute = false
      let connectivity = Connectivity(plan: try plan(over: transports), over: transports, settings: settings)
      connectivity.start()
      for await _ in transport.finished {}
      connectivity.stop()
      await connectivity.stopped()
    }
  }
}

/// The resources that this process holds.
private struct Footprint {
  /// Anonymous memory in KiB.
  let memory: Int
  let threads: Int
  let descriptors: Int

  init() {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    memory =
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? -1
    threads = Self.count("/proc/self/task")
    descriptors = Self.count("/proc/self/fd")
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
  }
}
