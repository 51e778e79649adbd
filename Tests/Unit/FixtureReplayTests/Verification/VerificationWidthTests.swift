import ProbeCore
import ProbePipeline
import Testing

@testable import FixtureReplay

/// How many fixtures are verified at a time, and which of them cost no work.
@Suite struct VerificationWidthTests {
  private static func plan(probes: Int, concurrency: Int = 64) throws -> ProbePlan {
    let probe = PlannedProbe(url: "https://a/", request: ProbeRequest(try ProbeURL("https://a/")))
    return try ProbePlan(
      name: "p", sets: [PlannedSet(name: "s", probes: Array(repeating: probe, count: probes))],
      run: RunLimits(concurrency: concurrency))
  }

  private static func width(_ concurrency: Int, probes: Int, limit: Int) throws -> [Int] {
    let width = VerificationWidth(
      concurrency: concurrency, for: [try plan(probes: probes)], descriptorLimit: limit)
    return [width.working, width.waiting]
  }

  @Test func descriptorsLimitBothWidths() throws {
    #expect(try Self.width(16, probes: 6, limit: 1024) == [16, 27])
    #expect(try Self.width(16, probes: 6, limit: 20_000) == [16, 256])
    #expect(try Self.width(500, probes: 6, limit: 1024) == [21, 22])
    #expect(try Self.width(16, probes: 6, limit: 40) == [1, 1])
    #expect(try Self.width(16, probes: 100_000, limit: 1024) == [3, 3])
    #expect(try Self.width(16, probes: 6, limit: .max) == [16, 256])
  }

  @Test func theWidthIsAtLeastOneWithoutPlans() {
    let width = VerificationWidth(concurrency: 1, for: [], descriptorLimit: 0)
    #expect([width.working, width.waiting] == [1, 1])
  }

  private static func fixture(
    listeners: [ReplayListener: ListenerMode] = [:], end: ResponseEnd? = nil, fault: ReplayFault.Kind? = nil,
    tls: HostRules<TLSMode> = [:], dns: HostRules<DNSAnswer> = [:]
  ) -> Fixture {
    let route = ReplayRoute("r", response: Page.response, end: end, fault: fault.map { ReplayFault($0) })
    return Fixture(name: "x", listeners: listeners, routes: [route], tls: tls, dns: dns)
  }

  @Test func fixturesThatMakeTheirClientsWait() {
    let waiting = [
      Self.fixture(listeners: [.https: .blackhole]), Self.fixture(listeners: [.http: .hold]),
      Self.fixture(end: .hold), Self.fixture(fault: .stallBody), Self.fixture(fault: .delay),
      Self.fixture(tls: ["a": .valid, "*": .stall]), Self.fixture(dns: ["*": .timeout]),
    ]
    for fixture in waiting { #expect(fixture.makesClientsWait, "\(fixture)") }
    let working = [
      Self.fixture(), Self.fixture(listeners: [.http: .refused, .https: .rst]), Self.fixture(end: .fin),
      Self.fixture(fault: .gzipBomb), Self.fixture(tls: ["*": .fin]), Self.fixture(dns: ["*": .nxdomain]),
    ]
    for fixture in working { #expect(!fixture.makesClientsWait, "\(fixture)") }
  }
}
