import PortalAnalysis
import ProbeCore
import TestRequirements
import Testing

@testable import ProbePipeline

/// The actions of a run when the verdict is certain: the state alone, without sockets.
@Suite struct EarlyDecisionTests {
  private let accepted = ProbeResult(url: "x", outcome: .accepted)
  private let failed = ProbeResult(url: "x", outcome: .failed, reason: .connectRefused)
  private let intercepted = ProbeResult(url: "x", outcome: .intercepted, reason: .bodyMismatch)

  private func set(
    _ name: String, _ count: Int, _ threshold: String = "100%", required: Bool = true,
    start: SetStart = .always
  ) throws -> PlannedSet {
    PlannedSet(
      name: name, threshold: try Threshold(threshold), required: required, start: start,
      probes: try (0..<count).map { try probe("https://\(name)\($0).example/") })
  }

  private func state(
    _ sets: [PlannedSet], success: String = "100%", capport: Bool = false, first: Bool = false,
    stopsEarly: Bool = true, policy: ProbePolicy = .httpsOnly,
    concurrency: Int = 64, _ decide: [DecisionRule]? = nil
  ) throws -> RunState {
    RunState(
      try ProbePlan(
        name: "test", policy: policy, sets: sets, success: try Threshold(success),
        run: RunLimits(concurrency: concurrency),
        capport: capport ? try ProbeURL("https://api.example/") : nil, asksCapportFirst: first,
        decide: decide, stopsEarly: stopsEarly)
    )
  }

  @Test func theRunEndsWhenRequiredSetsAreSettledAndEnoughAreMet() throws {
    var state = try state(
      [try set("a", 3, "1"), try set("b", 2, "1"), try set("c", 3, required: false)], concurrency: 6)
    #expect(state.start() == (0..<6).map { .start($0) })
    #expect(state.finished(0, accepted) == [.start(6)])
    // The second set is not settled: its last probe can still meet the threshold.
    #expect(state.finished(3, failed) == [.start(7)])
    #expect(state.finished(4, accepted) == [.beginGrace])
    // A probe in progress has a grace period, and its result counts.
    #expect(state.finished(1, failed) == [])
    #expect(state.gracePassed() == [2, 5, 6, 7].map { .cancel($0) })
    #expect(state.gracePassed() == [])
    for index in [2, 5, 6] { #expect(state.finished(index, failed) == []) }
    #expect(state.finished(7, accepted) == [.finish])
    #expect(
      state.results.map(\.outcome) == [
        .accepted, .failed, .skipped, .failed, .accepted, .skipped, .skipped, .skipped,
      ])
    #expect(state.results[2].reason == nil)
    #expect(state.results[2].detail == "not needed: the verdict was certain")
  }

  @Test func probesFinishingInTheGracePeriodEndTheRun() throws {
    var state = try state([try set("a", 2, "1"), try set("b", 2, required: false)], concurrency: 3)
    _ = state.start()
    #expect(state.finished(0, accepted) == [.beginGrace])
    #expect(state.results[3].detail == "not needed: the verdict was certain")
    #expect(state.finished(1, failed) == [])
    #expect(state.finished(2, failed) == [.finish])
    #expect(state.gracePassed() == [])
    #expect(state.results.map(\.outcome) == [.accepted, .failed, .failed, .skipped])
  }

  @Test(arguments: [false, true]) func aDeadlineOrCancellationEndsTheGracePeriod(_ isDeadline: Bool) throws {
    var state = try state([try set("a", 2, "1")])
    _ = state.start()
    #expect(state.finished(0, accepted) == [.beginGrace])
    #expect((isDeadline ? state.deadlinePassed() : state.cancelled()) == [.cancel(1)])
    #expect(state.finished(1, failed) == [.finish])
    #expect(state.results[1].outcome == .skipped && state.results[1].reason == nil)
  }

  /// Responses from one portal while other responses are pending.
  @Test func aPortalIsCertainWhenNoPendingResponseCanChangeIt() throws {
    func shown(_ index: Int, _ source: LoginURLSource = .location) throws -> ProbeResult {
      try Seen.portal("http://x\(index).example/", at: "http://login.example/?\(index)", source)
    }
    let plain = PlannedSet(
      name: "plain", threshold: try .count(2),
      probes: try (0..<4).map { try probe("http://www.operator\($0).example/") })
    var state = try state([plain, try set("https", 2)], policy: .plaintextAllowed)
    _ = state.start()
    #expect(state.finished(1, try shown(1)) == [])
    #expect(state.finished(2, try shown(2)) == [])
    #expect(state.finished(3, try shown(3)) == [])
    // The first probe of the plan determines the reported portal; then the encrypted ones cannot change
    // anything.
    #expect(state.finished(0, try shown(0)) == [.beginGrace])
    #expect(state.gracePassed() == [.cancel(4), .cancel(5)])

    var early = try self.state([plain, try set("https", 2)], policy: .plaintextAllowed)
    _ = early.start()
    #expect(early.finished(0, try shown(0)) == [])
    #expect(early.finished(1, try shown(1)) == [])
    #expect(early.finished(2, try shown(2)) == [.beginGrace])

    // A login URL found only in a page may be outweighed.
    var weak = try self.state([plain, try set("https", 2)], policy: .plaintextAllowed)
    _ = weak.start()
    for index in 0..<3 { #expect(weak.finished(index, try shown(index, .form)) == []) }
    #expect(weak.finished(3, failed) == [.beginGrace])
  }

  /// After three accepted probes a portal is still possible; after four it is not.
  @Test func onlineIsCertainWhenPendingProbesCannotShowAPortal() throws {
    let plain = PlannedSet(
      name: "plain", threshold: try .count(1),
      probes: try (0..<5).map { try probe("http://www.operator\($0).example/") })
    var state = try state([plain], policy: .plaintextAllowed)
    _ = state.start()
    for index in 0..<3 { #expect(state.finished(index, Seen.accepted(plain.probes[index].url)) == []) }
    #expect(state.finished(3, Seen.accepted(plain.probes[3].url)) == [.beginGrace])
  }

  /// After one redirect, HTTPS decides whether there is a portal, even if no required set needs it.
  @Test func onlineIsNotCertainWhileHTTPSMayBeStopped() throws {
    let plain = PlannedSet(
      name: "plain", threshold: try .percent(50),
      probes: try (0..<4).map { try probe("http://www.operator\($0).example/") })
    func redirected() throws -> RunState {
      var state = try state([plain, try set("https", 2, required: false)], policy: .plaintextAllowed)
      _ = state.start()
      for index in 0..<3 {
        #expect(state.finished(index, Seen.accepted(plain.probes[index].url)) == [])
      }
      #expect(state.finished(3, try Seen.portal(plain.probes[3].url)) == [])
      return state
    }
    var open = try redirected()
    #expect(open.finished(4, Seen.failed("https://https0.example/")) == [])
    #expect(open.finished(5, Seen.accepted("https://https1.example/")) == [.finish])
    var early = try redirected()
    #expect(early.finished(5, Seen.accepted("https://https1.example/")) == [.beginGrace])
    // Without a redirect, it does not matter.
    var other = try state([plain, try set("https", 2, required: false)], policy: .plaintextAllowed)
    _ = other.start()
    for index in 0..<3 { #expect(other.finished(index, Seen.accepted(plain.probes[index].url)) == []) }
    #expect(other.finished(3, Seen.failed(plain.probes[3].url)) == [.beginGrace])
  }

  /// Any of the other probes may still show a portal.
  @Test func withoutRulesUnreachableSuccessDoesNotEndTheRun() throws {
    var state = try state([try set("a", 2), try set("b", 2, required: false)])
    _ = state.start()
    #expect(state.finished(0, failed) == [])
    #expect(state.finished(1, failed) == [])
    #expect(state.finished(2, failed) == [])
    #expect(state.finished(3, intercepted) == [.finish])
    #expect(state.results.allSatisfy { $0.outcome != .skipped })
  }

  @Test func aPlanCanRequireEveryProbe() throws {
    var state = try state([try set("a", 3, "1")], stopsEarly: false)
    _ = state.start()
    #expect(state.finished(0, accepted) == [])
    #expect(state.finished(1, accepted) == [])
    #expect(state.finished(2, accepted) == [.finish])
  }

  @Test func withRulesTheDecidingResponseEndsTheRun() throws {
    var state = try state(
      [try set("a", 4, "50%"), try set("b", 3)], concurrency: 5,
      [
        DecisionRule(when: .met(set: "a", true), .online),
        DecisionRule(when: .met(set: "b", false), .offline),
      ])
    _ = state.start()
    #expect(state.finished(0, accepted) == [.start(5)])
    #expect(state.finished(1, accepted) == [.beginGrace])
    #expect(state.gracePassed() == [2, 3, 4, 5].map { .cancel($0) })
    for index in [2, 3, 4] { #expect(state.finished(index, failed) == []) }
    #expect(state.finished(5, failed) == [.finish])
    #expect(state.results[6].detail == "not needed: the verdict was certain")
  }

  @Test func withRulesAnUnreachableThresholdDecidesToo() throws {
    var state = try state(
      [try set("a", 3), try set("b", 2)],
      [
        DecisionRule(when: .met(set: "a", true), .online),
        DecisionRule(when: .met(set: "b", true), .partial),
      ])
    _ = state.start()
    // The set can no longer be met, but the verdict is still open.
    #expect(state.finished(1, failed) == [])
    #expect(state.finished(0, accepted) == [])
    #expect(state.finished(3, failed) == [.beginGrace])
    #expect(state.finished(2, failed) == [])
    #expect(state.gracePassed() == [.cancel(4)])
    #expect(state.finished(4, failed) == [.finish])
    #expect(state.results.map(\.outcome) == [.accepted, .failed, .failed, .failed, .skipped])
  }

  @Test func aFallbackStartsWhenEarlierSetsLeaveTheVerdictOpen() throws {
    var state = try state([
      try set("a", 1), try set("f", 2, "1", start: .undecided), try set("c", 1, required: false),
      try set("g", 1, start: .undecided),
    ])
    #expect(state.start() == [.start(0), .start(3)])
    #expect(state.finished(0, failed) == [.start(1), .start(2)])
    #expect(state.finished(1, failed) == [])
    #expect(state.finished(2, accepted) == [])
    // The next one waits for all sets before it.
    #expect(state.finished(3, accepted) == [.start(4)])
    #expect(state.finished(4, failed) == [.finish])
    #expect((0..<4).allSatisfy { state.isNeeded(set: $0) })
  }

  @Test(arguments: [Outcome.accepted, .intercepted])
  func anUnneededFallbackIsSkippedAndDoesNotCount(_ outcome: Outcome) throws {
    var state = try state(
      [try set("a", 1), try set("f", 2, start: .undecided), try set("c", 1, required: false)],
      stopsEarly: false)
    #expect(state.start() == [.start(0), .start(3)])
    #expect(state.finished(0, ProbeResult(url: "x", outcome: outcome)) == [])
    #expect(!state.isNeeded(set: 1))
    #expect(state.results[1].outcome == .skipped && state.results[1].reason == nil)
    #expect(state.results[1].detail == "not needed: the sets before it decided")
    #expect(state.finished(3, failed) == [.finish])
  }

  @Test func withRulesAFallbackStartsOnlyIfARuleDependsOnIt() throws {
    let rules = [
      DecisionRule(when: .all([.met(set: "a", false), .met(set: "f", true)]), .partial),
      DecisionRule(when: .met(set: "a", true), .online),
    ]
    let sets = [try set("a", 1), try set("f", 1, start: .undecided), try set("g", 1, start: .undecided)]
    var needed = try state(sets, rules)
    #expect(needed.start() == [.start(0)])
    #expect(needed.finished(0, failed) == [.start(1)])
    #expect(needed.finished(1, accepted) == [.finish])
    #expect(needed.results.map(\.outcome) == [.failed, .accepted, .skipped])
    var spared = try state(sets, rules)
    _ = spared.start()
    #expect(spared.finished(0, accepted) == [.finish])
    #expect(spared.results.map(\.outcome) == [.accepted, .skipped, .skipped])
  }

  @Test func theCapportAPICanBeQueriedBeforeAnyProbe() throws {
    let url = try ProbeURL("https://api.example/")
    let page = try ProbeURL("https://portal.example/")
    let rules = [
      DecisionRule(when: .all([.capport(.captive), .userPortalURL(true)]), .captivePortal),
      DecisionRule(when: .met(set: "a", true), .online),
    ]
    var stopped = try state([try set("a", 1)], capport: true, first: true, rules)
    #expect(stopped.start() == [.requestCapport])
    let captive = CapportResult(of: url, CapportDocument(captive: true, userPortalURL: page))
    #expect(stopped.finished(captive) == [.finish])
    #expect(stopped.results.map(\.outcome) == [.skipped])

    var continued = try state([try set("a", 1)], capport: true, first: true, rules)
    #expect(continued.start() == [.requestCapport])
    #expect(continued.finished(CapportResult(of: url, CapportDocument(captive: true))) == [.start(0)])
    #expect(continued.finished(0, accepted) == [.finish])

    // Without an API, the probes start at once.
    var silent = try state([try set("a", 1)], first: true, Array(rules.suffix(1)))
    #expect(silent.start() == [.start(0)])

    var late = try state([try set("a", 1)], capport: true, first: true, rules)
    _ = late.start()
    #expect(late.deadlinePassed() == [.cancelCapport])
    #expect(late.finished(captive) == [.finish])
    #expect(late.results.map(\.outcome) == [.skipped])
  }

  @Test func theRunWaitsForTheCapportAPIUnlessRulesIgnoreIt() throws {
    let url = try ProbeURL("https://api.example/")
    var waiting = try state([try set("a", 1), try set("f", 1, start: .undecided)], capport: true)
    #expect(waiting.start() == [.requestCapport, .start(0)])
    #expect(waiting.finished(0, failed) == [])
    // The API reports a portal, so the fallback is not needed.
    #expect(waiting.finished(CapportResult(of: url, CapportDocument(captive: true))) == [.finish])
    #expect(!waiting.isNeeded(set: 1))
    #expect(waiting.finished(CapportResult(of: url, CapportDocument(captive: false))) == [])
    #expect(waiting.capport?.state == .captive)

    var online = try state([try set("a", 1)], capport: true)
    #expect(online.start() == [.requestCapport, .start(0)])
    // Its result is part of the report.
    #expect(online.finished(0, accepted) == [])
    #expect(online.finished(CapportResult(of: url, unavailable: .connectRefused, "refused")) == [.finish])
    #expect(online.capport?.reason == .connectRefused)

    // A rule that does not use it does not wait for it.
    let rule = DecisionRule(when: .met(set: "a", true), .online)
    var ruled = try state([try set("a", 1)], capport: true, [rule])
    _ = ruled.start()
    #expect(ruled.finished(0, accepted) == [.beginGrace])
    #expect(ruled.gracePassed() == [.cancelCapport])
    #expect(ruled.finished(CapportResult(of: url, unavailable: .cancelled, "cancelled")) == [.finish])
    #expect(ruled.capport?.detail == "not needed: the verdict was certain")

    var late = try state([try set("a", 1)], capport: true)
    _ = late.start()
    #expect(late.finished(0, failed) == [])
    #expect(late.deadlinePassed() == [.cancelCapport])
    #expect(late.finished(CapportResult(of: url, CapportDocument(captive: true))) == [.finish])
    #expect(late.capport?.reason == .totalTimeout)
    #expect(late.capport?.state == .unavailable)
  }

  @Test(.heavy, arguments: [1, 3, 1000], [false, true])
  func aHundredThousandProbesInManySetsAreHandled(_ setCount: Int, _ hasRules: Bool) throws {
    let probes = try manyProbes(100_000 / setCount, hosts: 100)
    let sets = (0..<setCount).map { PlannedSet(name: "\($0)", probes: probes) }
    let rules = (0..<min(setCount, 100)).map { index in
      DecisionRule(when: .outcome(set: "\(index)", .failed, .any), .partial)
    }
    var state = RunState(try ProbePlan(name: "test", sets: sets, decide: hasRules ? rules : nil))
    var pending = state.start()
    var started = 0
    while let action = pending.popLast() {
      guard case .start(let index) = action else { continue }
      started += 1
      pending += state.finished(index, accepted)
    }
    #expect(state.results.count { $0.outcome == .accepted } == started)
    if !hasRules { #expect(started == state.results.count) }
  }
}
