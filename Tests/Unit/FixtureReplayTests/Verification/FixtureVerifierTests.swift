import BundledPlugins
import FixtureReplay
import ProbeBase
import ProbeCore
import ProbePipeline
import SourceDocuments
import Testing

/// Fixtures that are replayed, probed and compared with their expectations.
@Suite struct FixtureVerifierTests {
  private static func plan(_ name: String) throws -> ProbePlan {
    var request = ProbeRequest(try ProbeURL("http://a.example/"))
    // A silent server stays silent until the probe is cancelled.
    request.timeout = .seconds(600)
    let probe = PlannedProbe(url: "http://a.example/", request: request)
    return try ProbePlan(
      name: name, policy: .plaintextAllowed, sets: [PlannedSet(name: "s", probes: [probe])])
  }

  private static func fixture(
    _ name: String, _ verdicts: [Verdict]? = nil, status: Int = 200, goto: String? = nil
  ) -> LoadedFixture {
    let first = ReplayRoute(
      "first", when: RouteCondition(state: "new"), response: .respond(ComposedResponse(status: status)),
      goto: goto)
    let later = ReplayRoute("later", response: .respond(ComposedResponse(status: 503)))
    let fixture = Fixture(
      name: name, expectation: verdicts.map { FixtureExpectation($0) }, initialState: "new",
      routes: [first, later])
    return LoadedFixture(path: "some/\(name)/fixture.yaml", fixture: fixture)
  }

  private static var silent: LoadedFixture {
    LoadedFixture(
      path: "silent/fixture.yaml", fixture: Fixture(name: "silent", listeners: [.http: .hold], routes: []))
  }

  @Test func everyPipelineFindsTheInitialState() async throws {
    let plans = [try Self.plan("one"), try Self.plan("two")]
    let verifier = try FixtureVerifier(plans, over: try PluginRegistry.bundled.transports)
    let verifications = await verifier.verify([Self.fixture("x", [.online], goto: "old")])
    #expect(verifications.map(\.path) == ["some/x"])
    #expect(verifications.first?.runs.map(\.pipeline) == ["one", "two"])
    #expect(verifications.first?.runs.map(\.verdict) == [.online, .online])
    #expect(verifications.first?.hasPassed == true)
  }

  @Test func resultsComeInTheGivenOrderAndEachOnce() async throws {
    let fixtures = (0..<40).map { Self.fixture("\($0)", [.online], status: $0 % 2 == 0 ? 200 : 500) }
    let reported = Guarded<[String]>([])
    let verifier = try FixtureVerifier(
      [try Self.plan("p")], over: try PluginRegistry.bundled.transports, concurrency: 4)
    let verifications = await verifier.verify(fixtures) { one in reported.withLock { $0.append(one.path) } }
    #expect(verifications.map(\.name) == (0..<40).map { "\($0)" })
    #expect(verifications.map(\.hasPassed) == (0..<40).map { $0 % 2 == 0 })
    #expect(reported.withLock { $0.sorted() } == verifications.map(\.path).sorted())
  }

  @Test func aFixtureIsReportedOnceForManyPipelines() async throws {
    let plans = try (0..<5).map { try Self.plan("\($0)") }
    let reported = Guarded<[String]>([])
    let verifier = try FixtureVerifier(
      plans, own: ["some/1/fixture.yaml": try Self.plan("its own")],
      over: try PluginRegistry.bundled.transports, concurrency: 3)
    let fixtures = (0..<6).map { Self.fixture("\($0)") }
    let verifications = await verifier.verify(fixtures) { one in reported.withLock { $0.append(one.path) } }
    #expect(verifications.map(\.name) == (0..<6).map { "\($0)" })
    for (index, verification) in verifications.enumerated() {
      #expect(verification.runs.map(\.pipeline) == (index == 1 ? ["its own"] : plans.map(\.name)))
    }
    #expect(reported.withLock { $0.sorted() } == verifications.map(\.path))
  }

  @Test func theRunsOfOneFixtureAreConcurrent() async throws {
    let gate = Guarded(Gate())
    let transports = try PluginRegistry.bundled.transports.wrapping {
      GatedTransport(transport: $0, gate: gate, concurrency: 3)
    }
    let plans = try (0..<9).map { try Self.plan("\($0)") }
    let verifier = try FixtureVerifier(plans, over: transports, concurrency: 3)
    let verifications = await verifier.verify([Self.fixture("x", [.online])])
    #expect(verifications.first?.runs.map(\.pipeline) == plans.map(\.name))
    #expect(verifications.first?.hasPassed == true)
    #expect(gate.withLock(\.maximum) == 3)
  }

  @Test func silentFixturesWaitConcurrently() async throws {
    let probed = Guarded(0)
    let transports = try PluginRegistry.bundled.transports.wrapping {
      CountedTransport(transport: $0, probed: probed)
    }
    let plans = try (0..<4).map { try Self.plan("\($0)") }
    let verifier = try FixtureVerifier(plans, over: transports, concurrency: 1)
    let task = Task { await verifier.verify([Self.silent, Self.silent]) }
    while probed.withLock(\.self) < 8 { await Task.yield() }
    task.cancel()
    #expect(await task.value.isEmpty)
  }

  @Test func aFixtureWithoutPipelinesIsReportedOnce() async throws {
    let reported = Guarded(0)
    let verifier = try FixtureVerifier([], over: try PluginRegistry.bundled.transports)
    let verifications = await verifier.verify([Self.fixture("x")]) { _ in reported.withLock { $0 += 1 } }
    #expect(verifications.map(\.name) == ["x"])
    #expect(reported.withLock(\.self) == 1)
  }

  @Test func failuresToReplayDoNotDelayResults() async throws {
    let wrong = LoadedFixture(
      path: "gone/fixture.yaml", findings: [SourceFinding(path: "gone", message: "it is gone")])
    let verifier = try FixtureVerifier([try Self.plan("p")], over: try PluginRegistry.bundled.transports)
    let verifications = await verifier.verify([wrong, Self.fixture("x")])
    #expect(verifications.map(\.hasPassed) == [false, true])
    #expect(verifications[0].findings == wrong.findings)
    #expect(verifications[0].runs.isEmpty && verifications[0].name == nil)
  }

  @Test func missingResourcesOfTheMachineAreNotAVerdict() async throws {
    struct Short: ProbeTransport {
      var schemes: [URLScheme: Encryption] { [.http: .plaintext] }
      func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
        throw ProbeFailure(.noDescriptors, "no descriptor is left")
      }
    }
    var transports = TransportRegistry()
    try transports.register(Short())
    let verifier = try FixtureVerifier([try Self.plan("p")], over: transports)
    let verification = try #require(await verifier.verify([Self.fixture("x", [.offline])]).first)
    #expect(verification.shortage == "no descriptor is left")
    #expect(verification.runs.isEmpty && !verification.hasPassed)
  }

  @Test func silentFixturesDoNotDelayOthers() async throws {
    let probed = Guarded(0)
    let transports = try PluginRegistry.bundled.transports.wrapping {
      CountedTransport(transport: $0, probed: probed)
    }
    let verifier = try FixtureVerifier([try Self.plan("p")], over: transports, concurrency: 1)
    let (reported, report) = AsyncStream.makeStream(of: Void.self)
    let fixtures = Array(repeating: Self.silent, count: 3) + (0..<5).map { Self.fixture("\($0)") }
    let task = Task { await verifier.verify(fixtures) { _ in report.yield() } }
    var count = 0
    for await _ in reported {
      count += 1
      if count == 5 { break }
    }
    // The silent fixtures wait concurrently.
    while probed.withLock(\.self) < fixtures.count { await Task.yield() }
    task.cancel()
    #expect(await task.value.map(\.name) == (0..<5).map { "\($0)" })
  }

  @Test func aCancelledTaskReturnsTheFinishedResults() async throws {
    let verifier = try FixtureVerifier([try Self.plan("p")], over: try PluginRegistry.bundled.transports)
    let (reported, report) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await verifier.verify([
        Self.silent, Self.fixture("x"),
      ]) { _ in report.yield() }
    }
    for await _ in reported { break }
    task.cancel()
    #expect(await task.value.map(\.name) == ["x"])
  }
}

/// A transport that counts its requests.
private struct CountedTransport: ProbeTransport {
  let transport: any ProbeTransport
  let probed: Guarded<Int>

  var schemes: [URLScheme: Encryption] { transport.schemes }
  var executors: [any TaskExecutor] { transport.executors }
  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    probed.withLock { $0 += 1 }
    return try await transport.probe(request)
  }
}

/// The number of concurrent probes.
private struct Gate {
  var inside = 0
  var maximum = 0
  var entered = 0
}

/// A transport that lets the first probes through only together, as many as may run concurrently.
private struct GatedTransport: ProbeTransport {
  let transport: any ProbeTransport
  let gate: Guarded<Gate>
  let concurrency: Int

  var schemes: [URLScheme: Encryption] { transport.schemes }
  var executors: [any TaskExecutor] { transport.executors }
  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    gate.withLock { gate in
      gate.inside += 1
      gate.entered += 1
      gate.maximum = max(gate.maximum, gate.inside)
    }
    defer { gate.withLock { $0.inside -= 1 } }
    while gate.withLock(\.entered) < concurrency { await Task.yield() }
    return try await transport.probe(request)
  }
}
