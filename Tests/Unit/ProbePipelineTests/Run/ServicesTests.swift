import PortalAnalysis
import ProbeCore
import ProbePipeline
import TestRequirements
import Testing
import TestTransports

/// Runs that check the health of services.
@Suite(.patience(minutes: 1)) struct ServicesTests {
  /// A server for each host: `up` and `up2` respond, `sso` redirects to a login, `down` returns an error, and
  /// everything under `hotel` is redirected to one portal.
  private static let transport = FakeTransport { request in
    let url = request.url.string
    switch request.url.host.split(separator: ".").first {
    case "up", "up2": return try fakeResponse(url, body: "ok")
    case "sso":
      return try fakeResponse(url, 302, fields: ["Location": "http://login.elsewhere.example/login"])
    case "gone": throw ProbeFailure(.dnsFailure, "no DNS server responded")
    case "unreachable": throw ProbeFailure(.connectUnreachable, "no route")
    case "hotel":
      return try fakeResponse(url, 302, fields: ["Location": "http://portal.hotel-wlan.example/login"])
    case "wrong": throw ProbeFailure(.certificateWrongHost, "the certificate is for other.example")
    default: return try fakeResponse(url, 503)
    }
  }

  private static func set(
    _ name: String, required: Bool = true, start: SetStart = .always, _ hosts: String...
  ) throws -> PlannedSet {
    PlannedSet(
      name: name, required: required, start: start,
      probes: try hosts.map { try probe("http://\($0).example/") })
  }

  private static func run(
    _ sets: [PlannedSet], success: Threshold = .all, decide: [DecisionRule]? = nil
  ) async throws -> RunResult {
    let plan = try ProbePlan(
      name: "services", question: .services, policy: .plaintextAllowed, sets: sets, success: success,
      decide: decide)
    return await PipelineRunner(try transport.registry).run(plan)
  }

  @Test func allMetSetsMeanHealthy() async throws {
    let result = try await Self.run([try Self.set("a", "up"), try Self.set("b", required: false, "up2")])
    #expect(result.verdict == .healthy)
    #expect(result.question == .services)
    #expect(result.evidence.allSatisfy { $0.kind == .accepted })
    #expect(result.time != nil)
  }

  @Test func anUnmetOptionalSetMeansDegraded() async throws {
    let result = try await Self.run([try Self.set("a", "up"), try Self.set("b", required: false, "down")])
    #expect(result.verdict == .degraded)
    #expect(result.evidence.first?.kind == .unmet)
    #expect(
      result.evidence.first?.summary.hasPrefix("the set \"b\" (not required) is not met: 0 of 1") == true)
  }

  @Test func anUnmetSetBeyondTheSuccessThresholdMeansDegraded() async throws {
    let sets = [try Self.set("a", "up"), try Self.set("b", "down")]
    #expect(try await Self.run(sets, success: .percent(50)).verdict == .degraded)
    #expect(try await Self.run(sets).verdict == .unhealthy)
  }

  /// In a pipeline about the network, the same responses indicate a portal.
  @Test func aLoginRedirectIsAServiceFailure() async throws {
    let result = try await Self.run([try Self.set("wiki", "sso")])
    #expect(result.verdict == .unhealthy)
    #expect(result.portal == nil)
    #expect(result.sets[0].probes[0].outcome == .failed)
    #expect(result.sets[0].probes[0].reason == .httpStatus)
    #expect(result.evidence.map(\.kind) == [.unmet])
  }

  @Test func oneWrongHostCertificateIsNotInterception() async throws {
    let result = try await Self.run([try Self.set("shop", "wrong", "up")])
    #expect(result.verdict == .unhealthy)
    #expect(result.evidence.map(\.kind) == [.unmet])
  }

  @Test func aPortalSeenByUnrelatedServersIsOnlyNoted() async throws {
    let sets = [
      PlannedSet(
        name: "a",
        probes: [try probe("http://hotel.shop.example/"), try probe("http://hotel.other.example/")])
    ]
    let result = try await Self.run(sets)
    #expect(result.verdict == .unhealthy)
    #expect(result.portal?.loginURL.string == "http://portal.hotel-wlan.example/login")
    #expect(result.evidence.map(\.kind) == [.portal, .unmet])
    #expect(
      result.evidence[0].summary
        == "a captive portal may be in the way, with its login at http://portal.hotel-wlan.example/login: "
        + "unrelated servers gave the same response")
  }

  @Test func aNetworkOutageIsReportedOnceAndFirst() async throws {
    let result = try await Self.run([try Self.set("a", "gone", "unreachable"), try Self.set("b", "gone")])
    #expect(result.verdict == .unhealthy)
    #expect(result.evidence.map(\.kind) == [.unreached, .unmet, .unmet])
    let partly = try await Self.run([try Self.set("a", "gone", "down")])
    #expect(!partly.evidence.contains { $0.kind == .unreached })
  }

  @Test func everyProbeRunsToCompletion() async throws {
    let result = try await Self.run(
      [try Self.set("a", "down", "up", "up2"), try Self.set("b", "up"), try Self.set("c", "down")],
      success: .percent(1))
    #expect(result.sets.flatMap(\.probes).allSatisfy { $0.outcome != .skipped })
    #expect(result.verdict == .degraded)
  }

  @Test func aFallbackStartsIfAnEarlierSetIsUnmet() async throws {
    let unmet = try await Self.run([try Self.set("a", "down"), try Self.set("b", start: .undecided, "up")])
    #expect(unmet.sets[1].isMet == true)
    #expect(unmet.sets[1].isNeeded)
    let met = try await Self.run([try Self.set("a", "up"), try Self.set("b", start: .undecided, "down")])
    #expect(met.sets[1].probes.map(\.outcome) == [.skipped])
    #expect(!met.sets[1].isNeeded)
    #expect(met.verdict == .healthy)
  }

  @Test func setsDecideIfNoRuleApplies() async throws {
    let sets = [try Self.set("a", "down"), try Self.set("b", required: false, "up")]
    let rule = DecisionRule(when: .met(set: "b", true), .degraded)
    #expect(try await Self.run(sets, decide: [rule]).verdict == .degraded)
    let other = DecisionRule(when: .met(set: "b", false), .degraded)
    let result = try await Self.run(sets, decide: [other])
    #expect(result.verdict == .unhealthy)
    #expect(result.evidence.first?.summary == "no rule of decide applies")
  }

  @Test func aRuleVerdictMustMatchTheQuestion() throws {
    let error = #expect(throws: InvalidPlan.self) {
      try ProbePlan(
        name: "p", question: .services, policy: .plaintextAllowed, sets: [try Self.set("a", "up")],
        decide: [DecisionRule(when: .met(set: "a", true), .online)])
    }
    #expect(
      error?.problems.map(\.input.message)
        == ["rule 1 of decide has the verdict online, which does not answer question: services"])
    #expect(
      error?.problems.first?.input.remedy == "use healthy, degraded or unhealthy, or set question: internet")
  }

  @Test func interceptedByClassifyCountsAsFailed() async throws {
    let rules = [ClassifyRule(when: .redirect(.offHost), .intercepted)]
    let request = ProbeRequest(try ProbeURL("http://sso.example/"))
    let sets = [
      PlannedSet(
        name: "a", probes: [PlannedProbe(url: "http://sso.example/", request: request, classify: rules)])
    ]
    let result = try await Self.run(sets)
    #expect(result.sets[0].probes[0].outcome == .intercepted)
    #expect(result.verdict == .unhealthy)
  }
}
