import PortalAnalysis
import ProbeCore
import Testing

@testable import ProbePipeline

/// Verdicts from rules, and the effect of the API of RFC 8908.
@Suite struct RunDecisionTests {
  private func plan(_ decide: [DecisionRule]?, capport: Bool = true) throws -> ProbePlan {
    let sets = try ["apple", "tls"].map {
      PlannedSet(name: $0, probes: [try probe("https://\($0).example/")])
    }
    return try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: sets,
      capport: capport ? ProbeURL("https://api.example/") : nil, decide: decide)
  }

  private func sets(_ apple: ProbeResult, _ tls: ProbeResult) -> [SetResult] {
    [
      SetResult(name: "apple", threshold: .all, probes: [apple]),
      SetResult(name: "tls", threshold: .all, probes: [tls]),
    ]
  }

  private let accepted = ProbeResult(url: "a", outcome: .accepted)
  private let failed = ProbeResult(url: "f", outcome: .failed, reason: .certificateExpired)

  @Test func theFirstApplicableRuleDecides() throws {
    let rules = [
      DecisionRule(when: .met(set: "tls", true), .online),
      DecisionRule(when: .met(set: "apple", true), .partial),
      DecisionRule(when: .met(set: "apple", true), .offline),
    ]
    let decision = RunDecision(try plan(rules), sets(accepted, failed), capport: nil)
    #expect(decision.verdict == .partial)
    #expect(decision.portal == nil)
    #expect(
      decision.evidence[0]
        == Evidence(.rule, "rule 2 of decide applies: the set \"apple\" is met", probes: []))
    #expect(decision.evidence[1].kind == .accepted)
    let none = RunDecision(try plan(rules), sets(failed, failed), capport: nil)
    #expect(none.verdict == .inconclusive)
    #expect(none.evidence[0] == Evidence(.rule, "no rule of decide applies", probes: []))
  }

  /// Local services often trust every local client: no login URL points to this machine or its link.
  @Test(arguments: ["http://127.0.0.1:631/jobs", "http://localhost/", "http://169.254.169.254/latest/"])
  func localAddressesAreNeverTheLoginURL(_ target: String) throws {
    let url = try ProbeURL("http://apple.example/")
    let hop = RedirectHop(url: url, status: 302, location: target, target: try ProbeURL(target))
    let head = HTTPResponseHead(status: 302, fields: ["Location": target])
    let response = ProbeResponse(url: url, head: head, redirects: [hop])
    let analysis = ResponseAnalysis(of: response, asked: url) { $0 == .https ? .encrypted : .plaintext }
    let seen = ProbeResult(
      url: url.string, outcome: .intercepted, reason: .httpStatus, response: response, analysis: analysis)
    let capport = CapportResult(
      of: try ProbeURL("https://api.example/"),
      CapportDocument(captive: true, userPortalURL: try ProbeURL(target)))
    let rule = DecisionRule(
      when: .outcome(set: "apple", .intercepted, .any), .captivePortal, loginURL: [.location, .capport])
    for (rules, capport) in [([rule], capport), ([rule], nil), (nil, capport), (nil, nil)] {
      let decision = RunDecision(try plan(rules), sets(seen, failed), capport: capport)
      #expect(decision.verdict == .captivePortal)
      #expect(decision.portal == nil)
      let words = decision.evidence.filter { $0.kind == .portal }.map(\.summary)
      #expect(
        words.contains { $0.contains(target) && $0.hasSuffix("so it is not given as the login URL") },
        "\(words)")
    }
    #expect(!CapportResponse(capport).hasUserPortalURL)
  }

  /// The URL that an engine opens in every network: after the sources, if the rule names any.
  @Test(arguments: [
    ([], "http://own.example/"), ([LoginURLSource.location], "http://192.0.2.1/login"),
    ([.capport, .wispr], "http://own.example/"), ([.capport, .probeURL], "http://apple.example/"),
  ])
  func anEngineMayOpenAURLOfItsOwn(_ sources: [LoginURLSource], _ expected: String) throws {
    let url = try ProbeURL("http://apple.example/")
    let target = try ProbeURL("http://192.0.2.1/login")
    let hop = RedirectHop(url: url, status: 302, location: target.string, target: target)
    let head = HTTPResponseHead(status: 302, fields: ["Location": target.string])
    let response = ProbeResponse(url: url, head: head, redirects: [hop])
    let seen = ProbeResult(url: url.string, outcome: .intercepted, reason: .httpStatus, response: response)
    var rule = DecisionRule(
      when: .outcome(set: "apple", .intercepted, .any), .captivePortal, loginURL: sources)
    rule.opens = try ProbeURL("http://own.example/")
    let decision = RunDecision(try plan([rule], capport: false), sets(seen, failed), capport: nil)
    #expect(decision.verdict == .captivePortal)
    #expect(decision.portal?.loginURL.string == expected)
    #expect(decision.portal?.source == (expected.hasSuffix("login") ? .location : .probeURL))
    let none = RunDecision(try plan([rule], capport: false), sets(accepted, failed), capport: nil)
    #expect(none.portal == nil)
  }

  @Test func conditionsAreDescribedInText() throws {
    let pattern = try ReasonPattern("tls.*")
    let words: [(DecisionCondition, String)] = [
      (.met(set: "a\u{1B}", false), "the set \"a\\x1b\" is not met"),
      (.outcome(set: "a", .failed, .any), "a probe of the set \"a\" failed"),
      (.outcome(set: "a", .intercepted, .all), "every probe of the set \"a\" was intercepted"),
      (.outcome(set: "a", .accepted, .atLeast(1)), "at least 1 probe of the set \"a\" was accepted"),
      (.outcome(set: "a", .skipped, .atLeast(2)), "at least 2 probes of the set \"a\" were skipped"),
      (.reason(set: "a", pattern), "a probe of the set \"a\" has the reason tls.*"),
      (.capport(.captive), "the captive-portal API reports that a login is required"),
      (.capport(.open), "the captive-portal API reports that this client has access"),
      (.capport(.unavailable), "the captive-portal API is unavailable"),
      (
        .all([.met(set: "a", true), .any([.capport(.open), .met(set: "b", true)])]),
        "the set \"a\" is met and (the captive-portal API reports that this client has access or the set \"b\" is met)"
      ),
      (.not(.met(set: "a", true)), "it is not true that the set \"a\" is met"),
      (.all([.met(set: "a", true)]), "the set \"a\" is met"),
      (.all([]), "always"), (.any([]), "never"),
    ]
    for (condition, text) in words { #expect(condition.words == text) }
    let long = DecisionCondition.not(.all(Array(repeating: .met(set: "apple", true), count: 1000)))
    let rules = [DecisionRule(when: long, .partial)]
    let decision = RunDecision(try plan(rules), sets(accepted, failed), capport: nil)
    #expect(decision.evidence[0].summary.count < 600)
  }

  @Test func rulesCanConfirmTheFoundPortal() throws {
    var sent = ProbeResult(url: "p", outcome: .intercepted, reason: .httpStatus)
    sent.analysis = ResponseAnalysis(
      .login, portal: Portal(loginURL: try ProbeURL("http://192.0.2.1/"), source: .location))
    let sets = sets(accepted, sent)
    let captive = DecisionRule(when: .outcome(set: "tls", .intercepted, .any), .captivePortal)
    #expect(RunDecision(try plan([captive]), sets, capport: nil).portal == sent.portal)
    let other = DecisionRule(when: .met(set: "apple", true), .partial)
    #expect(RunDecision(try plan([other]), sets, capport: nil).portal == nil)
    let without = DecisionRule(when: .met(set: "apple", true), .captivePortal)
    let nothing = self.sets(accepted, failed)
    #expect(RunDecision(try plan([without]), nothing, capport: nil).verdict == .captivePortal)
    #expect(RunDecision(try plan([without]), nothing, capport: nil).portal == nil)
  }

  @Test func theAPIResponseIsEvidence() throws {
    let url = try ProbeURL("https://api.example/")
    let page = try ProbeURL("https://portal.example/login")
    let captive = CapportResult(of: url, CapportDocument(captive: true, userPortalURL: page))
    let decision = RunDecision(try plan(nil), sets(failed, failed), capport: captive)
    #expect(decision.verdict == .captivePortal)
    #expect(decision.portal == Portal(loginURL: page, source: .capport))
    let api = "the captive-portal API https://api.example/"
    let texts: [(CapportResult, Verdict, String?)] = [
      (captive, .captivePortal, "\(api) reports that a login is required, at \(page)"),
      (
        CapportResult(of: url, CapportDocument(captive: true)), .captivePortal,
        "\(api) reports that a login is required, and names no login page"
      ),
      (
        CapportResult(of: url, CapportDocument(captive: false)), .offline,
        "\(api) reports that this client has access"
      ),
      (
        CapportResult(of: url, unavailable: .connectRefused, "refused"), .offline,
        "\(api) is unavailable: connect.refused: refused"
      ),
      (CapportResult(of: url, unavailable: nil, "not needed"), .offline, nil),
    ]
    let refused = ProbeResult(url: "r", outcome: .failed, reason: .connectRefused)
    for (result, verdict, text) in texts {
      let decision = RunDecision(try plan(nil), sets(refused, refused), capport: result)
      #expect(decision.verdict == verdict)
      #expect(decision.evidence.filter { $0.kind == .capport }.map(\.summary) == (text.map { [$0] } ?? []))
    }
    // A network in which everything is accepted is online, whatever the API says.
    #expect(RunDecision(try plan(nil), sets(accepted, accepted), capport: captive).verdict == .online)
    let rule = DecisionRule(when: .capport(.captive), .captivePortal)
    #expect(
      RunDecision(try plan([rule]), sets(accepted, accepted), capport: captive).portal?.source == .capport)
  }

  @Test func skippedProbesHaveAReason() throws {
    let skipped = ProbeResult(url: "s", outcome: .skipped, detail: "not needed: the verdict was certain")
    let decision = RunDecision(try plan(nil), sets(accepted, skipped), capport: nil)
    #expect(
      decision.evidence.filter { $0.kind == .skipped }.map(\.summary) == [
        "1 probe skipped, not needed: the verdict was certain"
      ])
  }
}
