import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeReporting
import TestSupport
import Testing
import TestTransports

@testable import ProbeCommand
@testable import ProbeSystem

/// Several pipelines in parallel.
@Suite struct RunSessionTests {
  /// Reports every call.
  private struct CallReporter: Reporter {
    func text(of probe: ProbeResult, in set: String, of pipeline: String) -> String {
      "\(pipeline) \(set) \(probe.url) \(probe.outcome)\n"
    }

    func text(ofFinished run: ReportedRun) -> String { "\(run.source) \(run.result.verdict)\n" }

    func text(of runs: [ReportedRun]) -> String { "all: " + runs.map(\.source).joined(separator: " ") + "\n" }
  }

  private struct Broken: Reporter {
    struct Mistake: Error, Equatable {}

    func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String { throw Mistake() }
    func text(of runs: [ReportedRun]) -> String { "never written" }
  }

  private static func plan(_ name: String, _ urls: [String]...) throws -> ProbePlan {
    let sets = try urls.enumerated().map { index, urls in
      let probes = try urls.map { PlannedProbe(url: $0, request: ProbeRequest(try ProbeURL($0))) }
      return PlannedSet(name: "set\(index)", probes: probes)
    }
    return try ProbePlan(name: name, sets: sets)
  }

  private static func session(
    _ transport: FakeTransport, _ reporter: any Reporter, _ output: MemoryOutput
  ) throws -> RunSession {
    RunSession(runner: PipelineRunner(try .only(transport)), reporter: reporter, output: output.sink())
  }

  @Test func everythingIsReportedAsItHappens() async throws {
    let output = MemoryOutput()
    let session = try Self.session(.status(204), CallReporter(), output)
    let plan = try Self.plan("p", ["https://a/"], ["https://b/"])
    let runs = try await session.run([(name: "p.yaml", plan: plan)])
    #expect(runs.map(\.source) == ["p.yaml"])
    let lines = output.text.split(separator: "\n")
    #expect(Set(lines.prefix(2)) == ["p set0 https://a/ accepted", "p set1 https://b/ accepted"])
    #expect(lines.dropFirst(2) == ["p.yaml online", "all: p.yaml"])
  }

  @Test func resultsAreInTheGivenOrder() async throws {
    // The first responds only after the second, so only the given order can put it first.
    let isSecondDone = Guarded(false)
    let transport = FakeTransport { request in
      while request.url.host == "first", !isSecondDone.withLock(\.self) { await Task.yield() }
      if request.url.host == "second" { isSecondDone.withLock { $0 = true } }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    let output = MemoryOutput()
    let session = try Self.session(transport, CallReporter(), output)
    let runs = try await session.run([
      (name: "1", plan: try Self.plan("p1", ["https://first/"])),
      (name: "2", plan: try Self.plan("p2", ["https://second/"])),
    ])
    #expect(runs.map(\.result.pipeline) == ["p1", "p2"])
    #expect(output.text.hasSuffix("all: 1 2\n"))
  }

  @Test func theNumberOfConcurrentPipelinesIsLimited() async throws {
    let counts = Guarded((now: 0, maximum: 0))
    let transport = FakeTransport { request in
      counts.withLock { $0 = ($0.now + 1, max($0.maximum, $0.now + 1)) }
      // Waits a while for the maximum number to run at the same time.
      for _ in 0..<200 where counts.withLock({ $0.maximum < RunSession.width }) { await Task.yield() }
      counts.withLock { $0.now -= 1 }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    let session = try Self.session(transport, CallReporter(), MemoryOutput())
    let plans = try (0..<30).map { (name: "\($0)", plan: try Self.plan("p\($0)", ["https://h\($0)/"])) }
    let runs = try await session.run(plans)
    #expect(runs.map(\.source) == (0..<30).map { "\($0)" })
    #expect(counts.withLock(\.maximum) <= RunSession.width)
  }

  @Test func aReporterErrorIsThrown() async throws {
    let output = MemoryOutput()
    let session = try Self.session(.status(204), Broken(), output)
    let plan = try Self.plan("p", ["https://a/"])
    await #expect(throws: Broken.Mistake()) { _ = try await session.run([(name: "p", plan: plan)]) }
    #expect(output.text.isEmpty)
  }

  @Test func abandonedRunsHaveNoVerdict() async throws {
    let output = MemoryOutput()
    let isAsked = Guarded(false)
    let transport = FakeTransport { request in
      if request.url.host == "a" {
        return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
      }
      isAsked.withLock { $0 = true }
      try await Task.sleep(for: .seconds(3600))
      throw CancellationError()
    }
    let session = try Self.session(transport, CallReporter(), output)
    let plan = try Self.plan("p", ["https://a/"], ["https://b/"])
    let task = Task { try await session.run([(name: "p", plan: plan)]) }
    while !isAsked.withLock(\.self) || !output.text.contains("\n") { await Task.yield() }
    task.cancel()
    let runs = try await task.value
    #expect(runs.count == 1)
    #expect(output.text.hasPrefix("p set0 https://a/ accepted\n"))
    #expect(!output.text.contains("all:"))
    #expect(!output.text.contains("p offline") && !output.text.contains("p inconclusive"))
  }

  @Test func progressIsShownDuringTheRunAndThenRemoved() async throws {
    let (clock, errors) = (ManualClock(), MemoryOutput())
    let progress = RunProgress(total: 2, on: errors.sink(isTerminal: true), clock: clock)
    let task = Task { await progress.show() }
    progress.oneFinished()
    for _ in 0..<10 {
      await clock.waitForSleeper()
      clock.advance(by: ProgressLine.interval)
    }
    await clock.waitForSleeper()
    #expect(errors.text == "\r1/2 probes, 1 s\u{1B}[K")
    task.cancel()
    await task.value
    #expect(errors.text == "\r1/2 probes, 1 s\u{1B}[K\r\u{1B}[K")
  }
}
