import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The command as a process that runs beside the test, for signals.
final class Spawned: Sendable {
  /// How a process ended.
  struct End {
    /// Its exit code, or nil when a signal ended it.
    let code: Int32?
    /// The signal that ended it.
    let signal: Int32?
    let output: String
    let errors: String
  }

  private let process: pid_t
  private let folder: URL

  /// Starts a shell that becomes the command: `exec "$0" …`.
  init(_ script: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "probekit-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let streams = "exec >'\(folder.path)/output' 2>'\(folder.path)/errors'"
    let arguments = ["sh", "-c", "\(streams)\n\(script)", try builtProgram("probekit")]
    var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }

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
    let failure = unsafe posix_spawn(&process, "/bin/sh", nil, &attributes, &pointers, environ)
    self.process = process
    try #require(failure == 0)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Sends a signal.
  func send(_ number: Int32) {
    kill(process, number)
  }

  /// Waits for its end.
  func wait() throws -> End {
    var status: Int32 = 0
    try #require(unsafe waitpid(process, &status, 0) == process)
    let signal = status & 0x7F
    return End(
      code: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal,
      output: readText(folder.appending(path: "output").path),
      errors: readText(folder.appending(path: "errors").path))
  }
}
