import ProbeCore
import Testing

@testable import ProbeSystem

/// The actions on a program for each event.
struct ProgramCourseTests {
  private let kill: [ProgramCourse.Action] = [.signal(.kill), .timer(ProgramCourse.lastPatience)]

  @Test func theEndOfAProgramIsReportedOnce() {
    var course = ProgramCourse()
    #expect(course.handle(.ended(.exited(3))) == [.report(.exited(3))])
    for event in [.timer, .kill(.cancelled), .end(within: .zero), .ended(.exited(0))] as [ProgramCourse.Event]
    {
      #expect(course.handle(event) == [])
    }
  }

  @Test func theFirstReasonToKillIsTheResult() {
    var course = ProgramCourse()
    #expect(course.handle(.timer) == kill)
    #expect(course.handle(.kill(.cancelled)) == [])
    #expect(course.handle(.end(within: .zero)) == [])
    // This applies even if the program exited just before the signal.
    #expect(course.handle(.ended(.exited(0))) == [.report(.timedOut)])
  }

  @Test func withoutAReasonTheActualEndIsReported() {
    var course = ProgramCourse()
    #expect(course.handle(.kill(nil)) == kill)
    #expect(course.handle(.ended(.signal(9))) == [.report(.signal(9))])
  }

  /// Such as a program that waits for a disk that does not respond.
  @Test(arguments: [(.timedOut, .timedOut), (nil, .signal(9))] as [(ProgramRun.End?, ProgramRun.End)])
  func aProgramThatSurvivesTheKillIsReported(_ reason: ProgramRun.End?, _ result: ProgramRun.End) {
    var course = ProgramCourse()
    #expect(course.handle(.kill(reason)) == kill)
    #expect(course.handle(.timer) == [.report(result)])
    #expect(course.handle(.ended(.signal(9))) == [])
  }

  @Test func endingStartsGently() {
    var course = ProgramCourse()
    #expect(course.handle(.end(within: .seconds(2))) == [.closeInput, .timer(.seconds(2))])
    // The time can be changed.
    #expect(course.handle(.end(within: .seconds(1))) == [.closeInput, .timer(.seconds(1))])
    #expect(course.handle(.timer) == [.signal(.terminate), .timer(ProgramCourse.patience)])
    #expect(course.handle(.end(within: .seconds(1))) == [])
    #expect(course.handle(.timer) == kill)
    #expect(course.handle(.timer) == [.report(.signal(9))])
  }

  @Test func anEndingProgramCanBeKilled() {
    var course = ProgramCourse()
    _ = course.handle(.end(within: .seconds(2)))
    #expect(course.handle(.kill(.tooMuchOutput)) == kill)
    #expect(course.handle(.ended(.signal(9))) == [.report(.tooMuchOutput)])
  }
}
