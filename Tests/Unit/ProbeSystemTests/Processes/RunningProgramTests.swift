import Glibc
import ProbeCore
import ProbeBase
@testable import ProbeSystem
import TestRequirements
import TestSupport
import Testing

/// Long-running programs, as real processes.
@Suite(.patience(minutes: 2)) struct RunningProgramTests {
  /// A program, and its events.
  private struct Stay {
    let program: RunningProgram
    let events = EventQueue<RunningProgram.Event>()

    init(_ program: Program) throws(ProgramNotStarted) {
      let events = events
      self.program = try RunningProgram(
        starting: program, environment: ProgramHelp.environment, on: ProgramHelp.loop
      ) { events.send($0) }
    }

    /// The lines until the end, the kind of end, and the last error.
    func rest() async -> (lines: [String], end: ProgramRun.End, lastError: String) {
      var lines: [String] = []
      var new: [RunningProgram.Event] = []
      while true {
        await events.take(into: &new)
        for event in new {
          switch event {
          case .line(let line): lines.append(String(decoding: line, as: UTF8.self))
          case .ended(let end, let lastError): return (lines, end, lastError)
          }
        }
      }
    }

    /// The next lines.
    func lines(_ count: Int) async -> [String] {
      var lines: [String] = []
      var new: [RunningProgram.Event] = []
      while lines.count < count {
        await events.take(into: &new)
        for case .line(let line) in new { lines.append(String(decoding: line, as: UTF8.self)) }
      }
      return lines
    }
  }

  @Test func linesAreSentAndReceivedInOrder() async throws {
    let stay = try Stay(Program(["/bin/cat"]))
    let sent = (0..<20_000).map { "line \($0)" }
    for line in sent { #expect(stay.program.send(Array(line.utf8))) }
    stay.program.end(within: .seconds(60))
    let (lines, end, _) = await stay.rest()
    #expect(lines == sent)
    #expect(end == .exited(0))
    #expect(!stay.program.send([]))
  }

  @Test func eachLineHasItsResponseBeforeTheNext() async throws {
    let stay = try Stay(ProgramHelp.shell("while read -r line; do echo \"got $line\"; done; echo over"))
    for number in 0..<50 {
      #expect(stay.program.send(Array("\(number)".utf8)))
      #expect(await stay.lines(1) == ["got \(number)"])
    }
    stay.program.end(within: .seconds(60))
    let (lines, end, _) = await stay.rest()
    #expect(lines == ["over"] && end == .exited(0))
  }

  @Test func theEndFollowsAllCompleteLines() async throws {
    let stay = try Stay(
      ProgramHelp.shell("printf 'one\\n\\ntwo\\npart'; printf 'why\\033\\n\\n' >&2; exit 7"))
    let (lines, end, lastError) = await stay.rest()
    #expect(lines == ["one", "", "two"])
    #expect(end == .exited(7))
    #expect(lastError == "why\\x1b")
  }

  @Test func lineLengthIsLimited() async throws {
    var program = ProgramHelp.shell("echo 12345; echo 123456; sleep 1000")
    program.limits.line = 5
    let (lines, end, _) = try await Stay(program).rest()
    #expect(lines == ["12345"])
    #expect(end == .tooMuchOutput)
  }

  @Test func aProgramThatDoesNotReadHasABoundedQueue() async throws {
    let stay = try Stay(ProgramHelp.shell("echo here; exec sleep 1000"))
    #expect(await stay.lines(1) == ["here"])
    let line = [UInt8](repeating: 65, count: (1 << 20) - 1)
    var count = 0
    while stay.program.send(line) { count += 1 }
    // Bytes in the pipe no longer count.
    #expect(count == 64)
    stay.program.kill()
    #expect(await stay.rest().end == .signal(9))
    #expect(!stay.program.send([]))
  }

  @Test func aProgramMayCloseItsInput() async throws {
    let stay = try Stay(ProgramHelp.shell("exec <&-; echo closed; exec sleep 1000"))
    #expect(await stay.lines(1) == ["closed"])
    while stay.program.send(Array("x".utf8)) { await Task.yield() }
    stay.program.kill()
    #expect(await stay.rest().end == .signal(9))
  }

  @Test func aProgramThatDoesNotEndIsTerminated() async throws {
    let stay = try Stay(ProgramHelp.shell("echo here; exec sleep 1000"))
    #expect(await stay.lines(1) == ["here"])
    stay.program.end(within: .zero)
    #expect(await stay.rest().end == .signal(15))
  }

  @Test func aProgramThatIgnoresSIGTERMIsKilledWithItsGroup() async throws {
    let stay = try Stay(ProgramHelp.shell("trap '' TERM; sleep 1000 & echo $!; while :; do wait; done"))
    let child = try #require(pid_t(await stay.lines(1)[0]))
    stay.program.end(within: .zero)
    #expect(await stay.rest().end == .signal(9))
    await ProgramHelp.waits(forEndOf: child)
  }

  @Test func aReleasedProgramIsKilled() async throws {
    var stay: Stay? = try Stay(ProgramHelp.shell("echo $$; exec sleep 1000"))
    let events = try #require(stay).events
    let line = await stay?.lines(1).first
    let process = try #require(line.flatMap { pid_t($0) })
    stay = nil
    var new: [RunningProgram.Event] = []
    await events.take(into: &new)
    guard case .ended(.signal(9), _) = new.first else {
      Issue.record("it ended otherwise: \(new)")
      return
    }
    #expect(kill(process, 0) == -1)
  }

  @Test func unstartableProgramsAreErrors() async {
    let message = "there is no program /no/such/program; correct the path"
    #expect(throws: ProgramNotStarted(message)) { try Stay(Program(["/no/such/program"])) }
  }

  /// Like a plugin that is restarted when its predecessor ends.
  @Test func aProgramCanBeStartedFromTheLoop() async throws {
    let ends = EventQueue<RunningProgram.Event>()
    let second = Guarded<RunningProgram?>(nil)
    let first = try RunningProgram(
      starting: ProgramHelp.shell("exit 1"), environment: [:], on: ProgramHelp.loop
    ) { event in
      guard case .ended = event else { return }
      let next = try? RunningProgram(
        starting: ProgramHelp.shell("read -r line; exit $line"), environment: [:], on: ProgramHelp.loop
      ) { ends.send($0) }
      #expect(next?.send(Array("5".utf8)) == true)
      second.withLock { $0 = next }
    }
    var new: [RunningProgram.Event] = []
    await ends.take(into: &new)
    guard case .ended(.exited(5), lastError: "") = new.first else {
      Issue.record("it ended otherwise: \(new)")
      return
    }
    withExtendedLifetime((first, second)) {}
  }
}
