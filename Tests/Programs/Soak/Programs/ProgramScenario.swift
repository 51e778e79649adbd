import Glibc
import ProbeCore
import ProbeSystem
import TestSupport

/// Programs that end in every way, several at a time: each must end as expected, and leave nothing behind.
struct ProgramScenario: Scene {
  /// The number of programs that run at the same time.
  private static let width = 8

  let scenario: Scenario
  var numbers: SeededNumbers

  mutating func play() async throws {
    let loop = EventLoop(named: "test")
    defer { loop.end() }
    let count = numbers.size(20...600)
    let parts = (0..<Self.width).map { _ in numbers.branch() }
    await withDiscardingTaskGroup { [scenario] group in
      for part in parts {
        group.addTask {
          var numbers = part
          for _ in 0..<(count / Self.width + 1) {
            if numbers.once(in: 8) {
              await LongProgram(loop, scenario.tally).play(&numbers)
            } else {
              await ShortProgram.allCases.randomElement(using: &numbers)?.play(loop, &numbers, scenario.tally)
            }
            scenario.tally.add(1, .programs)
          }
        }
      }
    }
  }

  /// Whether this process has children, running or not reaped.
  static var hasChildren: Bool {
    var facts = unsafe siginfo_t()
    return unsafe waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == 0
  }
}

/// A program that runs once.
enum ShortProgram: CaseIterable {
  case exits, killed, tooLong, tooMuch, missing, cancelled, silent, leaves

  /// Runs it, and checks the result.
  func play(_ loop: EventLoop, _ numbers: inout SeededNumbers, _ tally: Tally) async {
    let code = Int.random(in: 0...3, using: &numbers)
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: numbers.size(0...300_000))
    var limit = Duration.seconds(120)
    let script: String
    let expected: [ProgramRun.End]
    switch self {
    case .exits: (script, expected) = ("cat; exit \(code)", [.exited(code)])
    case .killed: (script, expected) = ("kill -KILL $$", [.signal(9)])
    case .tooLong:
      limit = numbers.time(upTo: .milliseconds(20))
      (script, expected) = ("sleep 1000 & wait", [.timedOut])
    case .tooMuch: (script, expected) = ("yes", [.tooMuchOutput])
    case .missing: (script, expected) = ("", [])
    case .cancelled: (script, expected) = ("sleep 0.002; exit \(code)", [.cancelled, .exited(code)])
    case .silent: (script, expected) = ("exec <&- >&- 2>&-; exit \(code)", [.exited(code)])
    case .leaves: (script, expected) = ("sleep 1000 & exit \(code)", [.exited(code)])
    }
    let program = Program(self == .missing ? ["/no/such/program"] : ["/bin/sh", "-c", script])
    let task = Task { [limit] in await program.run(input: input, within: limit, environment: [:], on: loop) }
    if self == .cancelled {
      try? await Task.sleep(for: numbers.time(upTo: .milliseconds(4)))
      task.cancel()
    }
    let run = await task.value
    if case .notStarted = run.end, self == .missing { return }
    if !expected.contains(run.end) { tally.problem("a program (\(self)) ended as \(run.end)") }
    if self == .exits, run.output != input { tally.problem("a program lost part of \(input.count) bytes") }
  }
}
