import ProbeBase
import PortalAnalysis
import ProbeCore
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbePipeline

/// Entire runs that end as soon as the verdict is certain, and the plan's options for that.
@Suite(.patience(minutes: 1)) struct CertainVerdictTests {
  private func set(
    _ name: String, _ hosts: [String], _ threshold: Threshold = .all, required: Bool = true,
    start: SetStart = .always
  ) throws -> PlannedSet {
    PlannedSet(
      name: name, threshold: threshold, required: required, start: start,
      probes: try hosts.map { try probe("https://\($0).example/") })
  }

  /// Responds at once, refuses connections to `no` hosts, and makes `slow` hosts wait forever.
  private func transport(_ gate: ClosedGate) -> FakeTransport {
    FakeTransport { request in
      let host = request.url.host
      if host.hasPrefix("slow") { try await gate.hold() }
      if host.hasPrefix("no") { throw ProbeFailure(.connectRefused, "refused") }
      return try fakeResponse(request.url.string)
    }
  }

  @Test func pendingProbesAreCancelledAfterTheDecidingResponse() async throws {
    let gate = ClosedGate()
    let plan = try ProbePlan(
      name: "test",
      sets: [
        try set("a", ["slow1", "fast1", "slow2"], .count(1)), try set("b", ["slow3"], required: false),
      ], run: RunLimits(deadline: .seconds(30)))
    // The gate never opens, and the clock advances only by the grace period.
    let clock = ManualClock()
    let runner = PipelineRunner(try transport(gate).registry, clock: clock)
    async let running = runner.run(plan)
    await clock.waitForSleeper(until: RunState.grace)
    clock.advance(by: RunState.grace)
    let result = await running
    #expect(result.verdict == .online)
    #expect(result.duration == .milliseconds(500))
    #expect(result.sets.flatMap(\.probes).map(\.outcome) == [.skipped, .accepted, .skipped, .skipped])
    #expect(result.sets.flatMap(\.probes).map(\.reason) == [nil, nil, nil, nil])
    #expect(result.sets[0].probes[0].detail == "not needed: the verdict was certain")
  }

  /// The portal redirects plaintext requests and drops encrypted ones.
  @Test func aPortalVerdictDoesNotWaitForDroppedRequests() async throws {
    let gate = ClosedGate()
    let transport = FakeTransport { request in
      if request.url.scheme == .https { try await gate.hold() }
      return try fakeResponse(request.url.string, 302, fields: ["Location": "http://login.example/in"])
    }
    func set(_ name: String, _ urls: [String]) throws -> PlannedSet {
      PlannedSet(
        name: name, threshold: .all, required: true,
        probes: try urls.map { try probe($0, BodyIs(text: "ok")) })
    }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed,
      sets: [
        try set("plain", (0..<3).map { "http://www.operator\($0).example/" }),
        try set("encrypted", ["https://a.example/", "https://b.example/"]),
      ])
    let clock = ManualClock()
    let runner = PipelineRunner(try transport.registry, clock: clock)
    async let running = runner.run(plan)
    await clock.waitForSleeper(until: RunState.grace)
    clock.advance(by: RunState.grace)
    let result = await running
    #expect(result.verdict == .captivePortal)
    #expect(result.portal?.loginURL.string == "http://login.example/in")
    #expect(result.duration == .milliseconds(500))
    #expect(result.sets.map(\.isMet) == [false, nil])
  }

  @Test func withRulesAFailureCanEndTheRun() async throws {
    let plan = try ProbePlan(
      name: "test", sets: [try set("a", ["slow1", "no1", "slow2"]), try set("b", ["slow3"])],
      decide: [
        DecisionRule(when: .reason(set: "a", try ReasonPattern("connect.*")), .offline),
        DecisionRule(when: .met(set: "b", true), .online),
      ])
    let clock = ManualClock()
    let runner = PipelineRunner(try transport(ClosedGate()).registry, clock: clock)
    async let running = runner.run(plan)
    await clock.waitForSleeper(until: RunState.grace)
    clock.advance(by: RunState.grace)
    let result = await running
    #expect(result.verdict == .offline)
    #expect(
      result.evidence[0].summary
        == "rule 1 of decide applies: a probe of the set \"a\" has the reason connect.*")
    #expect(result.sets.flatMap(\.probes).map(\.outcome) == [.skipped, .failed, .skipped, .skipped])
  }

  @Test func progressIncludesCancelledProbes() async throws {
    let reported = Guarded<[Int]>([])
    let gate = ClosedGate()
    let plan = try ProbePlan(
      name: "test", sets: [try set("a", ["slow1", "fast1", "slow2"], .count(1))],
      run: RunLimits(concurrency: 2))
    let result = await PipelineRunner(try transport(gate).registry).run(plan) { index, _ in
      reported.withLock { $0.append(index) }
    }
    // The third was never started.
    #expect(reported.withLock(\.self) == [1, 0])
    #expect(result.sets[0].probes.map(\.outcome) == [.skipped, .accepted, .skipped])
  }

  @Test func resultsKeepPlanOrderAndFamilies() async throws {
    let probes = try (0..<60).map { index in
      var probe = try probe("https://h\(index % 7).example:\(index + 1)/")
      probe.family = index % 2 == 0 ? .v4 : .v6
      return probe
    }
    let transport = FakeTransport { request in
      for _ in 0..<((request.url.port ?? 0) * 31 % 7) { await Task.yield() }
      return try fakeResponse(request.url.string)
    }
    let sets = [PlannedSet(name: "a", probes: probes), PlannedSet(name: "b", probes: probes.reversed())]
    let plan = try ProbePlan(name: "test", sets: sets, run: RunLimits(concurrency: 9, perHost: 2))
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.sets.flatMap(\.probes).map(\.url) == plan.probes.map(\.url))
    #expect(result.sets.flatMap(\.probes).map(\.family) == plan.probes.map(\.family))
    #expect(result.verdict == .online)
  }

  /// A skipped fallback does not count among the sets that must be met.
  @Test(arguments: [("fast", Threshold.all, Outcome.skipped), ("no", try .count(1), .accepted)])
  func aFallbackRunsOnlyWhenItIsNeeded(_ first: String, _ success: Threshold, _ outcome: Outcome)
    async throws
  {
    let plan = try ProbePlan(
      name: "test", sets: [try set("a", [first]), try set("f", ["fast2"], start: .undecided)],
      success: success)
    let result = await PipelineRunner(try transport(ClosedGate()).registry).run(plan)
    #expect(result.sets[1].probes.map(\.outcome) == [outcome])
    #expect(result.verdict == .online)
  }

  @Test(arguments: [
    ("{\"captive\":true,\"user-portal-url\":\"https://portal.example/\"}", nil, CapportState.captive),
    ("{\"captive\":false}", nil, .open),
    ("{}", ReasonCode.bodyMismatch, .unavailable),
  ])
  func theAPIIsRequestedOnce(_ body: String, _ reason: ReasonCode?, _ state: CapportState) async throws {
    let requested = Guarded<[String?]>([])
    let transport = FakeTransport { request in
      guard request.url.host == "api.example" else { throw ProbeFailure(.connectRefused, "refused") }
      requested.withLock { $0.append(request.http.headers["Accept"]) }
      return try fakeResponse(
        request.url.string, fields: ["Content-Type": "application/captive+json"], body: body)
    }
    let plan = try ProbePlan(
      name: "test", sets: [try set("a", ["a"])], capport: ProbeURL("https://api.example/"))
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(requested.withLock(\.self) == ["application/captive+json"])
    #expect(result.capport?.state == state)
    #expect(result.capport?.reason == reason)
    #expect(result.verdict == (state == .captive ? .captivePortal : .offline))
    #expect(result.portal?.source == (state == .captive ? .capport : nil))
  }

  @Test func theAPIIsRequestedOverTLSOnly() async throws {
    let transport = FakeTransport { request in
      try fakeResponse(request.url.string, 302, fields: ["Location": "http://api.example/"])
    }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: [try set("a", ["a"])],
      capport: ProbeURL("https://api.example/"))
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(result.capport?.state == .unavailable)
    #expect(result.capport?.reason == .downgrade)
  }

  @Test func cancellationEndsTheAPIRequest() async throws {
    let gate = ClosedGate()
    let plan = try ProbePlan(
      name: "test", sets: [try set("a", ["slow1"])], capport: ProbeURL("https://slow.example/"))
    let runner = PipelineRunner(try transport(gate).registry)
    let task = Task { await runner.run(plan) }
    await gate.wait(for: 2)
    task.cancel()
    let result = await task.value
    #expect(result.capport?.reason == .cancelled)
    #expect(result.sets[0].probes.map(\.reason) == [.cancelled])
  }

  /// An executor that counts its jobs and forwards them to the global executor.
  private final class CountingExecutor: TaskExecutor {
    let count = Guarded(0)

    func enqueue(_ job: consuming ExecutorJob) {
      count.withLock { $0 += 1 }
      globalConcurrentExecutor.enqueue(UnownedJob(job))
    }
  }

  private struct TransportWithExecutor: ProbeTransport {
    let schemes: [URLScheme: Encryption] = [.https: .encrypted]
    let counting = CountingExecutor()
    let another = CountingExecutor()
    var executors: [any TaskExecutor] { [counting, another] }

    func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try fakeResponse(request.url.string) }
  }

  /// The number of jobs on each executor of the transport, with this many concurrent probes.
  private static func uses(whenRunning concurrency: Int) async throws -> (first: Int, second: Int) {
    let transport = TransportWithExecutor()
    var registry = TransportRegistry()
    try registry.register(transport)
    let probes = Array(repeating: try probe("https://a.example/"), count: 100)
    let plan = try ProbePlan(
      name: "test", sets: [PlannedSet(name: "a", probes: probes)],
      run: RunLimits(concurrency: concurrency, perHost: concurrency))
    let result = await PipelineRunner(registry).run(plan)
    #expect(result.sets[0].accepted == 100)
    return (transport.counting.count.withLock(\.self), transport.another.count.withLock(\.self))
  }

  @Test func probesRunOnTheirTransportsExecutor() async throws {
    let uses = try await Self.uses(whenRunning: 8)
    #expect(uses.first >= 8)
    #expect(uses.second == 0)
  }

  @Test func manyProbesAreSpreadAcrossTheTransportsExecutors() async throws {
    let uses = try await Self.uses(whenRunning: 32)
    #expect(uses.first >= 16)
    #expect(uses.second >= 16)
  }
}
