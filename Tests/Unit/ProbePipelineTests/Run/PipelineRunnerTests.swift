import ProbeBase
import PortalAnalysis
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing
import TestTransports

@Suite(.patience(minutes: 1)) struct PipelineRunnerTests {
  @Test func aRunTurnsAPlanIntoAVerdict() async throws {
    let transport = FakeTransport { request in
      try fakeResponse(request.url.string, body: "ok", from: "192.0.2.80")
    }
    let plan = try ProbePlan(
      name: "office", policy: .plaintextAllowed,
      sets: [
        PlannedSet(name: "http", probes: [try probe("http://a.example/", BodyIs(text: "ok"))]),
        PlannedSet(
          name: "https", required: false,
          probes: [try probe("https://a.example/"), try probe("https://b.example/", BodyIs(text: "no"))]),
      ], stopsEarly: false)
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.pipeline == "office")
    #expect(result.verdict == .online)
    #expect(result.portal == nil)
    #expect(result.sets.map(\.name) == ["http", "https"])
    #expect(result.sets.map(\.isRequired) == [true, false])
    #expect(result.sets.map(\.isMet) == [true, false])
    #expect(result.sets.flatMap(\.probes).map(\.outcome) == [.accepted, .accepted, .failed])
    #expect(result.sets[0].probes[0].captures == ["body": "ok"])
    #expect(result.sets[0].probes[0].response?.remoteAddress?.description == "192.0.2.80:80")
    #expect(result.sets[0].probes[0].response?.body == [])
  }

  @Test func aPortalIsFoundAndReported() async throws {
    let transport = FakeTransport { request in
      guard request.url.scheme == .http else { throw ProbeFailure(.tlsHandshake, "no TLS here") }
      return try fakeResponse(request.url.string, 302, fields: ["Location": "http://192.0.2.1:3990/"])
    }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed,
      sets: [
        PlannedSet(name: "a", probes: [try probe("http://a.example/"), try probe("https://a.example/")])
      ])
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.verdict == .captivePortal)
    #expect(result.portal?.loginURL.string == "http://192.0.2.1:3990/")
    #expect(result.portal?.source == .location)
  }

  @Test func thePlansPolicyIsEnforced() async throws {
    let transport = FakeTransport { request in try fakeResponse(request.url.string) }
    let plan = try ProbePlan(
      name: "test",
      sets: [
        PlannedSet(name: "a", probes: [try probe("http://a.example/"), try probe("https://a.example/")])
      ])
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.sets[0].probes.map(\.reason) == [.plaintext, nil])
  }

  @Test func aThrownErrorAffectsOnlyItsProbe() async throws {
    struct Odd: Error {}
    let transport = FakeTransport { request in
      switch request.url.host {
      case "odd.example": throw Odd()
      case "gone.example": throw CancellationError()
      default: return try fakeResponse(request.url.string)
      }
    }
    let plan = try ProbePlan(
      name: "test",
      sets: [
        PlannedSet(
          name: "a",
          probes: [
            try probe("https://odd.example/"), try probe("https://gone.example/"),
            PlannedProbe(url: "not a URL", failure: ProbeFailure(.invalidRequest, "line 3: no scheme")),
            try probe("ftp://a.example/"), try probe("https://fine.example/"),
          ])
      ])
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(
      result.sets[0].probes.map(\.reason) == [
        .transportFailure, .cancelled, .invalidRequest, .invalidRequest, nil,
      ])
    #expect(result.sets[0].probes[2].detail == "line 3: no scheme")
    #expect(result.verdict == .inconclusive)
  }

  @Test func progressReportsEachResultOnce() async throws {
    let transport = FakeTransport { request in
      if request.url.port == 7 { throw ProbeFailure(.connectRefused, "refused") }
      return try fakeResponse(request.url.string)
    }
    let probes = try (1...200).map { try probe("https://a.example:\($0)/") }
    let plan = try ProbePlan(name: "test", sets: [PlannedSet(name: "a", probes: probes)])
    let reported = Guarded<[Int: ProbeResult]>([:])
    let result = await PipelineRunner(try transport.registry).run(plan) { index, result in
      let earlier = reported.withLock { $0.updateValue(result, forKey: index) }
      #expect(earlier == nil)
    }
    let all = result.sets.flatMap(\.probes)
    #expect(reported.withLock { reported in all.indices.map { reported[$0] } } == all)
    #expect(all.map(\.url) == probes.map(\.url))
  }

  @Test func concurrencyLimitsAreRespected() async throws {
    let running = Guarded<[String: Int]>([:])
    let transport = FakeTransport(executors: [OwnThread()]) { request in
      let host = request.url.host
      running.withLock { running in
        running[host, default: 0] += 1
        #expect(running[host, default: 0] <= 2)
        #expect(running.values.reduce(0, +) <= 5)
      }
      for _ in 0..<5 { await Task.yield() }
      running.withLock { $0[host, default: 0] -= 1 }
      return try fakeResponse(request.url.string)
    }
    let probes = try (0..<300).map { try probe("https://host\($0 * $0 % 7).example/\($0)") }
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: probes)], run: RunLimits(concurrency: 5, perHost: 2))
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.sets[0].accepted == 300)
  }

  /// One probe that receives its response at once and three that wait at the gate, two at a time.
  private func fastAndSlow(_ gate: ClosedGate, deadline: Duration) throws -> (FakeTransport, ProbePlan) {
    let transport = FakeTransport { request in
      if request.url.host != "fast.example" { try await gate.hold() }
      return try fakeResponse(request.url.string)
    }
    let probes = try ["fast", "slow", "slow", "slow"].map { try probe("https://\($0).example/") }
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: probes)],
      run: RunLimits(concurrency: 2, deadline: deadline))
    return (transport, plan)
  }

  @Test func theDeadlineEndsTheRun() async throws {
    let clock = ManualClock()
    let gate = ClosedGate()
    let (transport, plan) = try fastAndSlow(gate, deadline: .seconds(30))
    let runner = PipelineRunner(try transport.registry, clock: clock)
    async let pending = runner.run(plan)
    await gate.wait(for: 2)
    await clock.waitForSleeper()
    clock.advance(by: .seconds(30))
    let result = await pending
    #expect(result.sets[0].probes.map(\.outcome) == [.accepted, .failed, .failed, .skipped])
    #expect(result.sets[0].probes.map(\.reason) == [nil, .totalTimeout, .totalTimeout, .totalTimeout])
    #expect(result.duration == .seconds(30))
    #expect(result.verdict == .inconclusive)
  }

  @Test func aFinishedRunDoesNotWaitForItsDeadline() async throws {
    let transport = FakeTransport { request in try fakeResponse(request.url.string) }
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: [try probe("https://a.example/")])],
      run: RunLimits(deadline: .seconds(3600)))
    let result = await PipelineRunner(try transport.registry, clock: ManualClock()).run(plan)
    #expect(result.verdict == .online)
  }

  @Test func cancellationEndsTheRunPromptlyWithAResult() async throws {
    let gate = ClosedGate()
    let (transport, plan) = try fastAndSlow(gate, deadline: .seconds(3600))
    let runner = PipelineRunner(try transport.registry, clock: ManualClock())
    let task = Task { await runner.run(plan) }
    await gate.wait(for: 2)
    task.cancel()
    let result = await task.value
    #expect(result.sets[0].probes.map(\.outcome) == [.accepted, .skipped, .skipped, .skipped])
    #expect(result.sets[0].probes.map(\.reason) == [nil, .cancelled, .cancelled, .cancelled])
    #expect(result.verdict == .inconclusive)
  }

  @Test func aRunCancelledBeforeItStartsProbesNothing() async throws {
    let probed = Guarded(0)
    let transport = FakeTransport { request in
      probed.withLock { $0 += 1 }
      return try fakeResponse(request.url.string)
    }
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: [try probe("https://a.example/")])])
    let runner = PipelineRunner(try transport.registry)
    let gate = ClosedGate()
    let task = Task {
      try? await gate.hold()
      return await runner.run(plan)
    }
    task.cancel()
    let result = await task.value
    #expect(probed.withLock(\.self) == 0)
    #expect(result.sets[0].probes.map(\.outcome) == [.skipped])
    #expect(result.verdict == .inconclusive)
  }

  @Test func aHundredThousandProbesRun() async throws {
    let page = try fakeResponse("https://a.example/", 204)
    let transport = FakeTransport(executors: [OwnThread()]) { _ in page }
    let probes = try manyProbes(100_000, hosts: 1000)
    let plan = try ProbePlan(name: "test", sets: [PlannedSet(name: "a", probes: probes)])
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.sets[0].accepted == 100_000)
    #expect(result.verdict == .online)
  }
}
