import PortalAnalysis
import ProbeCore
import Testing

@testable import ProbePipeline

/// Responses that show that a network has a captive portal.
@Suite struct PortalFindingsTests {
  /// The appearance of a portal's responses.
  enum Kind: CaseIterable { case plain, stated, local }

  /// The numbers of operators that show a portal and that respond as expected, whether the latter suffice
  /// for online, and the verdict.
  struct Case: Sendable, CustomTestStringConvertible {
    let shown: Int
    let passed: Int
    var kind = Kind.plain
    var isOnline = true
    let verdict: Verdict

    var testDescription: String { "\(shown) \(kind) beside \(passed), online \(isOnline) → \(verdict)" }
  }

  @Test(arguments: [
    // One odd response is attributed to its server if enough others are as expected …
    Case(shown: 1, passed: 1, verdict: .online), Case(shown: 1, passed: 9, verdict: .online),
    // … and decides otherwise, unless most contradict it.
    Case(shown: 1, passed: 0, isOnline: false, verdict: .captivePortal),
    Case(shown: 1, passed: 1, isOnline: false, verdict: .captivePortal),
    Case(shown: 1, passed: 2, isOnline: false, verdict: .inconclusive),
    // Evidence that cannot be the server's own counts alone, if it is at least a quarter.
    Case(shown: 1, passed: 3, kind: .stated, verdict: .captivePortal),
    Case(shown: 1, passed: 4, kind: .stated, verdict: .online),
    Case(shown: 1, passed: 3, kind: .local, verdict: .captivePortal),
    Case(shown: 1, passed: 4, kind: .local, verdict: .online),
    Case(shown: 1, passed: 4, kind: .local, isOnline: false, verdict: .inconclusive),
    // A portal may let some hosts through, but not most of the Internet.
    Case(shown: 2, passed: 6, verdict: .captivePortal), Case(shown: 2, passed: 7, verdict: .online),
    Case(shown: 2, passed: 7, isOnline: false, verdict: .inconclusive),
    Case(shown: 3, passed: 1, isOnline: false, verdict: .captivePortal),
  ])
  func aPortalNeedsAQuarterOfTheOperators(_ test: Case) throws {
    let probes =
      try hosts(test.shown).map {
        try Seen.portal($0, isStated: test.kind == .stated, isLocal: test.kind == .local)
      } + hosts(test.passed, from: 100).map { Seen.accepted($0) }
    let decision = try decision(probes, threshold: test.isOnline ? .count(1) : .all)
    #expect(decision.verdict == test.verdict)
    #expect((decision.portal == nil) == (test.verdict != .captivePortal))
    // The portal is reported, whatever the verdict.
    #expect(decision.words(.portal).count == 1)
    #expect(decision.found != nil)
  }

  @Test func eachProbeReportsItsOwnSigns() throws {
    func shown(_ index: Int, _ query: String, _ sign: String, isStated: Bool = false) throws -> ProbeResult {
      var probe = try Seen.portal(
        hosts(1, from: index)[0], at: "http://login.example/\(query)", .form, isStated: isStated)
      probe.analysis?.signs = [ResponseSign(.portal, 4, sign)]
      return probe
    }
    let decision = decision([
      try shown(0, "?a=1", "a form asks for a password"),
      try shown(1, "?a=2", "it says login", isStated: true),
      try shown(2, "?a=1", "a form asks for a password"),
    ])
    #expect(
      decision.words(.portal) == [
        "3 probes received a portal's login page; the login URL is http://login.example/?…; "
          + "1 of these responses explicitly requires a login"
      ])
    let sign = decision.evidence.first { $0.kind == .sign }
    #expect(sign?.summary == "signs of a captive portal: a form asks for a password")
    #expect(sign?.probes == [hosts(3)[0], hosts(3)[2]])
  }

  /// Over a verified connection there is no third party: a portal that one server shows there does not count
  /// if enough others respond as expected.
  @Test(arguments: [(1, Verdict.online), (2, .captivePortal)])
  func aVerifiedPortalStatementCountsBelowTheThreshold(_ threshold: Int, _ verdict: Verdict) throws {
    let probes = [
      try Seen.portal("https://a.example/", .body511, isStated: true), Seen.accepted("https://b.example/"),
    ]
    #expect(try decision(probes, threshold: .count(threshold)).verdict == verdict)
  }

  @Test func hostsOfOneOperatorCountOnce() throws {
    let sites = ["http://a.odd.example/", "http://b.odd.example/", "http://c.odd.example/"]
    let probes = try sites.map { try Seen.portal($0) } + [Seen.accepted("http://www.other.example/")]
    #expect(try decision(probes, threshold: .count(1)).verdict == .online)
  }

  @Test func encryptedProbesCanPassPortals() throws {
    let probes =
      try hosts(2).map { try Seen.portal($0) } + hosts(30, from: 10, "https").map { Seen.accepted($0) }
    #expect(try decision(probes, threshold: .count(1)).verdict == .captivePortal)
  }

  @Test func aPartlyPassingOperatorDoesNotDisproveThePortal() throws {
    var probes = try hosts(1).map { try Seen.portal($0) }
    probes += (0..<5).map { Seen.accepted("http://h\($0).operator0.example/") }
    #expect(decision(probes).verdict == .captivePortal)
  }

  /// An error page that looks like a portal's may be the server's own.
  @Test func hintsDecideOnlyInCombination() throws {
    let hints = try hosts(2).map { try Seen.portal($0, .form, outcome: .failed) }
    #expect(decision([hints[0]]).verdict == .inconclusive)
    #expect(decision(hints).verdict == .captivePortal)
    #expect(decision([hints[0], try Seen.portal(hosts(1, from: 5)[0])]).verdict == .captivePortal)
    // A protocol's own statement that a login is required is not just a hint.
    let stated = try Seen.portal("http://a.example/", .wispr, isStated: true, outcome: .failed)
    #expect(decision([stated]).verdict == .captivePortal)
  }

  @Test func theAPIDecidesIfTheNetworkIsNotOnline() throws {
    let page = try ProbeURL("https://portal.example/")
    let captive = CapportResult(
      of: try ProbeURL("https://api.example/"), CapportDocument(captive: true, userPortalURL: page))
    let down = decision([Seen.failed("http://a.example/")], capport: captive)
    #expect(down.verdict == .captivePortal)
    #expect(down.portal == Portal(loginURL: page, source: .capport))
    #expect(decision([Seen.accepted("http://a.example/")], capport: captive).verdict == .online)
    // The URL of the API outweighs that of a redirect.
    let sent = decision([try Seen.portal("http://a.example/")], capport: captive)
    #expect(sent.portal?.source == .capport)
    let form = decision([try Seen.portal("http://a.example/", .form)], capport: captive)
    #expect(form.portal?.source == .capport)
  }

  @Test func theSignsOfAPortalAreReported() throws {
    var probe = try Seen.portal("http://a.example/")
    probe.analysis?.signs = [
      ResponseSign(.portal, 4, "a form asks for a password"),
      ResponseSign(.notice, 3, "its status is 403", isFor: false),
      ResponseSign(.portal, 3, "b"), ResponseSign(.portal, 2, "c"), ResponseSign(.portal, 1, "d"),
    ]
    #expect(
      decision([probe]).words(.sign) == [
        "signs of a captive portal: a form asks for a password; b; c; against it: its status is 403"
      ])
  }
}
