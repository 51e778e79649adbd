import PortalAnalysis
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

@Suite struct EvidenceDecisionTests {
  /// The outcome of each probe as a letter.
  ///
  /// Accepted, Failed, Error status from a server, Skipped, Intercepted, Location, Body of 511, Probe URL, X
  /// for a line that could not be read, T for no trust store.
  struct Case: Sendable, CustomTestStringConvertible {
    var sets: [String]
    var threshold = "100%"
    var success = "100%"
    var optional: [String] = []
    var verdict: Verdict

    var testDescription: String { "\(sets) + \(optional), \(threshold), \(success) → \(verdict)" }
  }

  /// What a failed probe received, whatever its reason.
  static let received: [(url: String, reason: ReasonCode, change: @Sendable (inout ProbeResponse) -> Void)] =
    [
      ("dns+tls://ns.example/a", .dnsFailure, { $0.timings.firstByte = .zero }),
      ("dns+tls://ns.example/a", .dnsFailure, { $0.tls = TLSFacts(version: nil, cipher: nil) }),
      ("dns+tls://ns.example/a", .bodyShort, { $0.tls = TLSFacts(version: nil, cipher: nil) }),
      (
        "dns+https://ns.example/a", .dnsFailure,
        { $0.head = HTTPResponseHead(wireBytes: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) }
      ),
      (
        "dns+https://ns.example/a", .noSuchHost,
        { $0.dns = DNSFacts(name: "a.", type: "A", code: .noSuchName) }
      ),
      ("dns://ns.example/a", .dnsFailure, { $0.dns = DNSFacts(name: "a.", type: "A", code: .serverFailure) }),
      ("udp://a.example:9", .responseTimeout, { $0.timings.firstByte = .zero }),
      ("tcp://a.example:9", .responseTimeout, { $0.timings.firstByte = .zero }),
      ("https://a.example/", .responseTimeout, { $0.tls = TLSFacts(version: nil, cipher: nil) }),
    ]

  @Test(arguments: received.indices)
  func whatWasReceivedRulesOutAnOutage(_ index: Int) throws {
    let test = Self.received[index]
    let nothing = ProbeResponse(url: try ProbeURL(test.url))
    var something = nothing
    test.change(&something)
    for (response, isReached) in [(nothing, false), (something, true)] {
      let probe = ProbeResult(
        url: test.url, outcome: .failed, reason: test.reason, detail: "no", response: response)
      let sets = [SetResult(name: "a", threshold: .all, probes: [probe])]
      let network = EvidenceDecision(sets, success: .all, policy: .plaintextAllowed)
      // A handshake alone is no response.
      let hasResponse = isReached && response.tls == nil
      #expect(network.verdict == (hasResponse ? .inconclusive : .offline))
      let isUnreached = ServiceDecision(sets, success: .all, capport: nil).evidence.contains {
        $0.kind == .unreached
      }
      #expect(isUnreached == (!isReached && test.reason == .dnsFailure))
    }
  }

  @Test func anUnneededFallbackNeedNotBeMet() {
    let skipped = ProbeResult(url: "https://b.example/", outcome: .skipped)
    for (isNeeded, verdict) in [(false, Verdict.online), (true, .inconclusive)] {
      let fallback = SetResult(name: "f", threshold: .all, isNeeded: isNeeded, probes: [skipped])
      let decision = EvidenceDecision(
        [set("a", "A", .all), fallback], success: .all, policy: .plaintextAllowed)
      #expect(decision.verdict == verdict)
    }
  }

  @Test(arguments: [
    Case(sets: ["A"], verdict: .online),
    Case(sets: ["AAF"], threshold: "50%", verdict: .online),
    Case(sets: ["AAI"], threshold: "50%", verdict: .online),
    Case(sets: ["AAL"], threshold: "50%", verdict: .online),
    Case(sets: ["AAP"], threshold: "2", verdict: .online),
    Case(sets: ["A", "F", "F"], success: "33.3%", verdict: .online),
    Case(sets: ["A", "L"], success: "50%", verdict: .online),
    Case(sets: ["A", "F"], success: "1", verdict: .online),
    Case(sets: ["A"], optional: ["F", "S"], verdict: .online),
    Case(sets: ["A"], optional: ["L"], verdict: .online),

    Case(sets: ["L"], verdict: .captivePortal),
    Case(sets: ["P"], verdict: .captivePortal),
    Case(sets: ["AAL"], verdict: .captivePortal),
    Case(sets: ["IIIP", "A"], verdict: .captivePortal),
    Case(sets: ["LLLL", "AA"], threshold: "50%", verdict: .captivePortal),
    Case(sets: ["F"], optional: ["L"], verdict: .captivePortal),

    Case(sets: ["I"], verdict: .intercepted),
    Case(sets: ["AAAI"], verdict: .intercepted),
    Case(sets: ["FFFI", "F"], verdict: .intercepted),
    Case(sets: ["SSI"], verdict: .intercepted),
    Case(sets: ["F"], optional: ["I"], verdict: .intercepted),

    Case(sets: ["F"], verdict: .offline),
    Case(sets: ["FFF", "F"], verdict: .offline),
    Case(sets: ["FX"], verdict: .offline),
    Case(sets: ["FT"], verdict: .offline),
    Case(sets: ["F"], optional: ["S"], verdict: .offline),

    Case(sets: ["E"], verdict: .inconclusive),
    Case(sets: ["FE", "F"], verdict: .inconclusive),
    Case(sets: ["AF"], verdict: .partial),
    Case(sets: ["F", "A"], verdict: .partial),
    Case(sets: ["F"], optional: ["A"], verdict: .partial),
    Case(sets: ["FS"], verdict: .inconclusive),
    Case(sets: ["AS"], verdict: .inconclusive),
    Case(sets: ["SSS"], verdict: .inconclusive),
    Case(sets: ["X"], verdict: .inconclusive),
    Case(sets: ["XT"], verdict: .inconclusive),
    Case(sets: [], verdict: .inconclusive),
  ])
  func evidenceDeterminesTheVerdict(_ test: Case) throws {
    let threshold = try Threshold(test.threshold)
    let required = test.sets.enumerated().map { set("set\($0.offset)", $0.element, threshold) }
    let optional = test.optional.enumerated().map { set("more\($0.offset)", $0.element, required: false) }
    let decision = EvidenceDecision(
      required + optional, success: try Threshold(test.success), policy: .plaintextAllowed)
    #expect(decision.verdict == test.verdict)
    #expect((decision.portal != nil) == (test.verdict == .captivePortal))
    // Every probe is part of the evidence, whatever the verdict.
    let probes = (required + optional).flatMap(\.probes).map(\.url)
    #expect(Set(decision.evidence.flatMap(\.probes)) == Set(probes))
  }

  @Test(arguments: [
    ("PBL", "http://l.example/2"), ("PPB", "http://b.example/2"), ("PIP", "http://p.example/0"),
    ("BBBL", "http://l.example/3"),
  ])
  func theBestSourceProvidesTheLoginURL(_ outcomes: String, _ expected: String) {
    let decision = EvidenceDecision([set("a", outcomes)], success: .all, policy: .plaintextAllowed)
    #expect(decision.portal?.loginURL.string == expected)
  }

  @Test func theMostCommonLoginPageIsReported() throws {
    let urls = [
      "http://odd.example/", "http://portal.example/login?from=1", "http://portal.example/login?from=2",
      "http://portal.example/other",
    ]
    let probes = try urls.enumerated().map { index, url in
      ProbeResult(
        url: "\(index)", outcome: .intercepted, reason: .httpStatus,
        analysis: ResponseAnalysis(.login, portal: Portal(loginURL: try ProbeURL(url), source: .location)))
    }
    let decision = EvidenceDecision(
      [SetResult(name: "a", threshold: .all, probes: probes)], success: .all, policy: .plaintextAllowed)
    #expect(decision.portal?.loginURL.string == urls[1])
    #expect(decision.evidence.filter { $0.kind == .portal }.map(\.probes) == [["1", "2"], ["0"], ["3"]])
  }

  @Test func evidenceIsDescribedInText() throws {
    let page = try fakeResponse("http://a.example/", 200, from: "192.0.2.1")
    let portals = try ["http://192.0.2.1/login", "http://a.example/"].map { try ProbeURL($0) }
    let probes = [
      ProbeResult(url: "ok", outcome: .accepted),
      ProbeResult(url: "refused", outcome: .failed, reason: .connectRefused, detail: "refused"),
      ProbeResult(url: "also refused", outcome: .failed, reason: .connectRefused, detail: "refused"),
      ProbeResult(url: "custom", outcome: .failed, reason: ReasonCode(rawValue: "my.\u{1B}word")),
      ProbeResult(url: "never", outcome: .skipped, reason: .cancelled),
      ProbeResult(
        url: "odd", outcome: .intercepted, reason: .bodyMismatch, detail: "expected a, found b",
        response: page),
      ProbeResult(
        url: "sent away", outcome: .intercepted, reason: .httpStatus,
        analysis: ResponseAnalysis(.login, portal: Portal(loginURL: portals[0], source: .location))),
      ProbeResult(
        url: "told", outcome: .intercepted, reason: .httpStatus,
        analysis: ResponseAnalysis(
          .login, portal: Portal(loginURL: portals[0], source: .body511), isStated: true)),
      ProbeResult(
        url: "told nothing", outcome: .intercepted, reason: .httpStatus,
        analysis: ResponseAnalysis(
          .login, portal: Portal(loginURL: portals[1], source: .probeURL), isStated: true)),
    ]
    let decision = EvidenceDecision(
      [SetResult(name: "web\n", threshold: try Threshold("50%"), probes: probes)], success: .all,
      policy: .plaintextAllowed)
    #expect(
      decision.evidence == [
        Evidence(
          .accepted,
          "1 of 9 probes in the set \"web\\n\" received the expected response: too few for its threshold of 50 %",
          probes: ["ok"]),
        Evidence(
          .portal, "1 probe was redirected to http://192.0.2.1/login",
          probes: ["sent away"]),
        Evidence(
          .portal, "1 probe received a response that requires a login at http://192.0.2.1/login",
          probes: ["told"]),
        Evidence(
          .portal, "1 probe received a response that requires a login and names no login URL",
          probes: ["told nothing"]),
        Evidence(
          .intercepted, "1 probe received the response of a third party from 192.0.2.1: expected a, found b",
          probes: ["odd"]),
        Evidence(
          .traffic, "some operators can be reached, 2 others cannot", probes: ["also refused", "refused"]),
        Evidence(
          .failed, "2 probes failed: connect.refused (the port is closed: the connection was refused)",
          probes: ["refused", "also refused"]),
        Evidence(.failed, "1 probe failed: my.\\x1bword", probes: ["custom"]),
        Evidence(.skipped, "1 probe skipped: cancelled", probes: ["never"]),
      ])
  }

  @Test(arguments: [
    ("F", true, true), ("FFS", true, true), ("F", false, false), ("AF", true, false), ("P", true, false),
    ("S", true, false), ("X", true, false),
  ])
  func anHTTPSOnlyRunCannotRuleOutAPortal(_ outcomes: String, _ httpsOnly: Bool, _ isSaid: Bool) {
    let decision = EvidenceDecision(
      [set("a", outcomes)], success: .all, policy: ProbePolicy(httpsOnly: httpsOnly))
    #expect(decision.evidence.contains { $0.kind == .httpsOnly } == isSaid)
  }

  private func set(
    _ name: String, _ outcomes: String, _ threshold: Threshold = .all, required: Bool = true
  ) -> SetResult {
    let probes = outcomes.enumerated().map { index, letter in
      let url = "\(name)/\(index)"
      let login = try? ProbeURL("http://\(letter.lowercased()).example/\(index)")
      func portal(_ source: LoginURLSource) -> ProbeResult {
        return ProbeResult(
          url: url, outcome: .intercepted, reason: .httpStatus,
          analysis: ResponseAnalysis(.login, portal: login.map { Portal(loginURL: $0, source: source) }))
      }
      return switch letter {
      case "A": ProbeResult(url: url, outcome: .accepted)
      case "F": ProbeResult(url: url, outcome: .failed, reason: .connectRefused)
      case "E":
        ProbeResult(
          url: url, outcome: .failed, reason: .httpStatus,
          response: login.map { ProbeResponse(url: $0, head: HTTPResponseHead(status: 503)) })
      case "S": ProbeResult(url: url, outcome: .skipped, reason: .cancelled)
      case "X": ProbeResult(url: url, outcome: .failed, reason: .invalidRequest)
      case "T": ProbeResult(url: url, outcome: .failed, reason: .noTrustStore)
      case "L": portal(.location)
      case "B": portal(.body511)
      case "P": portal(.probeURL)
      default: ProbeResult(url: url, outcome: .intercepted, reason: .bodyMismatch)
      }
    }
    return SetResult(name: name, threshold: threshold, required: required, probes: probes)
  }
}
