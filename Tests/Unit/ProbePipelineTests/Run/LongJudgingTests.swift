import Dispatch
import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbePipeline

/// Judging a response that takes long, as searching a long body can.
@Suite(.patience(minutes: 1)) struct LongJudgingTests {
  /// The validator waits until another task has run on the thread of the connection.
  @Test func aLongBodyDoesNotBlockTheThreadOfItsConnection() async throws {
    let thread = OwnThread()
    let somebodyElse = DispatchSemaphore(value: 0)
    let transport = FakeTransport(executors: [thread]) { request in
      Task(executorPreference: thread) { somebodyElse.signal() }
      return try fakeResponse(request.url.string, body: String(repeating: "[", count: 20_000))
    }
    let validator = ClosureValidator { _ in
      somebodyElse.wait(timeout: .now() + .seconds(20)) == .success
        ? .accepted : .rejected(expected: "another task", found: "none")
    }
    let plan = try ProbePlan(
      name: "test",
      sets: [PlannedSet(name: "a", probes: [try probe("https://h.test/", validator)])])
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.sets[0].accepted == 1)
  }

  /// A judgement that takes longer than the probe may take is cancelled, and its result is the probe's.
  @Test func aJudgementEndsWithTheTimeoutOfItsProbe() async throws {
    let transport = FakeTransport { request in
      try fakeResponse(request.url.string, body: String(repeating: "[", count: 20_000))
    }
    let validator = ClosureValidator { _ in
      while !Task.isCancelled { sched_yield() }
      return .rejected(.matchLimit, expected: "an end", found: "none")
    }
    var request = ProbeRequest(try ProbeURL("https://h.test/"))
    request.timeout = .milliseconds(20)
    let probe = PlannedProbe(url: request.url.string, request: request, validator: validator)
    let plan = try ProbePlan(name: "test", sets: [PlannedSet(name: "a", probes: [probe])])
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.sets[0].probes.map(\.reason) == [.matchLimit])
  }

  /// The cancellation of a run reaches the judgement of a long body.
  @Test func aJudgementIsCancelledWithItsRun() async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let transport = FakeTransport { request in
      try fakeResponse(request.url.string, body: String(repeating: "[", count: 20_000))
    }
    let validator = ClosureValidator { _ in
      beginning.finish()
      while !Task.isCancelled { sched_yield() }
      return .rejected(.matchLimit, expected: "an end", found: "none")
    }
    let plan = try ProbePlan(
      name: "test",
      sets: [PlannedSet(name: "a", probes: [try probe("https://h.test/", validator)])])
    let runner = PipelineRunner(try transport.registry)
    let task = Task { await runner.run(plan) }
    for await _ in begun {}
    task.cancel()
    let result = await task.value
    #expect(result.sets[0].probes.map(\.reason) == [.cancelled])
  }
}
