import Foundation
import Glibc
import ProbeCore
@testable import ProbeSystem
import TestRequirements
import TestSupport
import Testing

/// The end of programs whose parent has ended without ending them.
@Suite(.patience(minutes: 2)) struct ProgramGuardTests {
  /// A program that ignores the end of its input and every signal that it can, and its child.
  private static let stubborn = """
    trap '' HUP INT TERM
    sleep 1000 & echo $! $$ >"$0.new" && mv "$0.new" "$0"
    while :; do sleep 1000; done
    """

  private static func isWritten(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  @Test func programsEndWithAProcessThatIsKilled() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "processes")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let loop = EventLoop(named: "test")
      let program = try RunningProgram(
        starting: Program(["/bin/sh", "-c", Self.stubborn, path], in: ""),
        environment: ["PATH": "/usr/bin:/bin"],
        on: loop
      ) { _ in }
      while !Self.isWritten(path) { await Task.yield() }
      withExtendedLifetime(program) { _ = kill(getpid(), SIGKILL) }
    }
    let processes = readText(path).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    try #require(processes.count == 2)
    await Self.expectEnd(of: processes)
  }

  /// The shell of the first programs is killed, and another one takes over.
  @Test func anotherGuardReplacesOneThatIsKilled() async throws {
    let folder = try TemporaryFolder()
    let paths = [folder.path(of: "first"), folder.path(of: "second")]
    await #expect(processExitsWith: .signal(SIGKILL)) { [paths = paths as [String]] in
      // The shell is the only process of the session besides this one and its programs.
      setsid()
      let loop = EventLoop(named: "test")
      var programs: [RunningProgram] = []
      for path in paths {
        programs.append(
          try RunningProgram(
            starting: Program(["/bin/sh", "-c", Self.stubborn, path], in: ""),
            environment: ["PATH": "/usr/bin:/bin"], on: loop
          ) { _ in })
        while !Self.isWritten(path) { await Task.yield() }
        guard path == paths[0] else { continue }
        let shell = try #require(Self.guards(inSession: getsid(0)).first)
        kill(shell, SIGKILL)
        while !Self.guards(inSession: getsid(0)).isEmpty { await Task.yield() }
      }
      withExtendedLifetime(programs) { _ = kill(getpid(), SIGKILL) }
    }
    let processes = paths.flatMap {
      readText($0).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    }
    try #require(processes.count == 4)
    await Self.expectEnd(of: processes)
  }

  /// Expects that processes end within a minute, and kills those that do not.
  private static func expectEnd(of processes: [pid_t]) async {
    let end = ContinuousClock.now + .seconds(60)
    while processes.contains(where: ProgramHelp.isRunning), ContinuousClock.now < end { await Task.yield() }
    for process in processes where ProgramHelp.isRunning(process) {
      Issue.record("the process \(process) still runs")
      kill(process, SIGKILL)
    }
  }

  /// The shells in a session that guard programs.
  private static func guards(inSession session: pid_t) -> [pid_t] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) }.filter {
      process in
      getsid(process) == session && readText("/proc/\(process)/cmdline").contains("read -r signal group")
    } ?? []
  }

  /// Starts a program of a guard that sleeps.
  private static func start(_ guardian: ProgramGuard) throws -> pid_t {
    try guardian.guarding(with: SIGTERM) { socket throws(ProgramLaunch.NotStarted) in
      try ProgramLaunch(
        arguments: ["/bin/sleep", "1000"], environment: [],
        descriptors: .init(input: nil, output: STDERR_FILENO, errors: STDERR_FILENO)
      ).start(announcing: SIGTERM, on: socket)
    }
  }

  /// Groups that cannot exist.
  private static func announce(_ groups: Range<pid_t>, to guardian: ProgramGuard) throws {
    for group in groups {
      _ = try guardian.guarding(with: SIGTERM) { socket throws(ProgramLaunch.NotStarted) in
        let bytes = Array("15 \(group)\n".utf8)
        _ = unsafe send(socket.number, bytes, bytes.count, 0)
        return group
      }
    }
  }

  private static let impossible: pid_t = 1 << 23

  private static func expectEnd(bySIGTERMOf process: pid_t) async {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, WNOHANG) == 0 { await Task.yield() }
    #expect(ProcessEnd(status: status) == .signal(SIGTERM))
  }

  private static func expectIsRunning(_ process: pid_t) {
    #expect(ProgramHelp.isRunning(process))
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  @Test func aForgottenGroupIsLeftAlone() async throws {
    let keeper = ProgramGuard()
    func leave() throws -> [pid_t] {
      let own = ProgramGuard()
      let processes = [try Self.start(own), try Self.start(own)]
      // So many that the shell removes those that were forgotten from its list.
      try Self.announce(Self.impossible..<(Self.impossible + 200), to: own)
      let last = try Self.start(own)
      own.forget(processes[1])
      for group in Self.impossible..<(Self.impossible + 190) { own.forget(group) }
      try Self.announce((Self.impossible + 200)..<(Self.impossible + 300), to: own)
      return processes + [last]
    }
    let other = try Self.start(keeper)
    let processes = try leave()
    // The shell signals the groups in their order.
    for process in [processes[0], processes[2]] { await Self.expectEnd(bySIGTERMOf: process) }
    for process in [processes[1], other] { Self.expectIsRunning(process) }
    keeper.forget(other)
  }

  /// A shell that reads nothing delays the start of a program for some time, and nothing else.
  @Test func aStoppedGuardHoldsNothingUp() async throws {
    await #expect(processExitsWith: .success) {
      // What waits for the shell is not cancelled.
      alarm(600)
      // The shell is the only process of the session besides this one and its programs.
      setsid()
      var own: ProgramGuard? = ProgramGuard()
      let guardian = try #require(own)
      let (first, second) = (try Self.start(guardian), try Self.start(guardian))
      try Self.announce(Self.impossible..<(Self.impossible + 2000), to: guardian)
      let shell = try #require(Self.guards(inSession: getsid(0)).first)
      kill(shell, SIGSTOP)
      for group in Self.impossible..<(Self.impossible + 2000) { guardian.forget(group) }
      guardian.forget(first)
      #expect(throws: ProgramLaunch.NotStarted.self) { _ = try Self.start(guardian) }
      kill(shell, SIGCONT)
      while guardian.hasUnreported { await Task.yield() }
      let third = try Self.start(guardian)
      own = nil
      _ = consume guardian
      for process in [second, third] { await Self.expectEnd(bySIGTERMOf: process) }
      Self.expectIsRunning(first)
    }
  }
}
