import CProbeShims
import ProbeFiles
import Glibc
import ProbeLocking
import ProbeThreading

/// A shell command that runs beside this process, in a process group of its own.
///
/// It starts as from a shell: no signal blocked or ignored, no descriptors but the standard ones, nothing on standard
/// input. A thread waits for it, so that no handler of SIGCHLD is needed, which a program that embeds this may have.
final class ChildProcess: Sendable {
  /// How a process ended.
  enum End: Hashable, Sendable {
    /// By itself, with this exit code.
    case code(Int32)
    /// By this signal.
    case signal(Int32)
  }

  /// Why a process could not be started: the system's words.
  struct NotStarted: Error, CustomStringConvertible {
    let description: String

    init(_ number: Int32) {
      description = unsafe String(cString: strerror(number))
    }
  }

  /// What is known of a process.
  private struct State: Sendable {
    /// False once the system may have given the process's number to another process.
    var isThere = true
    /// Whether its group may still have to be ended.
    var isWatched = true
  }

  private let process: pid_t
  private let state = Guarded(State())
  /// Finishes when the process has ended.
  private let ending: AsyncStream<Never>

  /// Starts `/bin/sh -c` with a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - environment: All of its environment, as `NAME=value`.
  ///   - output: Where its standard output and standard error go.
  ///   - ended: Told how it ended, on a thread of its own.
  /// - Throws: ``NotStarted``.
  init(
    shell command: String, environment: [String], output: Int32, ended: @escaping @Sendable (End) -> Void
  ) throws(NotStarted) {
    let process = try Self.spawn(["/bin/sh", "-c", command], environment, output)
    self.process = process
    let (ending, continuation) = AsyncStream.makeStream(of: Never.self)
    self.ending = ending
    let state = state
    do {
      try WorkerThread(named: "on-change") {
        let end = Self.wait(for: process, state)
        continuation.finish()
        ended(end)
      }.detach()
    } catch {
      kill(-process, SIGKILL)
      _ = Self.wait(for: process, state)
      throw NotStarted(error.systemCode)
    }
  }

  deinit {
    state.withLock { state in
      state.isWatched = false
      Self.reap(process, &state)
    }
  }

  /// Asks the process to end, and all that it started, unless they have ended.
  func end() {
    state.withLock { state in
      if state.isThere { kill(-process, SIGTERM) }
    }
  }

  /// Whether it has ended, and all that it started in its group.
  func isGone() -> Bool {
    state.withLock { state in
      Self.reap(process, &state)
      return !state.isThere
    }
  }

  /// Waits until it has ended, or the task is cancelled.
  func waitForEnd() async {
    for await _ in ending {}
  }
}

extension ChildProcess {
  private static func wait(for process: pid_t, _ state: Guarded<State>) -> End {
    // Its number is its own until it is reaped.
    var facts = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    state.withLock { reap(process, &$0) }
    let status = unsafe facts._sifields._sigchld.si_status
    return unsafe facts.si_code == CLD_EXITED ? .code(status) : .signal(status)
  }

  /// Gives the number of a process back to the system, if it has ended.
  ///
  /// While others of its group go on, the number is theirs too: nobody else may get it as long as they may be told to end.
  private static func reap(_ process: pid_t, _ state: inout State) {
    guard state.isThere else { return }
    var facts = unsafe siginfo_t()
    unsafe waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT | WNOHANG)
    guard unsafe facts._sifields._sigchld.si_pid == process,
      !state.isWatched || !hasOthers(inGroupOf: process)
    else { return }
    while waitpid(process, nil, 0) == -1, errno == EINTR {}
    state.isThere = false
  }

  /// Whether another process of the group goes on (proc_pid_stat(5)).
  private static func hasOthers(inGroupOf leader: pid_t) -> Bool {
    guard let folder = unsafe opendir("/proc") else { return false }
    defer { unsafe closedir(folder) }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard let number = pid_t(name), number != leader,
        let bytes = try? FileReading.bytes(of: "/proc/\(name)/stat", limit: 4096, .regularFiles),
        let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { continue }
      // Behind the name: the state, the parent, the group.
      let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
      guard fields.count > 2, !fields[0].elementsEqual("Z".utf8) else { continue }
      if fields[2].elementsEqual("\(leader)".utf8) { return true }
    }
    return false
  }

  private static func spawn(
    _ arguments: [String], _ environment: [String], _ output: Int32
  ) throws(NotStarted) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // What was handed down to this process without being closed on exec is not meant for a command.
    unsafe probe_spawn_close_from(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Int32(POSIX_SPAWN_SETPGROUP)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var process: pid_t = 0
    var argumentList = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var environmentList = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe argumentList.indices { unsafe free(argumentList[index]) }
      for index in unsafe environmentList.indices { unsafe free(environmentList[index]) }
    }
    let failure = unsafe posix_spawn(
      &process, arguments[0], &actions, &attributes, &argumentList, &environmentList)
    guard failure == 0 else { throw NotStarted(failure) }
    return process
  }
}
