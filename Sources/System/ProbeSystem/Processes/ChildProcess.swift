import ProbeBase
import Glibc

/// A shell command that runs in its own process group.
///
/// It starts as a ``ProgramLaunch``: only the standard descriptors are open, and standard input is empty
/// unless a descriptor is given for it. A thread waits for the process, because a SIGCHLD handler could
/// conflict with that of an embedding program.
package final class ChildProcess: Sendable {
  private struct State: Sendable {
    /// False once the system may have reused the process ID.
    var isThere = true
    /// Whether the group may still have to be signaled.
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
  ///   - environment: Its complete environment, as `NAME=value`.
  ///   - input: The descriptor for its standard input, or nil for an empty one.
  ///   - output: The descriptor for its standard output and standard error.
  ///   - orphanSignal: The signal for its group when this process has ended, even by SIGKILL; nil for none.
  ///   - keepsCapabilities: Whether it has the capabilities of this process, as for a change of the network.
  ///   - ended: Called on another thread when the process has ended.
  /// - Throws: ``ProgramLaunch/NotStarted``.
  package init(
    shell command: String, environment: [String], input: Int32? = nil, output: Int32,
    orphanSignal: Int32? = nil, keepsCapabilities: Bool = false,
    ended: @escaping @Sendable (ProcessEnd) -> Void
  ) throws(ProgramLaunch.NotStarted) {
    var program = ProgramLaunch(
      arguments: ["/bin/sh", "-c", command], environment: environment,
      descriptors: .init(input: input, output: output, errors: output))
    program.orphanSignal = orphanSignal
    program.keepsCapabilities = keepsCapabilities
    let process = try program.start()
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
      killpg(process, SIGKILL)
      _ = Self.wait(for: process, state)
      throw ProgramLaunch.NotStarted(error.systemCode)
    }
  }

  deinit {
    state.withLock { state in
      state.isWatched = false
      if state.isThere { ProgramLaunch.stopGuarding(process) }
      Self.reap(process, &state)
    }
  }

  /// Signals the process and its group to end, unless they have ended.
  package func end() {
    state.withLock { state in
      if state.isThere { killpg(process, SIGTERM) }
    }
  }

  /// Whether the process and its group have ended.
  package func isGone() -> Bool {
    state.withLock { state in
      Self.reap(process, &state)
      return !state.isThere
    }
  }

  /// Waits until the process has ended or the task is cancelled.
  package func waitForEnd() async {
    for await _ in ending {}
  }
}

extension ChildProcess {
  private static func wait(for process: pid_t, _ state: Guarded<State>) -> ProcessEnd {
    // The process ID stays reserved until the process is reaped.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(truncatingIfNeeded: process), &info, WEXITED | WNOWAIT) == -1,
      errno == EINTR
    {}
    state.withLock { reap(process, &$0) }
    let status = unsafe info._sifields._sigchld.si_status
    return unsafe info.si_code == CLD_EXITED ? .code(status) : .signal(status)
  }

  /// Reaps a process if it has ended and its group is empty.
  ///
  /// As long as its group has members, the ID must stay reserved, because a signal may be sent to the group.
  private static func reap(_ process: pid_t, _ state: inout State) {
    guard state.isThere else { return }
    var info = unsafe siginfo_t()
    unsafe waitid(P_PID, id_t(truncatingIfNeeded: process), &info, WEXITED | WNOWAIT | WNOHANG)
    guard unsafe info._sifields._sigchld.si_pid == process,
      !state.isWatched || !hasOthers(inGroupOf: process)
    else { return }
    ProgramLaunch.stopGuarding(process)
    while waitpid(process, nil, 0) == -1, errno == EINTR {}
    state.isThere = false
  }

  /// Whether the group has another running process (proc_pid_stat(5)).
  private static func hasOthers(inGroupOf leader: pid_t) -> Bool {
    guard let folder = unsafe opendir("/proc") else { return false }
    defer { unsafe closedir(folder) }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard let number = pid_t(text: name), number != leader,
        let bytes = try? FileReading.bytes(of: "/proc/\(name)/stat", limit: 4096, .regularFiles),
        let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { continue }
      // The fields after the name: state, parent, group.
      let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
      guard fields.count > 2, !fields[0].elementsEqual("Z".utf8) else { continue }
      if fields[2].elementsEqual("\(leader)".utf8) { return true }
    }
    return false
  }
}
