import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeSystem

/// Programs that run once, as real processes.
@Suite(.patience(minutes: 2)) struct ProgramRunTests {
  static let ends: [(script: String, end: ProgramRun.End)] = [
    ("exit 0", .exited(0)), ("exit 1", .exited(1)), ("exit 2", .exited(2)), ("exit 3", .exited(3)),
    ("exit 255", .exited(255)), ("kill -KILL $$", .signal(9)), ("kill -TERM $$", .signal(15)),
    ("kill -SEGV $$", .signal(11)),
  ]

  @Test(arguments: ends) func theEndOfAProgramIsReported(_ script: String, end: ProgramRun.End) async {
    let run = await ProgramHelp.shell("echo out; echo err >&2; \(script)").run()
    #expect(run == ProgramRun(end, output: Array("out\n".utf8), errors: Array("err\n".utf8)))
  }

  /// Conditions that hold when a program starts.
  static let starts = [
    "[ \"$(ls /proc/self/fd | wc -l)\" = 4 ]", "read -r line; [ $? = 1 ] && [ -z \"$line\" ]",
    "[ \"$(sed -n 's/SigBlk:[[:space:]]*0*//p' /proc/self/status)\" = '' ]",
    // Signals from 32 on belong to the C library.
    "[ $((0x$(sed -n 's/SigIgn:[[:space:]]*//p' /proc/self/status) & 0x7fffffff)) = 0 ]",
    "set -- $(cat /proc/$$/stat); [ $5 = $$ ]",
    "[ $(ulimit -Sd) = 524288 ] && [ $(ulimit -Hd) = 524288 ] && [ $(ulimit -c) = 0 ]",
    "[ \"$(sh -c 'ulimit -d; ulimit -c' | tr '\\n' ' ')\" = '524288 0 ' ]",
  ]

  @Test(arguments: starts) func aProgramStartsInACleanState(_ script: String) async {
    let run = await ProgramHelp.shell(script).run()
    #expect(run == ProgramRun(.exited(0)))
  }

  @Test func onlyListedVariablesArePassed() async {
    var program = Program(["/usr/bin/env"])
    program.environment = ["A", "MISSING", "LONG_NAME"]
    let variables = ["A": "b; $(touch /x)", "B": "secret", "LONG_NAME": "", "PATH": "/usr/bin"]
    let run = await program.run(environment: variables)
    #expect(run.text == "A=b; $(touch /x)\nLONG_NAME=\n")
    #expect(await Program(["/usr/bin/env"]).run().text == "")
  }

  @Test func argumentsArePassedUnchanged() async {
    let run = await Program(["/usr/bin/printf", "%s|", "a b", "$(id)", "", "*", "é\n"]).run()
    #expect(run.text == "a b|$(id)||*|é\n|")
  }

  // MARK: - Input and output

  private static let large = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)

  @Test(arguments: [
    ("cat", 3 << 20), ("head -c 2000000 /dev/zero; cat >/dev/null", 2_000_000), ("exit 0", 0),
    ("exec <&-; echo done", 5), ("head -c 10; exit 0", 10), ("head -c 2000000 /dev/zero", 2_000_000),
    ("exec >&-; cat >/dev/null", 0),
  ])
  func largeInputAndOutputDoNotBlockEachOther(_ script: String, _ count: Int) async {
    var program = ProgramHelp.shell(script)
    program.limits.output = 4 << 20
    let run = await program.run(Self.large)
    #expect(run.end == .exited(0))
    #expect(run.output.count == count)
  }

  @Test func theEndOfStandardErrorIsKept() async {
    let run = await ProgramHelp.shell("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo end >&2").run()
    #expect(run.end == .exited(0))
    #expect(run.errorText == String(repeating: "x", count: 4092) + "end\n")
  }

  @Test(arguments: [("printf 12345", false), ("printf 123456", true), ("yes", true), ("yes & wait", true)])
  func outputIsLimited(_ script: String, _ isTooMuch: Bool) async {
    var program = ProgramHelp.shell(script)
    program.limits.output = 5
    let run = await program.run()
    #expect(run.end == (isTooMuch ? .tooMuchOutput : .exited(0)))
    #expect(run.output.count == 5)
  }

  @Test func theMemoryOfAProcessIsLimited() async {
    var program = ProgramHelp.shell("text=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#text}")
    #expect(await program.run().text == "100000000\n")
    program.limits.memory = 64 << 20
    let run = await program.run()
    #expect(run.end != .exited(0))
    #expect(run.output == [])
  }

  // MARK: - Early ends

  @Test func aProgramBeyondItsTimeLimitIsEnded() async {
    let run = await ProgramHelp.shell("trap '' TERM; sleep 1000").run(within: .milliseconds(100))
    #expect(run.end == .timedOut)
  }

  @Test func aCancelledProgramEndsWithItsGroup() async throws {
    let folder = try TemporaryFolder()
    let task = Task {
      await ProgramHelp.shell("echo begun; sleep 1000 & echo $$ $! >numbers; wait", in: folder.path).run()
    }
    let numbers = await ProgramHelp.line(of: folder.path(of: "numbers")).split(separator: " ")
    let processes = try numbers.map { try #require(pid_t($0)) }
    task.cancel()
    #expect(await task.value == ProgramRun(.cancelled, output: Array("begun\n".utf8)))
    #expect(kill(processes[0], 0) == -1)
    await ProgramHelp.waits(forEndOf: processes[1])
  }

  @Test func aCancelledTaskStartsNoProgram() async throws {
    let folder = try TemporaryFolder()
    let run = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await ProgramHelp.shell("touch here", in: folder.path).run()
    }.value
    #expect(run == ProgramRun(.cancelled))
    #expect(unsafe access(folder.path(of: "here"), F_OK) == -1)
  }

  @Test func remainingChildrenAreEnded() async throws {
    let run = await ProgramHelp.shell("sleep 1000 & echo $$ $!").run()
    #expect(run.end == .exited(0))
    let processes = try run.text.dropLast().split(separator: " ").map { try #require(pid_t($0)) }
    #expect(kill(processes[0], 0) == -1)
    await ProgramHelp.waits(forEndOf: processes[1])
  }

  /// The daemon is in another group, and keeps the pipes open.
  @Test func aRunDoesNotWaitForADaemon() async throws {
    let run = await ProgramHelp.shell(
      "setsid sh -c 'echo $$; while :; do echo more; done' & read -r line <&0; head -c 100000 /dev/zero"
    ).run()
    #expect(run.end == .exited(0) || run.end == .tooMuchOutput)
    let first = run.output.split(separator: UInt8(ascii: "\n")).lazy
      .compactMap { pid_t(String(decoding: $0.filter { $0 != 0 }, as: UTF8.self)) }.first
    // It ends with SIGPIPE once the pipe is closed.
    if let first { await ProgramHelp.waits(forEndOf: first) }
  }

  @Test func concurrentRunsDoNotInterfere() async {
    await withTaskGroup(of: (Int, ProgramRun).self) { group in
      for number in 0..<60 {
        group.addTask {
          (number, await ProgramHelp.shell("cat; exit \(number)").run(Array("\(number)".utf8)))
        }
      }
      for await (number, run) in group {
        #expect(run == ProgramRun(.exited(number), output: Array("\(number)".utf8)))
      }
    }
  }
}
