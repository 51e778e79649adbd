import PortalAnalysis
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

@Suite struct OutcomeRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var url: String
    var status: Int?
    var body = ""
    var location: String?
    var reason = ReasonCode.bodyMismatch
    var outcome: Outcome
    var expectedReason: ReasonCode?
    var portal: LoginURLSource?

    var testDescription: String {
      "\(url) \(status.map(String.init) ?? "no head") \(location ?? body) → \(outcome)"
    }
  }

  /// HTTP/0.9: a text instead of the response is from a third party, whatever its content, and never accepted.
  @Test(arguments: [
    ("<title>Log in</title><form action=/x><input type=password name=p></form>", true), ("Blocked.", false),
    ("ok", false),
  ])
  func aTextWithoutAStatusLineIsFromAThirdParty(_ text: String, _ isPortal: Bool) throws {
    for (question, outcome) in [(Question.internet, Outcome.intercepted), (.services, .failed)] {
      let rule = OutcomeRule(question: question, encryption: \.usualEncryption)
      for url in [Self.http, Self.https] {
        var partial = try fakeResponse(url, nil, body: text)
        partial.deviations = [.http09]
        let failure = ProbeFailure(.httpProtocol, "no status line", partial: partial)
        let result = rule.result(of: try probe(url, BodyIs(text: "ok")), failure: failure)
        let isOpen = url == Self.http
        #expect(result.outcome == (isOpen ? outcome : .failed))
        #expect(result.reason == .httpProtocol)
        if question == .internet { #expect((result.portal != nil) == (isPortal && isOpen)) }
      }
    }
  }

  private static let http = "http://probe.example/"
  private static let https = "https://probe.example/"
  private static let tcp = "tcp://probe.example:22"
  private static let portal = "http://192.0.2.1:3990/"

  @Test(arguments: [
    Case(url: http, status: 200, body: "ok", outcome: .accepted),
    Case(url: https, status: 200, body: "ok", outcome: .accepted),
    Case(url: tcp, body: "ok", outcome: .accepted),

    Case(
      url: http, status: 200, body: "<p>Guest Wi-Fi</p><form><input type=password></form>",
      outcome: .intercepted, expectedReason: .bodyMismatch, portal: .probeURL),
    Case(url: http, status: 204, outcome: .intercepted, expectedReason: .bodyMismatch),
    Case(url: http, status: 304, outcome: .intercepted, expectedReason: .httpStatus),
    Case(
      url: http, status: 302, location: "/login", outcome: .intercepted, expectedReason: .httpStatus,
      portal: .location),
    Case(url: http, status: 302, outcome: .intercepted, expectedReason: .httpStatus),
    Case(url: http, status: 301, location: https, outcome: .failed, expectedReason: .httpStatus),
    Case(
      url: http, status: 302, location: "javascript:x", outcome: .intercepted, expectedReason: .httpStatus),
    Case(
      url: http, status: 302, location: portal, outcome: .intercepted, expectedReason: .httpStatus,
      portal: .location),
    Case(url: http, status: 511, outcome: .intercepted, expectedReason: .httpStatus, portal: .probeURL),
    Case(url: http, status: 100, outcome: .failed, expectedReason: .httpStatus),
    Case(url: http, status: 403, outcome: .failed, expectedReason: .httpStatus),
    Case(url: http, status: 404, outcome: .failed, expectedReason: .httpStatus),
    Case(url: http, status: 500, outcome: .failed, expectedReason: .httpStatus),
    Case(url: http, status: 503, outcome: .failed, expectedReason: .httpStatus),
    Case(url: http, status: 599, outcome: .failed, expectedReason: .httpStatus),
    Case(
      url: http, status: 200, body: "x", reason: .matchLimit, outcome: .failed, expectedReason: .matchLimit),
    Case(
      url: http, status: 200, body: "x", reason: .bodyTooLarge, outcome: .failed,
      expectedReason: .bodyTooLarge),

    Case(
      url: http, status: 200, body: "x", reason: .tooSlow, outcome: .failed, expectedReason: .tooSlow),
    Case(
      url: http, status: 200, body: "x", reason: .noCertificate, outcome: .failed,
      expectedReason: .noCertificate),
    Case(
      url: http, status: 200, body: "x", reason: .certificateExpiresSoon, outcome: .failed,
      expectedReason: .certificateExpiresSoon),

    Case(url: https, status: 200, body: "log in", outcome: .failed, expectedReason: .bodyMismatch),
    Case(url: https, status: 302, location: portal, outcome: .failed, expectedReason: .httpStatus),
    Case(url: https, status: 404, outcome: .failed, expectedReason: .httpStatus),
    Case(url: https, status: 511, outcome: .intercepted, expectedReason: .httpStatus, portal: .probeURL),

    Case(url: tcp, body: "HTTP/1.0 302", outcome: .failed, expectedReason: .bodyMismatch),
  ])
  func responsesHaveTheExpectedOutcome(_ test: Case) throws {
    let response = try fakeResponse(
      test.url, test.status, fields: test.location.map { ["Location": $0] } ?? [:], body: test.body)
    let planned = try probe(test.url, BodyIs(text: "ok", reason: test.reason))
    let result = rule.result(of: planned, requested: try ProbeURL(test.url), response: response)
    #expect(result.outcome == test.outcome)
    #expect(result.reason == test.expectedReason)
    #expect((result.detail == nil) == (test.outcome == .accepted))
    #expect(result.portal?.source == test.portal)
    #expect(result.response == response)
    #expect(result.captures == (test.outcome == .accepted ? ["body": "ok"] : [:]))
  }

  @Test(
    arguments: [
      (200, nil, .accepted), (302, "/login", .failed), (301, https, .failed), (302, portal, .intercepted),
      (511, nil, .intercepted), (404, nil, .failed),
    ] as [(Int, String?, Outcome)])
  func withoutAValidatorOnlyPortalSignsMeanInterception(
    _ status: Int, _ location: String?, _ outcome: Outcome
  ) throws {
    let response = try fakeResponse(Self.http, status, fields: location.map { ["Location": $0] } ?? [:])
    let url = try ProbeURL(Self.http)
    let planned = PlannedProbe(url: Self.http, request: ProbeRequest(url))
    #expect(rule.result(of: planned, requested: url, response: response).outcome == outcome)
  }

  @Test func aRejectionKeepsItsDetail() throws {
    let result = rule.result(
      of: try probe(Self.http, BodyIs(text: "ok")), requested: try ProbeURL(Self.http),
      response: try fakeResponse(Self.http, body: "no"))
    #expect(result.detail == "expected the body \"ok\", found \"no\"")
  }

  @Test func aTimingRejectionDoesNotHideAPortal() throws {
    /// Rejects every response as too slow.
    struct Slow: ResponseValidator {
      var judges: ResponseParts { .status }
      func validate(_ response: ProbeResponse) -> Validation {
        .rejected(.tooSlow, expected: "speed", found: "none")
      }
      func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
        [.init(.tooSlow, expected: "speed", found: "none")]
      }
    }
    let url = try ProbeURL(Self.http)
    let slow = PlannedProbe(url: Self.http, request: ProbeRequest(url), validator: Slow())
    #expect(!slow.knowsTrueResponse)
    let portal = try fakeResponse(Self.http, 302, fields: ["Location": Self.portal])
    #expect(rule.result(of: slow, requested: url, response: portal).outcome == .intercepted)
    #expect(
      rule.result(of: slow, requested: url, response: try fakeResponse(Self.http, 511)).outcome
        == .intercepted)
    #expect(
      rule.result(of: slow, requested: url, response: try fakeResponse(Self.http, 200)).outcome == .failed)
    let failed = rule.result(of: slow, failure: ProbeFailure(.connectReset, "the connection was reset"))
    #expect(failed.reason == .connectReset)
    #expect(failed.detail == "the connection was reset; also expected speed, found none")
  }

  @Test func theAttemptNumberIsReported() throws {
    var response = try fakeResponse(Self.https, 503)
    response.attempts = 3
    let result = rule.result(
      of: try probe(Self.https), requested: try ProbeURL(Self.https), response: response)
    #expect(result.detail == "expected a 2xx status, found 503, in attempt 3")
  }

  @Test func aFailureKeepsItsReasonAndItsData() throws {
    let partial = try fakeResponse(Self.https, nil, from: "192.0.2.7")
    let result = rule.result(
      of: try probe(Self.https), failure: ProbeFailure(.certificateExpired, "expired\n", partial: partial))
    #expect(result.outcome == .failed)
    #expect(result.reason == .certificateExpired)
    #expect(result.detail == "expired\\n")
    #expect(result.response == partial)
  }

  private static let loginPage =
    "<html><title>Guest Wi-Fi</title><form action='/in'><input type=password name=password><input type=submit></form>"

  /// A truncated response, with its expected outcome and portal.
  struct Broken: Sendable, CustomTestStringConvertible {
    var url = OutcomeRuleTests.http
    var status: Int? = 200
    var location: String?
    var body = ""
    var reason = ReasonCode.bodyShort
    var outcome = Outcome.intercepted
    var portal: LoginURLSource?

    var testDescription: String { "\(url) \(status ?? 0) \(location ?? body), \(reason) → \(outcome)" }
  }

  @Test(arguments: [
    Broken(body: loginPage, portal: .probeURL),
    Broken(body: loginPage, reason: .connectReset, portal: .probeURL),
    Broken(body: loginPage, reason: .bodyTimeout, portal: .probeURL),
    Broken(status: 511, portal: .probeURL),
    Broken(status: 302, location: portal, reason: .httpHeadTooLarge, portal: .location),
    // The beginning of the correct response, or of any other, does not indicate a third party.
    Broken(body: "o", outcome: .failed), Broken(body: "", outcome: .failed),
    Broken(status: 204, reason: .connectReset, outcome: .failed),
    // A login page over a verified connection is the server's own.
    Broken(url: https, body: loginPage, outcome: .failed),
    Broken(status: 404, body: "not found", outcome: .failed),
    Broken(url: https, status: 511, portal: .probeURL),
    Broken(url: tcp, status: nil, body: "HTTP/1.0 302", reason: .dialogRejected, outcome: .failed),
  ]) func aTruncatedResponseCanShowAPortal(_ test: Broken) throws {
    let partial = try fakeResponse(
      test.url, test.status, fields: test.location.map { ["Location": $0] } ?? [:], body: test.body)
    let result = rule.result(
      of: try probe(test.url, BodyIs(text: "ok")),
      failure: ProbeFailure(test.reason, "it broke", partial: partial))
    #expect(result.outcome == test.outcome)
    #expect(result.reason == test.reason)
    #expect(result.portal?.source == test.portal)
  }

  /// A portal redirects to a login host that refuses the connection.
  @Test func redirectsBeforeAFailureCount() throws {
    let target = try ProbeURL(Self.portal)
    var partial = try fakeResponse(Self.portal, nil)
    partial.redirects = [
      RedirectHop(url: try ProbeURL(Self.http), status: 302, location: Self.portal, target: target)
    ]
    let result = rule.result(
      of: try probe(Self.http, BodyIs(text: "ok")),
      failure: ProbeFailure(.connectRefused, "refused", partial: partial))
    #expect(result.outcome == .intercepted)
    #expect(result.portal?.loginURL == target)
    #expect(result.portal?.source == .location)
  }

  /// Accepts everything and captures something.
  private struct Capturing: ResponseValidator {
    func validate(_ response: ProbeResponse) -> Validation {
      .accepted(captures: ["code": "220", "host": "judged"])
    }
  }

  @Test func transportCapturesAreKeptForEveryOutcome() throws {
    var response = try fakeResponse(Self.tcp, nil, body: "220 mx")
    response.captures = ["host": "mx", "token": "1"]
    let url = try ProbeURL(Self.tcp)
    let accepted = rule.result(of: try probe(Self.tcp, Capturing()), requested: url, response: response)
    #expect(accepted.captures == ["code": "220", "host": "judged", "token": "1"])
    let judged = rule.result(of: try probe(Self.tcp, BodyIs(text: "ok")), requested: url, response: response)
    #expect(judged.outcome == .failed)
    #expect(judged.captures == response.captures)
    let failure = ProbeFailure(.dialogRejected, "no", partial: response)
    #expect(rule.result(of: try probe(Self.tcp), failure: failure).captures == response.captures)
    #expect(rule.result(of: try probe(Self.tcp), failure: ProbeFailure(.noSuchHost, "no")).captures == [:])
  }

  @Test func aFollowedRedirectToAnotherHostIsInterception() throws {
    var response = try fakeResponse("https://portal.example/login", 200, body: "log in")
    response.redirects = [
      RedirectHop(
        url: try ProbeURL(Self.http), status: 302, location: response.url.string, target: response.url)
    ]
    let planned = try probe(Self.http, BodyIs(text: "ok"))
    let result = rule.result(of: planned, requested: try ProbeURL(Self.http), response: response)
    #expect(result.outcome == .intercepted)
    #expect(result.portal?.loginURL == response.url)
    #expect(result.portal?.source == .location)
  }

  @Test func aRedirectToTheVerifiedHostIsNotInterception() throws {
    var response = try fakeResponse(Self.https, 200, body: "other")
    response.redirects = [
      RedirectHop(url: try ProbeURL(Self.http), status: 301, location: Self.https, target: response.url)
    ]
    let planned = try probe(Self.http, BodyIs(text: "ok"))
    let result = rule.result(of: planned, requested: try ProbeURL(Self.http), response: response)
    #expect(result.outcome == .failed)
  }

  private let rule = OutcomeRule { scheme in
    switch scheme {
    case .https: .encrypted
    case .http, .tcp: .plaintext
    default: nil
    }
  }
}
