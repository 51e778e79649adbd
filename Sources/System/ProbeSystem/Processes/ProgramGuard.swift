internal import Glibc
internal import ProbeBase

/// A process that ends the programs of this process once this process has ended, even by SIGKILL.
///
/// It is one shell for all programs. Its input is a socket from this process, on which each program announces its group
/// itself before it executes its file; at the end of its input, the shell signals the groups that are left. The death
/// signal of prctl(2) would not do: it reaches neither children of a program nor programs that change their user, and
/// depends on the thread that started the program.
final class ProgramGuard: Sendable {
  /// The guard of this process, which is started with the first program.
  static let shared = ProgramGuard()

  private static let shell = "/bin/sh"

  /// The script of the shell.
  ///
  /// It is not a child of this process, so that a program that uses ProbeKit may wait for all of its children. It has
  /// its own process group, and neither Ctrl-C nor a signal to all processes of a service ends it before its task.
  private static let script = #"""
    trap '' HUP INT QUIT TERM PIPE
    # Some shells give a background command an empty input before they redirect it.
    exec 3<&0
    {
      # The signal of group 12 is in the variable g12. The list also has groups that were forgotten, until they are most
      # of it, so that a message costs the same however many programs run.
      groups= listed=0 left=0
      while read -r signal group; do
        eval "known=\${g$group-}"
        if [ "$signal" = 0 ]; then
          [ -z "$known" ] || left=$((left - 1))
          unset "g$group"
          continue
        fi
        eval "g$group=$signal"
        [ -z "$known" ] || continue
        groups="$groups $group" listed=$((listed + 1)) left=$((left + 1))
        [ "$listed" -gt $((2 * left + 64)) ] || continue
        all=$groups groups= listed=0
        for group in $all; do
          eval "known=\${g$group-}"
          [ -z "$known" ] || groups="$groups $group" listed=$((listed + 1))
        done
      done
      for group in $groups; do
        eval "signal=\${g$group-}"
        [ -z "$signal" ] || kill "-$signal" "-$group"
      done
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

    /// Sends a message; it waits for the shell if it must be sent now.
    ///
    /// - Returns: False if the shell has not read so many others that the message must be sent again later.
    fileprivate func send(_ signal: Int32, to group: pid_t, now: Bool = false) -> Bool {
      let bytes = Array("\(signal) \(group)\n".utf8)
      let flags = Int32(MSG_NOSIGNAL) | (now ? 0 : Int32(MSG_DONTWAIT))
      return unsafe Glibc.send(number, bytes, bytes.count, flags) == bytes.count || errno != EAGAIN
    }
  }

  private struct State: Sendable {
    var socket: Socket?
    /// The signal for each group, for another shell if this one ends.
    var signals: [pid_t: Int32] = [:]
    /// The groups to forget that have not been reported to the shell.
    var unreported: [pid_t] = []
    /// Whether a thread waits for the shell to read.
    var isReporting = false

    /// Reports to the shell which groups to forget, as far as it reads.
    mutating func report() {
      // A group that is known again was announced meanwhile.
      let sent = unreported.prefix { signals[$0] != nil || (socket?.send(0, to: $0) ?? true) }
      unreported.removeFirst(sent.count)
    }
  }

  /// The maximum time that the start of a program waits for the shell, which only a stopped one exceeds.
  private static let maximumWait = timeval(tv_sec: 2, tv_usec: 0)

  private let state = Guarded(State())

  /// Starts a program that announces itself.
  ///
  /// - Parameters:
  ///   - signal: The signal for its group if this process ends.
  ///   - start: Starts it, with the socket to announce itself on.
  /// - Returns: Its process ID, which is that of its group.
  /// - Throws: ``ProgramLaunch/NotStarted``, also if the guard cannot be started.
  func guarding(
    with signal: Int32, _ start: (Socket) throws(ProgramLaunch.NotStarted) -> pid_t
  ) throws(ProgramLaunch.NotStarted) -> pid_t {
    do throws(ProgramLaunch.NotStarted) {
      return try guardingOnce(with: signal, start)
    } catch {
      // The shell does not read.
      if error.number == ETIMEDOUT { throw .init(error.number, starting: Self.shell) }
      // It has ended just now; another one is started.
      guard error.number == EPIPE else { throw error }
      return try guardingOnce(with: signal, start)
    }
  }

  /// Forgets a group; must be called while its ID is still reserved, before its process is reaped.
  ///
  /// It does not wait for the shell: a thread does if the shell reads too slowly.
  func forget(_ group: pid_t) {
    let needsThread = state.withLock { state in
      guard state.signals.removeValue(forKey: group) != nil else { return false }
      state.unreported.append(group)
      state.report()
      guard !state.unreported.isEmpty, !state.isReporting else { return false }
      state.isReporting = true
      return true
    }
    guard needsThread else { return }
    do { try WorkerThread(named: "probekit-guard") { self.reportAll() }.detach() } catch {
      // The next start or end of a program reports it.
      state.withLock { $0.isReporting = false }
    }
  }

  /// Whether groups to forget have not been reported to the shell yet.
  var hasUnreported: Bool { state.withLock { !$0.unreported.isEmpty } }

  private func reportAll() {
    func next() -> Socket? {
      state.withLock { state in
        state.report()
        if state.unreported.isEmpty { state.isReporting = false }
        return state.unreported.isEmpty ? nil : state.socket
      }
    }
    while let socket = next() {
      var event = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
      // Not for ever, because another shell may have replaced this one.
      _ = unsafe poll(&event, 1, 1000)
    }
  }

  private func guardingOnce(
    with signal: Int32, _ start: (Socket) throws(ProgramLaunch.NotStarted) -> pid_t
  ) throws(ProgramLaunch.NotStarted) -> pid_t {
    let socket = try socket()
    let group = try start(socket)
    state.withLock { state in
      state.signals[group] = signal
      if let newer = state.socket, newer !== socket { _ = newer.send(signal, to: group, now: true) }
    }
    return group
  }

  /// The socket to a running shell.
  private func socket() throws(ProgramLaunch.NotStarted) -> Socket {
    try state.withLock { state throws(ProgramLaunch.NotStarted) in
      state.report()
      if let socket = state.socket, socket.isConnected { return socket }
      let socket = try Self.start()
      for (group, signal) in state.signals where !socket.send(signal, to: group, now: true) {
        throw .init(ETIMEDOUT, starting: Self.shell)
      }
      (state.socket, state.unreported) = (socket, [])
      return socket
    }
  }

  /// Starts the shell.
  private static func start() throws(ProgramLaunch.NotStarted) -> Socket {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .init(errno) }
    let socket = Socket(ends[0])
    defer { close(ends[1]) }
    var wait = maximumWait
    unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    var shell = ProgramLaunch(
      arguments: [Self.shell, "-c", script], environment: [],
      descriptors: .init(input: ends[1], output: ends[1], errors: ends[1]))
    shell.folder = "/"
    let process: pid_t
    do throws(ProgramLaunch.NotStarted) { process = try shell.start() } catch {
      throw .init(error.number, starting: shell.path)
    }
    while waitpid(process, nil, 0) == -1, errno == EINTR {}
    return socket
  }
}
