import ProbeCore
import ProbeBase
import ProbeSystem
import TestSupport

/// A long-running program that receives lines and ends in a random way.
struct LongProgram {
  private let loop: EventLoop
  private let tally: Tally

  init(_ loop: EventLoop, _ tally: Tally) {
    (self.loop, self.tally) = (loop, tally)
  }

  /// Starts it, and checks its lines and its end.
  func play(_ numbers: inout SeededNumbers) async {
    let events = EventQueue<RunningProgram.Event>()
    var program: RunningProgram?
    do {
      program = try RunningProgram(starting: Program(["/bin/cat"]), environment: [:], on: loop) {
        events.send($0)
      }
    } catch {
      return tally.problem("a long-running program does not start: \(error)")
    }
    let count = numbers.size(0...500)
    for number in 0..<count where program?.send(Array("\(number)".utf8)) != true {
      tally.problem("line \(number) of a program is refused")
    }
    let isGentle = numbers.once(in: 2)
    if isGentle {
      program?.end(within: .seconds(120))
    } else if numbers.once(in: 2) {
      program?.kill()
    } else {
      program = nil
    }
    var lines = 0
    var new: [RunningProgram.Event] = []
    while true {
      await events.take(into: &new)
      for event in new {
        switch event {
        case .line(let line):
          if line != Array("\(lines)".utf8) { tally.problem("line \(lines) of a program differs") }
          lines += 1
        case .ended(let end, _):
          let isRight = isGentle ? end == .exited(0) && lines == count : end == .signal(9)
          if !isRight {
            tally.problem("a long-running program ended as \(end) after \(lines) of \(count) lines")
          }
          return
        }
      }
    }
  }
}
