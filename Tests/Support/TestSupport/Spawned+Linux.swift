import FoundationEssentials
import Glibc
import Synchronization

/// A process that could not be started or awaited.
package struct SpawnFailure: Error {
  /// The system's error number.
  let number: Int32
}

/// The command in a separate process: for tests of signals and of its resource use.
package final class Spawned: Sendable {
  /// How a process ended.
  package struct End: Sendable {
    /// Its exit code, or nil when a signal ended it.
    package let code: Int32?
    /// The signal that ended it.
    package let signal: Int32?
    package let output: String
    package let errors: String
    /// How long it ran.
    package let duration: Duration
    /// The CPU time of the process, and of those for which it waited.
    package let processorTime: Duration
    /// The peak of its resident memory, in bytes, as far as it was seen every few milliseconds.
    package let peakMemory: Int
  }

  /// How long to wait for what a process must do: only one that hangs takes longer, also on a busy machine.
  package static let patience = Duration.seconds(Sanitizer.isPresent ? 3000 : 600)

  private let process: pid_t
  private let folder: URL
  private let start = ContinuousClock.now
  private let hasEnded = Atomic(false)

  /// Starts a shell that executes the command: `exec "$0" …`.
  ///
  /// - Parameters:
  ///   - script: The shell script; its output and errors are redirected to files.
  ///   - environment: Variables that are added to those of the tests, or replace them.
  /// - Throws: ``SpawnFailure``, or the error that prevented its folder from being created.
  package init(_ script: String, environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "probekit-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let streams = "exec >'\(folder.path)/output' 2>'\(folder.path)/errors'"
    let arguments = ["sh", "-c", "\(streams)\n\(script)", try builtProgram("probekit")]
    var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    let variables = ProcessInfo.processInfo.environment.merging(
      environment.merging(["LC_ALL": "C.UTF-8"]) { mine, _ in mine }
    ) { $1 }
    var variablePointers = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe variablePointers.forEach { unsafe free($0) } }

    // As a shell starts a job in the foreground; the threads of tests block signals, and a runner may ignore them.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGHUP)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    let failure = unsafe posix_spawn(
      &process, "/bin/sh", nil, &attributes, &pointers, &variablePointers)
    self.process = process
    guard failure == 0 else { throw SpawnFailure(number: failure) }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    // Only a test that has failed leaves it there.
    if !hasEnded.load(ordering: .relaxed) { kill(process, SIGKILL) }
  }

  /// The standard output so far.
  package var output: String { readText(folder.appending(path: "output").path) }
  /// The standard error so far.
  package var errors: String { readText(folder.appending(path: "errors").path) }

  package func send(_ number: Int32) {
    kill(process, number)
  }

  /// Waits until something has happened, such as a line of its output.
  ///
  /// - Throws: ``SpawnFailure`` if it has not happened after ``patience``.
  package func waits(until condition: () -> Bool) async throws {
    let end = ContinuousClock.now + Self.patience
    while !condition() {
      guard ContinuousClock.now < end else { throw SpawnFailure(number: ETIMEDOUT) }
      try await Task.sleep(for: .milliseconds(4))
    }
  }

  /// Waits for the process to end, and kills it after a timeout, or when the test is cancelled.
  ///
  /// - Parameter bound: The timeout; a process that was killed is recognizable by ``End/signal``.
  /// - Returns: How it ended, and its resource use.
  /// - Throws: ``SpawnFailure`` if there is no process to wait for.
  package func end(within bound: Duration = Spawned.patience) async throws -> End {
    var status: Int32 = 0
    var use = rusage()
    var peak = 0
    let last = ContinuousClock.now + bound
    while true {
      // Not ru_maxrss of it: that starts from the memory of the process that has spawned it.
      peak = max(peak, peakMemory)
      let ended = unsafe wait4(process, &status, WNOHANG, &use)
      if ended == process {
        hasEnded.store(true, ordering: .relaxed)
        break
      }
      guard ended == 0 || errno == EINTR else { throw SpawnFailure(number: errno) }
      // A test beyond its time limit is cancelled; then the sleep below takes no time.
      if ContinuousClock.now > last || Task.isCancelled { kill(process, SIGKILL) }
      try? await Task.sleep(for: .milliseconds(4))
    }
    let signal = status & 0x7F
    return End(
      code: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal,
      output: output, errors: errors, duration: start.duration(to: .now),
      processorTime: use.ru_utime.duration + use.ru_stime.duration, peakMemory: peak)
  }

  /// What each thread of the process waits for in the kernel, for the report of one that does not end.
  package var waits: String {
    let tasks = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.sorted().map { thread in
      let name = readText("\(tasks)/\(thread)/comm").prefix { $0 != "\n" }
      return "\(thread) \(name): \(readText("\(tasks)/\(thread)/wchan"))"
    }.joined(separator: "\n")
  }

  /// The peak of its resident memory so far, in bytes: VmHWM of proc_pid_status(5).
  package var peakMemory: Int {
    let lines = readText("/proc/\(process)/status").split(separator: "\n")
    let digits = lines.first { $0.hasPrefix("VmHWM:") }?.filter(\.isNumber) ?? ""
    return (Int(digits) ?? 0) * 1024
  }
}

extension timeval {
  fileprivate var duration: Duration { .seconds(tv_sec) + .microseconds(tv_usec) }
}
