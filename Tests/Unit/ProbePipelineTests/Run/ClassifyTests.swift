import PortalAnalysis
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// Outcomes from a set's own rules.
@Suite struct ClassifyTests {
  private static let url = "http://a.example/"

  private func result(
    _ rules: [ClassifyRule], _ ending: Result<ProbeResponse, ProbeFailure>
  ) throws -> ProbeResult {
    let url = try ProbeURL(Self.url)
    let probe = PlannedProbe(url: Self.url, request: ProbeRequest(url), classify: rules)
    let rule = OutcomeRule { $0 == .https ? .encrypted : .plaintext }
    switch ending {
    case .success(let response): return rule.result(of: probe, requested: url, response: response)
    case .failure(let failure): return rule.result(of: probe, failure: failure)
    }
  }

  private func rules() throws -> [ClassifyRule] {
    [
      ClassifyRule(when: .redirect(.offHost), .intercepted),
      ClassifyRule(when: .reason(try ReasonPattern("connect.*")), .accepted),
      ClassifyRule(when: .reason(try ReasonPattern("tls.*")), .intercepted),
      ClassifyRule(when: .not(.validator(BodyIs(text: "ok"))), .intercepted),
      ClassifyRule(when: .validator(BodyIs(text: "ok")), .accepted),
    ]
  }

  @Test func theFirstMatchingRuleDeterminesTheOutcome() throws {
    let accepted = try result(try rules(), .success(try fakeResponse(Self.url, body: "ok")))
    #expect(accepted.outcome == .accepted)
    #expect(accepted.reason == nil && accepted.detail == nil)
    #expect(accepted.captures == ["body": "ok"])

    let redirected = try result(
      try rules(), .success(try fakeResponse(Self.url, 302, fields: ["Location": "http://192.0.2.1/login"])))
    #expect(redirected.outcome == .intercepted)
    #expect(redirected.reason == .rejected)
    #expect(
      redirected.detail
        == "rule 1 of classify: found 302, a redirect to \"http://192.0.2.1/login\"")
    #expect(redirected.portal?.loginURL.string == "http://192.0.2.1/login")

    let other = try result(try rules(), .success(try fakeResponse(Self.url, body: "other")))
    #expect(other.outcome == .intercepted)
    #expect(other.reason == .bodyMismatch)
    #expect(other.detail == "rule 4 of classify: expected the body \"ok\", found \"other\"")
    #expect(other.portal == nil)
  }

  @Test func aFailureCanBeExpected() throws {
    let refused = try result(try rules(), .failure(ProbeFailure(.connectRefused, "refused")))
    #expect(refused.outcome == .accepted)
    #expect(refused.reason == nil && refused.detail == nil)
    let expired = try result(try rules(), .failure(ProbeFailure(.certificateExpired, "expired")))
    #expect(expired.outcome == .intercepted)
    #expect(expired.reason == .certificateExpired)
    #expect(expired.detail == "expired")
  }

  /// Without a response, neither a validator nor its negation applies.
  @Test func aProbeWithoutAMatchingRuleFails() throws {
    let failed = try result(try rules(), .failure(ProbeFailure(.noSuchHost, "no such host")))
    #expect(failed.outcome == .failed)
    #expect(failed.reason == .noSuchHost)
    #expect(failed.detail == "no such host")

    let rules = [ClassifyRule(when: .validator(BodyIs(text: "ok")), .accepted)]
    let judged = try result(rules, .success(try fakeResponse(Self.url, body: "other")))
    #expect(judged.outcome == .failed)
    #expect(judged.reason == .bodyMismatch)
    #expect(judged.detail == "no rule of classify applies: expected the body \"ok\", found \"other\"")

    let unjudged = try result(
      [ClassifyRule(when: .redirect(.any), .intercepted)], .success(try fakeResponse(Self.url, 404)))
    #expect(unjudged.reason == .rejected)
    #expect(unjudged.detail == "no rule of classify applies: found 404")
  }

  @Test func aFollowedRedirectIsReported() throws {
    var response = try fakeResponse("http://b.example/x", body: "page")
    response.redirects = [
      RedirectHop(
        url: try ProbeURL(Self.url), status: 302, location: "http://b.example/x",
        target: try ProbeURL("http://b.example/x"))
    ]
    response.attempts = 2
    let result = try result([ClassifyRule(when: .redirect(.offHost), .failed)], .success(response))
    #expect(result.detail == "rule 1 of classify: found 200 after a redirect to \"http://b.example/x\"")
    let tcp = try fakeResponse("tcp://a.example:22", nil, body: "SSH")
    let silent = try fakeResponse("tcp://a.example:22", nil)
    let all = [ClassifyRule(when: .all([]), .failed)]
    #expect(try self.result(all, .success(tcp)).detail == "rule 1 of classify: found \"SSH\"")
    #expect(
      try self.result(all, .success(silent)).detail
        == "rule 1 of classify: found a connection, and nothing received")
  }

  @Test func classifiedResultsDoNotContainTheSecret() async throws {
    let canary = "canary-51c"
    var request = ProbeRequest(try ProbeURL(Self.url))
    request.http.credentials = .bearer(Secret(canary))
    let rules = [
      ClassifyRule(when: .validator(BodyIs(text: canary)), .intercepted),
      ClassifyRule(when: .not(.validator(BodyIs(text: "ok"))), .failed),
    ]
    let probe = PlannedProbe(url: Self.url, request: request, classify: rules)
    for body in [canary, "say \(canary)"] {
      let transport = FakeTransport { try fakeResponse($0.url.string, body: body) }
      let plan = try ProbePlan(
        name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "a", probes: [probe])])
      let result = await PipelineRunner(try transport.registry).run(plan)
      var dumped = ""
      dump(result, to: &dumped)
      #expect(!dumped.contains(canary))
      #expect(result.sets[0].probes[0].outcome == (body == canary ? .intercepted : .failed))
      #expect(result.sets[0].probes[0].detail?.isEmpty == false)
    }
  }
}
