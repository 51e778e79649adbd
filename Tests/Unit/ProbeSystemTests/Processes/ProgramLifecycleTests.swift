import ProbeCore
import Testing

@testable import ProbeSystem

/// The actions on a program for each event.
struct ProgramLifecycleTests {
  private let kill: [ProgramLifecycle.Action] = [.signal(.kill), .timer(ProgramLifecycle.killTimeout)]

  @Test func theEndOfAProgramIsReportedOnce() {
    var lifecycle = ProgramLifecycle()
    #expect(lifecycle.handle(.ended(.exited(3))) == [.report(.exited(3))])
    for event in [.timer, .kill(.cancelled), .end(within: .zero), .ended(.exited(0))]
      as [ProgramLifecycle.Event]
    {
      #expect(lifecycle.handle(event) == [])
    }
  }

  @Test func theFirstReasonToKillIsTheResult() {
    var lifecycle = ProgramLifecycle()
    #expect(lifecycle.handle(.timer) == kill)
    #expect(lifecycle.handle(.kill(.cancelled)) == [])
    #expect(lifecycle.handle(.end(within: .zero)) == [])
    // This applies even if the program exited just before the signal.
    #expect(lifecycle.handle(.ended(.exited(0))) == [.report(.timedOut)])
  }

  @Test func withoutAReasonTheActualEndIsReported() {
    var lifecycle = ProgramLifecycle()
    #expect(lifecycle.handle(.kill(nil)) == kill)
    #expect(lifecycle.handle(.ended(.signal(9))) == [.report(.signal(9))])
  }

  /// Such as a program that waits for a disk that does not respond.
  @Test(arguments: [(.timedOut, .timedOut), (nil, .signal(9))] as [(ProgramRun.End?, ProgramRun.End)])
  func aProgramThatSurvivesTheKillIsReported(_ reason: ProgramRun.End?, _ result: ProgramRun.End) {
    var lifecycle = ProgramLifecycle()
    #expect(lifecycle.handle(.kill(reason)) == kill)
    #expect(lifecycle.handle(.timer) == [.report(result)])
    #expect(lifecycle.handle(.ended(.signal(9))) == [])
  }

  @Test func endingStartsGently() {
    var lifecycle = ProgramLifecycle()
    #expect(lifecycle.handle(.end(within: .seconds(2))) == [.closeInput, .timer(.seconds(2))])
    // The time can be changed.
    #expect(lifecycle.handle(.end(within: .seconds(1))) == [.closeInput, .timer(.seconds(1))])
    #expect(lifecycle.handle(.timer) == [.signal(.terminate), .timer(ProgramLifecycle.terminationTimeout)])
    #expect(lifecycle.handle(.end(within: .seconds(1))) == [])
    #expect(lifecycle.handle(.timer) == kill)
    #expect(lifecycle.handle(.timer) == [.report(.signal(9))])
  }

  @Test func anEndingProgramCanBeKilled() {
    var lifecycle = ProgramLifecycle()
    _ = lifecycle.handle(.end(within: .seconds(2)))
    #expect(lifecycle.handle(.kill(.tooMuchOutput)) == kill)
    #expect(lifecycle.handle(.ended(.signal(9))) == [.report(.tooMuchOutput)])
  }
}
