import ProbeBase
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ConnectivityMonitor

/// Events in an unusual order.
@Suite(.patience(minutes: 1)) struct MonitorLoopTests {
  @Test func aTimerThatWasReplacedDoesNotEndItsSuccessor() async throws {
    let clock = ManualClock()
    var transports = TransportRegistry()
    try transports.register(MadeUpTransport { request throws(ProbeFailure) in .madeUp(request.url) })
    let plan = try Pipeline("lab", sets: [ProbeSet("a", "https://a.example/")]).plan(over: transports)
    let parts = MonitorLoop.Parts(
      plan: plan, transports: transports, settings: MonitorSettings(),
      paths: { () throws(PathFailure) in MadeUpPaths() }, clock: clock, random: { 0.5 })
    let events = EventQueue<MonitorLoop.Event>()
    let run = Task {
      var loop = MonitorLoop(parts, events: events, announce: { _ in }, report: { _ in })
      await loop.run()
    }
    await clock.waitForSleeper(until: .seconds(10))
    // From a timer that fired but was replaced before the event was handled.
    events.send(.timePassed(0))
    let state = await withCheckedContinuation { events.send(.checkWanted(1, $0)) }
    #expect(state.isConnected)
    events.send(.stop)
    await run.value
    #expect(clock.sleeperCount == 0)
  }
}
