import ProbeCore
import ProbeBase
import TestRequirements
import TestSupport
import Testing

@testable import ProbePipeline
@testable import ProbeScan
import TestTransports

/// Lines that are probed as they arrive.
@Suite(.patience(minutes: 1)) struct ScanRunnerTests {
  /// A record of a scan.
  private final class Record: Sendable {
    struct Counts {
      var results: [Int: Outcome] = [:]
      var repeated = 0
      var running: [String: Int] = [:]
      var maximum = 0
      var maximumOfHost = 0
      var requests = 0
    }

    let counts = Guarded(Counts())

    func take(_ line: ScanLine, _ result: ProbeResult) {
      counts.withLock { counts in
        if counts.results.updateValue(result.outcome, forKey: line.number) != nil { counts.repeated += 1 }
      }
    }

    func begin(_ host: String) {
      counts.withLock { counts in
        counts.requests += 1
        counts.running[host, default: 0] += 1
        counts.maximum = max(counts.maximum, counts.running.values.reduce(0, +))
        counts.maximumOfHost = max(counts.maximumOfHost, counts.running[host] ?? 0)
      }
    }

    func end(_ host: String) { counts.withLock { $0.running[host, default: 1] -= 1 } }
  }

  private static func line(_ number: Int, _ url: String) -> ScanLine {
    ScanLine(number: number, url: url, target: Result { () throws(InvalidInput) in try ProbeURL(url) })
  }

  private static func runner(
    _ transport: FakeTransport, _ limits: ScanLimits, _ record: Record,
    clock: any Clock<Duration> = ContinuousClock(), room: @escaping @Sendable () async -> Void = {}
  ) throws -> ScanRunner {
    let registry = try transport.registry
    let loaded = LoadedPipeline(Pipeline("scan", sets: [ProbeSet("urls", targets: [])]), over: registry)
    let plan = try ScanPlan(loaded, over: registry, in: .environment([:]))
    return ScanRunner(
      plan, limits, over: registry, clock: clock, output: .init(room: room, take: { record.take($0, $1) }))
  }

  @Test func eachLineHasOneResultWithinTheLimits() async throws {
    let record = Record()
    let transport = FakeTransport { request in
      record.begin(request.url.host)
      for _ in 0..<3 { await Task.yield() }
      record.end(request.url.host)
      return try fakeResponse(request.url.string, request.url.host == "h1" ? 500 : 204)
    }
    let runner = try Self.runner(transport, ScanLimits(concurrency: 8, perHost: 2), record)
    for number in 0..<600 {
      await runner.add(Self.line(number, number % 50 == 7 ? "nonsense" : "https://h\(number % 5)/\(number)"))
    }
    await runner.end()
    let counts = record.counts.withLock(\.self)
    #expect(counts.results.count == 600 && counts.repeated == 0)
    #expect(counts.requests == 588)
    #expect(counts.maximum <= 8 && counts.maximumOfHost <= 2)
    #expect(counts.maximum > 1)
    for (number, outcome) in counts.results {
      #expect(outcome == (number % 50 == 7 || number % 5 == 1 ? .failed : .accepted), "\(number)")
    }
    #expect(runner.inFlight == 0)
  }

  @Test func anEmptyScanEnds() async throws {
    let record = Record()
    let runner = try Self.runner(FakeTransport { try fakeResponse($0.url.string) }, ScanLimits(), record)
    await runner.end()
    #expect(record.counts.withLock(\.results).isEmpty)
  }

  /// All probes of one host wait forever, and the lines of the others finish.
  @Test func aSilentHostDoesNotDelayOthers() async throws {
    let (record, gate) = (Record(), ClosedGate())
    let transport = FakeTransport { request in
      if request.url.host == "slow" { try await gate.hold() }
      return try fakeResponse(request.url.string, 204)
    }
    let runner = try Self.runner(transport, ScanLimits(concurrency: 6, perHost: 2), record)
    for number in 0..<400 {
      await runner.add(Self.line(number, number % 2 == 0 ? "https://slow/" : "https://h\(number)/"))
    }
    await gate.wait(for: 2)
    while record.counts.withLock(\.results).count < 200 { await Task.yield() }
    #expect(record.counts.withLock(\.results).keys.allSatisfy { $0 % 2 == 1 })
    runner.stop()
    await runner.end()
    #expect(record.counts.withLock(\.results).count == 200)
  }

  /// While a worker is free, reading continues for each line whose wait for its host ends.
  @Test func readingContinuesAsTheFullSideQueueDrains() async throws {
    let (record, turns) = (Record(), Turns(0))
    let transport = FakeTransport { request in
      if request.url.host == "slow" { await turns.take() }
      return try fakeResponse(request.url.string, 204)
    }
    var limits = ScanLimits(concurrency: 2, perHost: 1)
    limits.waitingLines = 8
    let runner = try Self.runner(transport, limits, record)
    let adding = Task {
      for number in 1...10 { await runner.add(Self.line(number, "https://slow/")) }
      await runner.add(Self.line(11, "https://fast/"))
    }
    // One of them is being probed, and eight wait; the tenth and the fast one each need the slot of another.
    for _ in 0..<2 { turns.giveBack() }
    while record.counts.withLock(\.results)[11] == nil {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(record.counts.withLock(\.results).keys.sorted() == [1, 2, 11])
    await adding.value
    for _ in 0..<8 { turns.giveBack() }
    await runner.end()
    #expect(record.counts.withLock(\.results).count == 11)
  }

  /// After each immediate refusal, the thread of the transport is free for its connections.
  @Test func refusalsDoNotBlockConnections() async throws {
    let (record, start, thread) = (Record(), BlockingPromise<Void>(), OwnThread())
    let resultsBefore = Guarded<Int?>(nil)
    let transport = FakeTransport(executors: [thread]) { _ in
      if record.counts.withLock(\.requests) == 0 {
        // This task represents the work of a connection on this thread.
        Task(executorPreference: thread) {
          let results = record.counts.withLock(\.results).count
          resultsBefore.withLock { $0 = results }
        }
      }
      record.begin("h")
      throw ProbeFailure(.addressRefused, "")
    }
    let runner = try Self.runner(transport, ScanLimits(concurrency: 1, perHost: 1), record)
    // The thread starts once all lines are there, so that the probes wait for nothing else.
    Task(executorPreference: thread) { start.wait() }
    for number in 0..<500 { await runner.add(Self.line(number, "https://h/")) }
    start.fulfill(())
    await runner.end()
    #expect(record.counts.withLock(\.results).count == 500)
    let before = resultsBefore.withLock { $0 }
    #expect(try #require(before) < 10)
  }

  @Test func withoutRoomForResultsNothingStarts() async throws {
    let (record, turns) = (Record(), Turns(10))
    let transport = FakeTransport { request in
      record.begin(request.url.host)
      return try fakeResponse(request.url.string, 204)
    }
    let runner = try Self.runner(
      transport, ScanLimits(concurrency: 4, perHost: 4), record, room: { await turns.take() })
    let adding = Task {
      for number in 0..<100 { await runner.add(Self.line(number, "https://h\(number % 9)/")) }
      await runner.end()
    }
    while record.counts.withLock(\.results).count < 10 { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    #expect(record.counts.withLock(\.requests) == 10)
    for _ in 0..<90 { turns.giveBack() }
    await adding.value
    #expect(record.counts.withLock(\.results).count == 100)
  }

  @Test func abandonedProbesHaveNoResult() async throws {
    let (record, gate) = (Record(), ClosedGate())
    let transport = FakeTransport { request in
      try await gate.hold()
      return try fakeResponse(request.url.string)
    }
    let runner = try Self.runner(transport, ScanLimits(concurrency: 5, perHost: 5), record)
    let adding = Task {
      for number in 0..<10_000 { await runner.add(Self.line(number, "https://h/")) }
      await runner.end()
    }
    await gate.wait(for: 5)
    runner.stop()
    await adding.value
    #expect(record.counts.withLock(\.results).isEmpty)
    #expect(runner.inFlight == 0)
  }

  @Test func theRateLimitsStarts() async throws {
    let (record, clock) = (Record(), ManualClock())
    let transport = FakeTransport { request in
      record.begin(request.url.host)
      return try fakeResponse(request.url.string, 204)
    }
    var limits = ScanLimits(concurrency: 1, perHost: 1)
    limits.interval = .milliseconds(500)
    let runner = try Self.runner(transport, limits, record, clock: clock)
    let adding = Task {
      for number in 0..<4 { await runner.add(Self.line(number, "https://h\(number)/")) }
      await runner.end()
    }
    for number in 1...3 {
      await clock.waitForSleeper(until: .milliseconds(500 * number))
      #expect(record.counts.withLock(\.requests) == number)
      clock.advance(by: .milliseconds(500))
    }
    await adding.value
    #expect(record.counts.withLock(\.results).count == 4)
  }
}
