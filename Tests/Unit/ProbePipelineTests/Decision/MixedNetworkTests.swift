import PortalAnalysis
import ProbeCore
import ProbeBase
import TestRequirements
import TestSupport
import Testing
import TestTransports

@testable import ProbePipeline

/// Networks in which some operators respond as expected and others lead to a login, with HTTPS in every state.
@Suite(.heavy) struct MixedNetworkTests {
  /// What the network does with one operator's unencrypted requests.
  enum Operator: CaseIterable, Sendable {
    case passes, redirects, redirectsToOwnLogin, refuses
  }

  enum HTTPS: CaseIterable, Sendable {
    case verified, blocked, intercepted, untested, wrongClock, resolvesToThisMachine
  }

  /// What is at the target of the redirects.
  enum Page: CaseIterable, Sendable {
    case login, other, blockPage, none
  }

  /// A network, and the time that each of its responses takes.
  struct Network: Sendable, CustomStringConvertible {
    var operators: [Operator]
    var https: HTTPS
    var page: Page
    /// The target's page instead of that of ``page``.
    var content: String?
    var location = "http://gate.cloud.example/p?x=1"
    var isHTTPSRequired = true
    var stopsEarly = true
    var order: [Int] = []

    var description: String {
      "\(operators), HTTPS \(https), required \(isHTTPSRequired), page \(page), \(location), early \(stopsEarly)"
    }
  }

  private static let pages: [Page: String] = [
    .login: "<title>Guest Wi-Fi</title><form action=/x><input name=room><input type=password name=p></form>",
    .other: "hello",
    .blockPage: "<title>Access denied</title><h1>This site is blocked</h1>Category: gambling",
  ]

  private static func response(to request: ProbeRequest, in network: Network) async throws -> ProbeResponse {
    let (url, host) = (request.url.string, request.url.host)
    if host == "gate.cloud.example" || host == "wifi.cloud.example" {
      guard let page = network.content ?? pages[network.page] else {
        throw ProbeFailure(.connectRefused, "refused")
      }
      return try fakeResponse(url, body: page)
    }
    let index = Int(host.filter(\.isNumber)) ?? 0
    for _ in 0..<(20 * (network.order.dropFirst(index).first ?? 0)) { await Task.yield() }
    guard request.url.scheme == .http else {
      switch network.https {
      case .verified, .untested: return try fakeResponse(url, body: "ok")
      case .blocked: throw ProbeFailure(.connectReset, "reset")
      case .intercepted: throw ProbeFailure(.certificateUntrusted, "untrusted")
      case .wrongClock: throw ProbeFailure(.certificateExpired, "expired")
      case .resolvesToThisMachine:
        throw ProbeFailure(.connectRefused, "refused", partial: try fakeResponse(url, nil, from: "127.0.0.1"))
      }
    }
    switch network.operators[index] {
    case .passes: return try fakeResponse(url, body: "ok")
    case .redirects: return try fakeResponse(url, 302, fields: ["Location": network.location])
    case .redirectsToOwnLogin:
      return try fakeResponse(
        url, 302, fields: ["Location": "https://login.operator\(index).example/sign-in"])
    case .refuses: throw ProbeFailure(.connectRefused, "refused")
    }
  }

  private static func run(_ network: Network) async throws -> (result: RunResult, requested: [String]) {
    let count = network.operators.count
    func set(_ scheme: String, _ indices: Range<Int>, _ threshold: Threshold) throws -> PlannedSet {
      PlannedSet(
        name: scheme, threshold: threshold, required: scheme == "http" || network.isHTTPSRequired,
        probes: try indices.map {
          try probe("\(scheme)://www.operator\($0).example/", BodyIs(text: "ok"))
        })
    }
    var sets = [try set("http", 0..<count, try .percent(50))]
    if network.https != .untested { sets.append(try set("https", count..<(count + 2), try .count(1))) }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: sets, stopsEarly: network.stopsEarly)
    let requested = Guarded<[String]>([])
    let transport = FakeTransport { request in
      requested.withLock { $0.append(request.url.host) }
      return try await response(to: request, in: network)
    }
    let result = await PipelineRunner(try transport.registry).run(plan)
    return (result, requested.withLock(\.self))
  }

  /// What the contract promises; nil where it leaves the verdict to other findings.
  ///
  /// The numbers are those of operators.
  private static func promise(_ network: Network) -> (isPortal: Bool, isOnline: Bool, hasPortal: Bool)? {
    let redirected = network.operators.count { $0 == .redirects }
    let own = network.operators.count { $0 == .redirectsToOwnLogin }
    let passes = network.operators.count { $0 == .passes }
    let isHTTPSStopped = network.https == .blocked || network.https == .intercepted
    let isMet = passes * 2 >= network.operators.count
    let isKnown = network.https == .verified || isHTTPSStopped
    let isOnline =
      isMet && (network.https == .verified || network.https == .untested || !network.isHTTPSRequired)
    // Several operators that lead elsewhere agree with each other, whatever the others do.
    guard redirected + own < 2, redirected + own > 0, passes > 0 else { return nil }
    if redirected == 0 { return (false, isOnline, false) }
    // A URL that identifies itself needs no page, unless only a page can show a portal.
    let isProven = isHTTPSStopped || network.https != .verified && passes <= redirected && !isOnline
    let isClear = network.location.contains("login") && isProven
    if network.page == .blockPage, !isClear, isKnown || !isOnline {
      return (false, isOnline, false)
    }
    if isHTTPSStopped { return (true, false, true) }
    if !isKnown, isOnline { return (false, true, false) }
    let isQuarter = 4 * redirected >= redirected + passes
    if network.page == .login, isQuarter { return (true, false, true) }
    if network.https == .verified { return (false, isOnline, isOnline && isQuarter) }
    return passes > redirected ? (false, false, false) : nil
  }

  private static func check(_ network: Network, _ comment: Comment) async throws -> Bool {
    let (result, _) = try await run(network)
    guard let promise = promise(network) else { return false }
    #expect((result.verdict == .captivePortal) == promise.isPortal, comment)
    #expect((result.verdict == .online) == promise.isOnline, comment)
    #expect(result.portal?.loginURL.string == (promise.hasPortal ? network.location : nil), comment)
    let suggestions = result.evidence.filter { $0.summary.contains("may be the operator's own") }
    #expect(suggestions.count == (promise.isOnline && promise.hasPortal ? 1 : 0), comment)
    if promise.hasPortal {
      let probes = Set(result.evidence.filter { $0.kind == .portal }.flatMap(\.probes))
      let redirected = network.operators.firstIndex(of: .redirects) ?? 0
      #expect(probes == ["http://www.operator\(redirected).example/"], comment)
    }
    return true
  }

  @Test(arguments: 0..<16) func generatedMixesMeetTheContract(_ block: Int) async throws {
    var checked = 0
    for seed in (block * 60)..<(block * 60 + 60) {
      var random = SeededNumbers(seed: UInt64(seed))
      let count = Int.random(in: 1...7, using: &random)
      var operators = (0..<count).map { _ in
        Int.random(in: 0..<4, using: &random) == 0 ? Operator.refuses : .passes
      }
      let redirect: Operator = Int.random(in: 0..<4, using: &random) == 0 ? .redirectsToOwnLogin : .redirects
      for _ in 0..<(Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1) {
        operators[Int.random(in: 0..<count, using: &random)] = redirect
      }
      var network = Network(
        operators: operators, https: HTTPS.allCases.randomElement(using: &random) ?? .verified,
        page: Page.allCases.randomElement(using: &random) ?? .login)
      if Bool.random(using: &random) { network.location = "http://wifi.cloud.example/login" }
      network.stopsEarly = Bool.random(using: &random)
      network.isHTTPSRequired = Bool.random(using: &random)
      network.order = Array(0..<(count + 2)).shuffled(using: &random)
      if try await Self.check(network, "seed \(seed): \(network)") { checked += 1 }
    }
    #expect(checked > 20)
  }

  /// The same network gives the same verdict and portal, whether the run ends early or not, in any order of responses.
  @Test(arguments: 0..<8) func theEndOfARunDoesNotMatter(_ block: Int) async throws {
    for seed in (block * 40)..<(block * 40 + 40) {
      var random = SeededNumbers(seed: UInt64(seed))
      let count = Int.random(in: 1...7, using: &random)
      let operators = (0..<count).map { _ in
        [.passes, .passes, Operator.allCases.randomElement(using: &random) ?? .passes][
          Int.random(in: 0..<3, using: &random)]
      }
      var network = Network(
        operators: operators, https: HTTPS.allCases.randomElement(using: &random) ?? .verified,
        page: Page.allCases.randomElement(using: &random) ?? .login)
      network.isHTTPSRequired = Bool.random(using: &random)
      network.stopsEarly = false
      let whole = try await Self.run(network).result
      network.stopsEarly = true
      for _ in 0..<3 {
        network.order = Array(0..<(count + 2)).shuffled(using: &random)
        let early = try await Self.run(network).result
        #expect(early.verdict == whole.verdict, "seed \(seed): \(network)")
        #expect(early.portal == whole.portal, "seed \(seed): \(network)")
      }
    }
  }

  /// The three operators of a cloud portal that pass are no reason to call the network open.
  @Test(arguments: [HTTPS.blocked, .intercepted]) func oneLoginOfFourIsAPortalIfHTTPSIsStopped(_ https: HTTPS)
    async throws
  {
    for page in [Page.login, .other, .none] {
      let network = Network(operators: [.passes, .passes, .redirects, .passes], https: https, page: page)
      let result = try await Self.run(network).result
      #expect(result.verdict == .captivePortal, "\(network)")
      #expect(result.portal?.loginURL.string == network.location, "\(network)")
      let facts = result.evidence.map(\.summary)
      let isShownByPage = facts.contains { $0.contains("the page at") }
      #expect(isShownByPage == (page == .login), "\(facts)")
      #expect(facts.contains { $0.contains("the portal lets them through") } == !isShownByPage, "\(facts)")
    }
  }

  /// If the other operators respond as expected, a site may have moved to any page with a form.
  @Test(
    arguments: [
      (
        "<title>Guest Wi-Fi</title>Welcome to our Wi-Fi. <form method=post action=/x><input name=voucher>"
          + "<input type=password name=p><button>Log in</button></form> Terms of use", .captivePortal
      ),
      ("<title>Hi</title><form action=/x><input type=password name=p></form>", .online),
      ("<meta http-equiv=refresh content='0;url=/login?wifi=1'>", .online),
      ("<script>location = '/hotspot/login'</script>", .online),
      (
        "<title>Shop</title><form method=post action=/join><input type=email><button>Sign up</button></form>",
        .online
      ),
    ] as [(String, Verdict)])
  func onAnOpenNetworkThePageHasToBeALoginForCertain(_ page: String, _ verdict: Verdict) async throws {
    var network = Network(operators: [.passes, .passes, .redirects, .passes], https: .verified, page: .other)
    network.content = page
    let (result, requested) = try await Self.run(network)
    #expect(result.verdict == verdict, "\(result.evidence)")
    #expect(requested.count { $0 == "gate.cloud.example" } == 1)
  }

  @Test func aLoginThatTheTargetShowsIsAPortalAlthoughHTTPSPasses() async throws {
    let network = Network(operators: [.passes, .passes, .redirects, .passes], https: .verified, page: .login)
    let (result, requested) = try await Self.run(network)
    #expect(result.verdict == .captivePortal)
    #expect(result.portal?.loginURL.string == network.location)
    #expect(requested.count { $0 == "gate.cloud.example" } == 1)
    #expect(
      result.evidence.contains { $0.summary.contains("the page at \"http://gate.cloud.example/p?x=1\"") })
  }

  @Test(arguments: [Page.other, .none]) func aTargetWithoutALoginLeavesTheNetworkOnline(_ page: Page)
    async throws
  {
    let network = Network(operators: [.passes, .passes, .redirects, .passes], https: .verified, page: page)
    let (result, requested) = try await Self.run(network)
    #expect(result.verdict == .online)
    #expect(result.portal?.loginURL.string == network.location)
    #expect(result.loginURL == nil, "nothing to open")
    #expect(requested.count { $0 == "gate.cloud.example" } == 1)
    let facts = result.evidence.filter { $0.kind == .portal }.map(\.summary)
    #expect(
      facts == [
        "1 probe was redirected to http://gate.cloud.example/p?x=1",
        "only one operator leads to a login, and encrypted traffic passes: the login may be the operator's own",
      ])
  }

  /// A site that moves behind a login of its own domain is not a portal, and its page is not requested.
  @Test(arguments: HTTPS.allCases) func aSitesOwnLoginIsNotAPortal(_ https: HTTPS) async throws {
    let network = Network(
      operators: [.passes, .passes, .redirectsToOwnLogin, .passes], https: https, page: .login)
    let (result, requested) = try await Self.run(network)
    #expect(result.verdict != .captivePortal)
    #expect((result.verdict == .online) == [.verified, .untested].contains(https))
    #expect(result.portal == nil)
    #expect(!requested.contains("login.operator2.example"))
  }

  /// The domain is that of the public suffix list: two users of one host of pages are two operators.
  @Test func theDomainIsTheRegistrableOne() throws {
    func verdict(_ url: String, to login: String) throws -> Verdict {
      let probes =
        hosts(3).map { Seen.accepted($0) } + [try Seen.portal(url, at: login)]
        + hosts(2, from: 5, "https").map { Seen.failed($0) }
      return decision(probes, threshold: try .percent(50)).verdict
    }
    #expect(try verdict("http://a.github.io/", to: "https://login.a.github.io/") == .online)
    #expect(try verdict("http://a.github.io/", to: "https://b.github.io/") == .captivePortal)
    #expect(try verdict("http://www.shop.co.uk/", to: "https://login.shop.co.uk/") == .online)
    #expect(try verdict("http://www.shop.co.uk/", to: "https://login.co.uk/") == .captivePortal)
  }

  /// An address of this machine says nothing about HTTPS, and a wrong date is the fault of a clock.
  @Test(arguments: [HTTPS.resolvesToThisMachine, .wrongClock])
  func onlyTheNetworkStopsHTTPS(_ https: HTTPS) async throws {
    let network = Network(operators: [.passes, .passes, .redirects, .passes], https: https, page: .other)
    let result = try await Self.run(network).result
    #expect(result.verdict == (https == .wrongClock ? .partial : .inconclusive))
  }
}

/// Responses that every operator returned alike.
@Suite struct EveryOperatorTests {
  private func facts(_ probes: [ProbeResult]) -> [String] {
    let decision = decision(probes)
    #expect(decision.verdict == .intercepted)
    return decision.words(.sameResponse).filter { $0.contains("the network decides the verdict") }
  }

  @Test func theNetworkDecidesAndNotThePage() throws {
    let thirdParty = try hosts(3).map { try Seen.thirdParty($0, likeness: 7) }
    let blocked = hosts(2, from: 4, "https").map { Seen.failed($0) }
    #expect(
      facts(thirdParty + blocked) == [
        "3 unrelated operators returned the same response, so it is not their own; no other response passed, and "
          + "encrypted traffic is stopped: the network decides the verdict, and not the page, which shows no login"
      ])
    let verified = hosts(2, from: 4, "https").map { Seen.accepted($0) }
    #expect(facts(thirdParty + verified).map { $0.contains("encrypted") } == [false])
    // One operator, another response, and a correct one.
    #expect(facts(try [Seen.thirdParty(hosts(1)[0], likeness: 7)] + blocked).isEmpty)
    #expect(facts(thirdParty + [try Seen.thirdParty(hosts(1, from: 6)[0], likeness: 8)] + blocked).isEmpty)
    #expect(facts(thirdParty + [try Seen.error(hosts(1, from: 6)[0])] + blocked).isEmpty)
    #expect(facts(thirdParty + [Seen.accepted(hosts(1, from: 6)[0])] + blocked).isEmpty)
  }
}
