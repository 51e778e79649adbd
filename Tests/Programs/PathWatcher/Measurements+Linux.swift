import ConnectivityMonitor
import Glibc

/// Measures the delay until a link failure is reported.
struct LinkDown {
  var name: String
  var count: Int

  func run() async throws {
    let link = try LinkSwitch(name)
    let monitor = try PathMonitor()
    var changes = monitor.changes().makeAsyncIterator()
    var times: [Double] = []
    try link.set(up: true)
    for _ in 0..<count {
      while let path = await changes.next(), !isUp(in: path) {}
      let start = ContinuousClock.now
      try link.set(up: false)
      while let path = await changes.next(), isUp(in: path) {}
      let time = start.duration(to: .now)
      times.append(time / .milliseconds(1))
      try link.set(up: true)
    }
    times.sort()
    printLine(["median": times[times.count / 2], "worst": times[times.count - 1]])
  }

  private func isUp(in path: NetworkPath) -> Bool {
    path.interfaces.contains { $0.name == name && $0.isUp }
  }
}

/// Counts the threads and descriptors that remain after many monitors.
struct Cycles {
  var count: Int

  func run() async throws {
    let before = Process.descriptors
    for _ in 0..<count { try await once() }
    // A monitor's thread, which owns its descriptors, ends soon after the monitor.
    var left = (threads: 0, descriptors: 0)
    try await wait(upTo: patience) {
      left = (Process.monitors.count, Process.descriptors - before)
      return left.threads == 0 && left.descriptors <= 0
    }
    printLine(["threads": left.threads, "descriptors": left.descriptors])
  }

  private func once() async throws {
    let monitor = try PathMonitor()
    for await _ in monitor.changes() { break }
    // One sequence that is never read, and one that is read when the monitor is released.
    _ = monitor.changes()
    let reading = Task { for await _ in monitor.changes() {} }
    reading.cancel()
    await reading.value
  }
}

/// Half as long as the test waits for the program, so that the test receives the numbers of what remains.
private let patience = Duration.seconds(300)

private func wait(upTo patience: Duration, until isOver: () -> Bool) async throws {
  let end = ContinuousClock.now + patience
  while !isOver(), .now < end { try await Task.sleep(for: .milliseconds(10)) }
}

/// How often the thread of a monitor wakes up while nothing happens.
struct Idle {
  var seconds: Int

  func run() async throws {
    let monitor = try PathMonitor()
    for await _ in monitor.changes() { break }
    // The first path is there before the thread, which names itself when it begins.
    try await wait(upTo: patience) { !Process.monitors.isEmpty }
    let threads = Process.monitors
    var switches = 0
    // On a busy machine it may not wait yet.
    for _ in 0..<10 {
      try await Task.sleep(for: .milliseconds(200))
      let before = threads.map(Process.switches).reduce(0, +)
      try await Task.sleep(for: .seconds(seconds))
      switches = threads.map(Process.switches).reduce(0, +) - before
      if switches == 0 { break }
    }
    printLine(["threads": threads.count, "switches": switches])
    withExtendedLifetime(monitor) {}
  }
}

/// Information about this process (proc(5)).
private enum Process {
  static func entries(of folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        })
    }
    return names
  }

  /// The descriptors of the concurrency runtime: an epoll with an eventfd, and a timer for each of its clocks.
  private static let runtime = [
    "anon_inode:[eventpoll]": 1, "anon_inode:[eventfd]": 1, "anon_inode:[timerfd]": 3,
  ]

  /// The number of open descriptors, including the one for this listing, without those of the runtime.
  ///
  /// The runtime opens its descriptors when it first needs them, and keeps them. On a busy machine, a sleep
  /// may be over before the runtime sets a timer for it: then a later sleep is the first that needs one.
  static var descriptors: Int {
    let targets = entries(of: "/proc/self/fd").map { target(of: "/proc/self/fd/\($0)") }
    return runtime.reduce(targets.count) { rest, kind in
      rest - min(targets.count { $0 == kind.key }, kind.value)
    }
  }

  /// The folders of the threads that belong to monitors.
  static var monitors: [String] {
    entries(of: "/proc/self/task").map { "/proc/self/task/\($0)" }
      .filter { text(of: "\($0)/comm") == "probekit-paths\n" }
  }

  /// How often a thread has gone to sleep.
  static func switches(of thread: String) -> Int {
    let line = text(of: "\(thread)/status").split(separator: "\n").first {
      $0.hasPrefix("voluntary_ctxt_switches:")
    }
    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? -1
  }

  private static func target(of path: String) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = unsafe readlink(path, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func text(of path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
