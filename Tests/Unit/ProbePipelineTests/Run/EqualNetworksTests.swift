import PortalAnalysis
import ProbeCore
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbePipeline

/// A pipeline that runs repeatedly on one network, where responses arrive in a different order each time.
@Suite(.patience(minutes: 2)) struct EqualNetworksTests {
  /// How a network treats the hosts of the pipeline.
  enum Network: String, CaseIterable, Sendable {
    /// All required sets can be met; one host refuses connections, and two never respond.
    case open
    /// A portal redirects HTTP requests, and never responds to HTTPS.
    case portal
    /// A portal returns its page for about half of the HTTP hosts.
    case halfPortal
    /// One operator's host returns a portal page.
    case oddHost
    /// No host is reachable.
    case down
  }

  /// A clock that runs faster by a factor.
  private struct FastClock: Clock {
    struct Instant: InstantProtocol {
      var offset: Duration

      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    static let factor = 100
    private let start = ContinuousClock.now

    var now: Instant { Instant(offset: start.duration(to: .now) * Self.factor) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await ContinuousClock().sleep(for: max(.zero, now.duration(to: deadline)) / Self.factor)
    }
  }

  /// The parts that two reports on equal networks must have in common.
  private struct Report: Hashable {
    var verdict: Verdict
    var portal: Portal?
    var kinds: Set<EvidenceKind>

    init(_ result: RunResult) {
      verdict = result.verdict
      portal = result.portal
      kinds = Set(result.evidence.map(\.kind))
    }
  }

  private static let page =
    "<title>Guest Wi-Fi</title><form action='/in'><input type=password name=password></form>"

  private static func response(to request: ProbeRequest, of network: Network) throws -> ProbeResponse? {
    let url = request.url.string
    let number = Int(request.url.host.filter(\.isNumber)) ?? 0
    let expected = try fakeResponse(url, 200, body: "ok")
    switch (network, request.url.scheme) {
    case (.open, _):
      if request.url.host.hasPrefix("refused") { throw ProbeFailure(.connectRefused, "refused") }
      return request.url.host.hasPrefix("hole") ? nil : expected
    case (.portal, .http):
      return try fakeResponse(
        url, 302, fields: ["Location": "http://login.example/?from=\(request.url.host)"])
    case (.portal, _): return nil
    case (.halfPortal, .http): return number % 2 == 0 ? expected : try fakeResponse(url, 200, body: page)
    case (.oddHost, .http): return number == 3 ? try fakeResponse(url, 200, body: page) : expected
    case (.halfPortal, _), (.oddHost, _): return expected
    case (.down, _): throw ProbeFailure(.connectUnreachable, "no route")
    }
  }

  private static func pipeline() throws -> ProbePlan {
    func set(_ name: String, _ urls: [String], _ threshold: Threshold = .all, required: Bool = true) throws
      -> PlannedSet
    {
      PlannedSet(
        name: name, threshold: threshold, required: required,
        probes: try urls.map { try probe($0, BodyIs(text: "ok")) })
    }
    return try ProbePlan(
      name: "test", policy: .plaintextAllowed,
      sets: [
        try set("plain", (0..<5).map { "http://www.operator\($0).example/" }, try .count(2)),
        try set(
          "extra", ["https://a.example/", "https://refused.example/", "https://hole.example/"],
          required: false),
        try set("encrypted", ["https://b.example/", "https://hole2.example/"], try .count(1)),
      ], run: RunLimits(concurrency: 7))
  }

  /// Depending on the order of the others, each delay is in time, within the grace period, or too late.
  private static let delays: [Duration] = [0, 0, 20, 100, 300, 450, 550, 700, 1000, 2000].map {
    .milliseconds($0)
  }

  private static func run(_ network: Network, _ random: inout SeededNumbers) async throws -> RunResult {
    let plan = try pipeline()
    var urls: [String: Duration] = [:]
    for (probe, delay) in zip(plan.probes, delays.shuffled(using: &random)) { urls[probe.url] = delay }
    let waits = urls
    let clock = FastClock()
    let transport = FakeTransport { request in
      try await clock.sleep(for: waits[request.url.string] ?? .zero)
      if let received = try response(to: request, of: network) { return received }
      try await clock.sleep(for: .seconds(5))
      throw ProbeFailure(.connectTimeout, "no connection after 5 s")
    }
    return await PipelineRunner(try transport.registry, clock: clock).run(plan)
  }

  @Test(arguments: Network.allCases) func equalNetworksGiveEqualReports(_ network: Network) async throws {
    var reports: [Report: Int] = [:]
    var sets: [String: Set<Bool>] = [:]
    var outcomes: [String: Set<[Outcome]>] = [:]
    for seed in 0..<100 {
      var random = SeededNumbers(seed: UInt64(seed))
      let result = try await Self.run(network, &random)
      reports[Report(result), default: 0] += 1
      for set in result.sets {
        if let isMet = set.isMet { sets[set.name, default: []].insert(isMet) }
        guard set.probes.allSatisfy({ $0.outcome != .skipped }) else { continue }
        outcomes[set.name, default: []].insert(set.probes.map(\.outcome))
      }
    }
    #expect(reports.count == 1, "\(reports)")
    #expect(sets.values.allSatisfy { $0.count == 1 }, "\(sets)")
    #expect(outcomes.values.allSatisfy { $0.count == 1 }, "\(outcomes)")
    let verdict: Verdict =
      switch network {
      case .open, .oddHost: .online
      case .portal, .halfPortal: .captivePortal
      case .down: .offline
      }
    #expect(reports.keys.first?.verdict == verdict)
  }
}
