internal import Glibc
internal import ProbeLocking

/// A process that ends the programs of this process once this process has ended, even by SIGKILL.
///
/// It is one shell for all programs. Its input is a socket from this process, on which each program announces its group
/// itself before it executes its file; at the end of its input, the shell signals the groups that are left. The death
/// signal of prctl(2) would not do: it reaches neither children of a program nor programs that change their user, and
/// depends on the thread that started the program.
final class ProgramGuard: Sendable {
  /// The guard of this process, which is started with the first program.
  static let shared = ProgramGuard()

  /// The script of the shell.
  ///
  /// It is not a child of this process, so that a program that uses ProbeKit may wait for all of its children. It has
  /// its own process group, and neither Ctrl-C nor a signal to all processes of a service ends it before its task.
  private static let script = #"""
    trap '' HUP INT QUIT TERM PIPE
    # Some shells give a background command an empty input before they redirect it.
    exec 3<&0
    {
      groups=' '
      while read -r signal group; do
        if [ "$signal" != 0 ]; then
          groups="$groups$group:$signal "
          continue
        fi
        rest=${groups#*" $group:"}
        [ "$rest" = "$groups" ] || groups="${groups%%" $group:"*} ${rest#* }"
      done
      for each in $groups; do kill "-${each#*:}" "-${each%:*}"; done
    } <&3 3<&- >/dev/null 2>&1 &
    """#

  /// This process's end of the socket, closed with the last reference.
  final class Socket: Sendable {
    let number: Int32

    fileprivate init(_ number: Int32) { self.number = number }

    deinit { Glibc.close(number) }

    /// Whether the shell still has the other end.
    fileprivate var isConnected: Bool {
      var byte: UInt8 = 0
      let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
      return unsafe recv(number, &byte, 1, flags) != 0
    }

    fileprivate func send(_ signal: Int32, to group: pid_t) {
      let bytes = Array("\(signal) \(group)\n".utf8)
      _ = unsafe Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  private struct State: Sendable {
    var socket: Socket?
    /// The signal for each group, for another shell if this one ends.
    var signals: [pid_t: Int32] = [:]
  }

  private let state = Guarded(State())

  /// Starts a program that announces itself.
  ///
  /// - Parameters:
  ///   - signal: The signal for its group if this process ends.
  ///   - start: Starts it, with the socket to announce itself on.
  /// - Returns: Its process ID, which is that of its group.
  /// - Throws: ``SpawnedProgram/NotStarted``, also if the guard cannot be started.
  func guarding(
    with signal: Int32, _ start: (Socket) throws(SpawnedProgram.NotStarted) -> pid_t
  ) throws(SpawnedProgram.NotStarted) -> pid_t {
    do throws(SpawnedProgram.NotStarted) {
      return try guardingOnce(with: signal, start)
    } catch {
      // The shell has ended just now; another one is started.
      guard error.number == EPIPE else { throw error }
      return try guardingOnce(with: signal, start)
    }
  }

  /// Forgets a group; must be called while its ID is still reserved, before its process is reaped.
  func forget(_ group: pid_t) {
    state.withLock { state in
      guard state.signals.removeValue(forKey: group) != nil else { return }
      state.socket?.send(0, to: group)
    }
  }

  private func guardingOnce(
    with signal: Int32, _ start: (Socket) throws(SpawnedProgram.NotStarted) -> pid_t
  ) throws(SpawnedProgram.NotStarted) -> pid_t {
    let socket = try socket()
    let group = try start(socket)
    state.withLock { state in
      state.signals[group] = signal
      if let newer = state.socket, newer !== socket { newer.send(signal, to: group) }
    }
    return group
  }

  /// The socket to a running shell.
  private func socket() throws(SpawnedProgram.NotStarted) -> Socket {
    try state.withLock { state throws(SpawnedProgram.NotStarted) in
      if let socket = state.socket, socket.isConnected { return socket }
      let socket = try Self.start()
      for (group, signal) in state.signals { socket.send(signal, to: group) }
      state.socket = socket
      return socket
    }
  }

  /// Starts the shell.
  private static func start() throws(SpawnedProgram.NotStarted) -> Socket {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .init(errno) }
    let socket = Socket(ends[0])
    defer { close(ends[1]) }
    var shell = SpawnedProgram(
      arguments: ["/bin/sh", "-c", script], environment: [],
      descriptors: .init(input: ends[1], output: ends[1], errors: ends[1]))
    shell.folder = "/"
    let process: pid_t
    do throws(SpawnedProgram.NotStarted) { process = try shell.start() } catch {
      throw .init(error.number, starting: shell.path)
    }
    while waitpid(process, nil, 0) == -1, errno == EINTR {}
    return socket
  }
}
