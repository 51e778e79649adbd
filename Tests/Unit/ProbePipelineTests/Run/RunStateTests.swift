import PortalAnalysis
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

@Suite struct RunStateTests {
  @Test func probesStartInOrderUpToTheLimit() throws {
    var state = RunState(try probes("abcde"), limits: RunLimits(concurrency: 3, perHost: 8))
    #expect(state.start() == [.start(0), .start(1), .start(2)])
    #expect(state.finished(1, accepted) == [.start(3)])
    #expect(state.finished(3, accepted) == [.start(4)])
    #expect(state.finished(0, accepted) == [])
    #expect(state.finished(4, accepted) == [])
    #expect(state.finished(2, accepted) == [.finish])
    #expect(state.results.map(\.outcome) == Array(repeating: .accepted, count: 5))
  }

  @Test func aBusyHostDoesNotDelayOthers() throws {
    var state = RunState(try probes("aaaabcb"), limits: RunLimits(concurrency: 4, perHost: 2))
    #expect(state.start() == [.start(0), .start(1), .start(4), .start(5)])
    // A probe whose host was busy starts before later ones.
    #expect(state.finished(0, accepted) == [.start(2)])
    #expect(state.finished(5, accepted) == [.start(6)])
    #expect(state.finished(1, accepted) == [.start(3)])
    for index in [2, 3, 4] { #expect(state.finished(index, accepted) == []) }
    #expect(state.finished(6, accepted) == [.finish])
  }

  @Test func aSingleHostIsProbedUpToItsLimit() throws {
    var state = RunState(try probes("aaaa"), limits: RunLimits(concurrency: 64, perHost: 1))
    #expect(state.start() == [.start(0)])
    for index in 0..<3 { #expect(state.finished(index, accepted) == [.start(index + 1)]) }
    #expect(state.finished(3, accepted) == [.finish])
  }

  @Test func invalidLinesDoNotWaitForAHost() throws {
    let line = PlannedProbe(url: "x", failure: ProbeFailure(.invalidRequest, "no scheme"))
    var state = RunState([line, line, line], limits: RunLimits(concurrency: 64, perHost: 1))
    #expect(state.start() == [.start(0), .start(1), .start(2)])
  }

  @Test func anEmptyRunFinishesAtOnce() {
    var state = RunState([], limits: RunLimits())
    #expect(state.start() == [.finish])
    #expect(state.results.isEmpty)
  }

  @Test func theDeadlineEndsRunningAndWaitingProbes() throws {
    var state = RunState(
      try probes("aaabc"), limits: RunLimits(concurrency: 2, perHost: 1, deadline: .seconds(30)))
    #expect(state.start() == [.start(0), .start(3)])
    #expect(state.finished(3, accepted) == [.start(4)])
    #expect(state.deadlinePassed() == [.cancel(0), .cancel(4)])
    var late = accepted
    late.response = try fakeResponse("http://a/", from: "192.0.2.1")
    #expect(state.finished(4, late) == [])
    #expect(state.deadlinePassed() == [])
    #expect(state.cancelled() == [])
    #expect(state.finished(0, failed) == [.finish])

    let results = state.results
    #expect(results.map(\.outcome) == [.failed, .skipped, .skipped, .accepted, .failed])
    #expect(results.map(\.reason) == [.totalTimeout, .totalTimeout, .totalTimeout, nil, .totalTimeout])
    #expect(results[0].detail == "the run's deadline of 30s passed before this probe had finished")
    #expect(results[1].detail == "the run's deadline of 30s passed before this probe was started")
    #expect(results[4].response == late.response)
  }

  /// A redirect before the deadline is evidence; a result after it is not.
  @Test func redirectsBeforeTheDeadlineCount() throws {
    var state = RunState(try probes("abc"), limits: RunLimits(deadline: .seconds(30)))
    _ = state.start()
    _ = state.deadlinePassed()
    let analysis = ResponseAnalysis(
      .login, portal: Portal(loginURL: try ProbeURL("http://login.example/"), source: .location))
    for (index, reason) in [ReasonCode.cancelled, .httpStatus].enumerated() {
      let late = ProbeResult(url: "x", outcome: .intercepted, reason: reason, analysis: analysis)
      #expect(state.finished(index, late) == [])
    }
    #expect(state.finished(2, failed) == [.finish])
    #expect(state.results.map(\.outcome) == [.intercepted, .failed, .failed])
    #expect(state.results.map(\.analysis) == [analysis, nil, nil])
    #expect(state.results.map(\.reason) == [.totalTimeout, .totalTimeout, .totalTimeout])
  }

  @Test func cancellationSkipsUnfinishedProbes() throws {
    var state = RunState(try probes("abc"), limits: RunLimits(concurrency: 2))
    _ = state.start()
    #expect(state.finished(0, accepted) == [.start(2)])
    #expect(state.cancelled() == [.cancel(1), .cancel(2)])
    #expect(state.finished(1, failed) == [])
    #expect(state.finished(2, failed) == [.finish])
    #expect(state.results.map(\.outcome) == [.accepted, .skipped, .skipped])
    #expect(state.results.map(\.reason) == [nil, .cancelled, .cancelled])
  }

  @Test func cancellationBeforeTheStartSkipsEverything() throws {
    var state = RunState(try probes("abc"), limits: RunLimits())
    #expect(state.cancelled() == [.finish])
    #expect(state.results.map(\.outcome) == [.skipped, .skipped, .skipped])
  }

  @Test func repeatedResultsCountOnce() throws {
    var state = RunState(try probes("ab"), limits: RunLimits(concurrency: 1))
    _ = state.start()
    #expect(state.finished(1, failed) == [])
    #expect(state.finished(0, accepted) == [.start(1)])
    #expect(state.finished(0, failed) == [])
    #expect(state.finished(1, accepted) == [.finish])
    #expect(state.deadlinePassed() == [])
    #expect(state.results.map(\.outcome) == [.accepted, .accepted])
  }

  private let accepted = ProbeResult(url: "x", outcome: .accepted)
  private let failed = ProbeResult(url: "x", outcome: .failed, reason: .cancelled)

  private func probes(_ hosts: String) throws -> [PlannedProbe] {
    try hosts.map { try probe("http://\($0)/") }
  }
}
