import Glibc
import ProbeBase
@testable import ProbeSystem
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand

/// Commands that a monitor starts, as real processes.
@Suite(.patience(minutes: 1)) struct MonitorChildTests {
  static let ends: [(command: String, end: ProcessEnd)] = [
    ("exit 0", .code(0)), ("exit 7", .code(7)), ("kill -KILL $$", .signal(9)),
    ("no-such-command", .code(127)),
    // The environment that a program started from a terminal relies on.
    ("read -r line; [ $? = 1 ] && [ -z \"$line\" ]", .code(0)),
    ("[ $(ls /proc/self/fd | wc -l) = 4 ]", .code(0)),
    ("[ \"$(sed -n 's/SigBlk:[[:space:]]*0*//p' /proc/self/status)\" = '' ]", .code(0)),
    // Signals 32 and up are reserved for the C library.
    ("[ $((0x$(sed -n 's/SigIgn:[[:space:]]*//p' /proc/self/status) & 0x7fffffff)) = 0 ]", .code(0)),
    ("set -- $(cat /proc/$$/stat); [ $5 = $$ ]", .code(0)),
    ("[ \"$A\" = 'b; $(touch /x)' ]", .code(0)),
  ]

  @Test(arguments: ends)
  func aCommandStartsInACleanState(_ command: String, end: ProcessEnd) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: ProcessEnd.self)
    let child = try ChildProcess(
      shell: command, environment: ["PATH=/usr/bin:/bin", "A=b; $(touch /x)"], output: STDERR_FILENO
    ) {
      continuation.yield($0)
    }
    await child.waitForEnd()
    #expect(await stream.first { _ in true } == end)
    child.end()
  }

  @Test func theEntireProcessGroupIsEnded() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: MonitorEvent.self)
    let writing = CommandOutput.lines.open { continuation.yield($0) }
    let child = try ChildProcess(
      shell: "sleep 1000 & echo $!; wait", environment: ["PATH=/usr/bin:/bin"], output: writing.descriptor
    ) { continuation.yield(.commandEnded($0)) }
    writing.close()
    var sleeper: pid_t?
    var end: ProcessEnd?
    for await event in stream {
      switch event {
      case .commandOutput(let line):
        sleeper = pid_t(line)
        child.end()
      case .commandEnded(let how): end = how
      default: break
      }
      if end != nil { break }
    }
    #expect(end == .signal(SIGTERM))
    let process = try #require(sleeper)
    // Its new parent reaps it eventually; until then it is a zombie.
    while kill(process, 0) == 0, !readText("/proc/\(process)/stat").contains(") Z ") { await Task.yield() }
  }

  /// A background child ends with the monitor, not earlier; one in its own session keeps running.
  @Test func childrenOfAFinishedCommandEndWithTheMonitor() async throws {
    let folder = try TemporaryFolder()
    let run = try await MonitorRun(
      [
        "--on-change",
        "sleep 1000 & echo $! >DIR/child; setsid sleep 1000 & echo $! >DIR/free; echo done >&2",
      ], in: folder, environment: ["PATH": "/usr/bin:/bin"], isTerminal: false
    ) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      while !readText("\(folder.path)/free").hasSuffix("\n") { await Task.yield() }
      let child = try #require(pid_t(readText("\(folder.path)/child").dropLast()))
      // The shell leads the group: it has ended once its process is a zombie.
      while !readText("/proc/\(getpgid(child))/stat").contains(") Z ") { await Task.yield() }
      #expect(kill(child, 0) == 0)
      #expect(!readText("/proc/\(child)/stat").contains(") Z "))
    }
    #expect(!run.errors.contains("left running"))
    let child = try #require(pid_t(readText("\(folder.path)/child").dropLast()))
    while kill(child, 0) == 0, !readText("/proc/\(child)/stat").contains(") Z ") { await Task.yield() }
    let free = try #require(pid_t(readText("\(folder.path)/free").dropLast()))
    #expect(kill(free, SIGKILL) == 0)
  }

  @Test func commandOutputIsSplitIntoLines() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: MonitorEvent.self)
    let writing = CommandOutput.lines.open { continuation.yield($0) }
    let child = try ChildProcess(
      shell: "printf 'one\\n\\ntwo' >&2; printf 'caf\\351\\nlast'", environment: ["PATH=/usr/bin:/bin"],
      output: writing.descriptor
    ) { _ in }
    writing.close()
    await child.waitForEnd()
    var lines: [String] = []
    for await case .commandOutput(let line) in stream {
      lines.append(line)
      if line == "last" { break }
    }
    #expect(lines == ["one", "", "twocaf\u{E9}", "last"])
  }

  @Test func aMonitorReportsFailedCommands() async throws {
    let run = try await MonitorRun(["--on-change", "exit 3"]) { monitor in
      monitor.send(.changed(MonitorSamples.determining))
      monitor.send(.changed(MonitorSamples.online))
      await monitor.errors(contain: "exit code")
    }
    #expect(run.errors == "probekit monitor: --on-change: the command failed with exit code 3\n")
  }

  @Test func commandOutputOnATerminalIsEscaped() async throws {
    let run = try await MonitorRun(
      ["--on-change", "printf 'hello \\033[2J\\n'"], environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"],
      isTerminal: true
    ) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      await monitor.errors(contain: "hello")
    }
    #expect(run.errors == "hello \\x1b[2J\n")
  }

  @Test func aCommandThatIgnoresTerminationIsLeftRunning() async throws {
    let folder = try TemporaryFolder()
    let run = try await MonitorRun(
      ["--on-change", "trap '' TERM; echo $$ >DIR/pid; while :; do sleep 0.1; done"], in: folder,
      environment: ["PATH": "/usr/bin:/bin"]
    ) { monitor in
      monitor.send(.changed(MonitorSamples.online))
      while !readText("\(folder.path)/pid").hasSuffix("\n") { await Task.yield() }
    }
    #expect(run.errors == "probekit monitor: --on-change: the command does not end and is left running\n")
    let process = try #require(pid_t(readText("\(folder.path)/pid").dropLast()))
    kill(-process, SIGKILL)
  }
}
