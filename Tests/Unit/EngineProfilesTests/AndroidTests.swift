import FixtureReplay
import ProbeCore
import ProbePipeline
import Testing

/// The expectations of Android's own tests for its three probes and the portal API.
struct AndroidTests {
  typealias Ending = SimulatedNetwork.Ending

  private static let http = "http://connectivitycheck.gstatic.com/generate_204"
  private static let https = "https://www.google.com/generate_204"
  private static let fallback = "http://www.google.com/gen_204"
  private static let api = "https://api.example/capport"

  private static func network(
    https: Ending, http: Ending, fallback: Ending? = nil, api: Ending? = nil
  ) throws -> SimulatedNetwork {
    var endings = [Self.https: https, Self.http: http]
    endings[Self.fallback] = fallback
    endings[Self.api] = api
    return try SimulatedNetwork(endings)
  }

  private static func document(_ json: String) -> Ending {
    .response(200, headers: ["Content-Type: application/captive+json"], body: json)
  }

  struct Oracle: CustomTestStringConvertible {
    let https: Ending
    let http: Ending
    var fallback: Ending?
    let verdict: Verdict
    var testDescription: String {
      "https \(https), http \(http), fallback \(fallback.map { "\($0)" } ?? "-")"
    }
  }

  static let oracles = [
    Oracle(https: .tlsError, http: .redirect, verdict: .captivePortal),
    Oracle(https: .tlsError, http: .content(0), verdict: .offline),
    Oracle(https: .tlsError, http: .content(100), verdict: .captivePortal),
    Oracle(https: .noContent, http: .response(500), verdict: .online),
    Oracle(https: .tlsError, http: .response(500), fallback: .redirect, verdict: .captivePortal),
    Oracle(https: .tlsError, http: .noContent, fallback: .redirect, verdict: .captivePortal),
    Oracle(https: .response(500), http: .noContent, fallback: .response(500), verdict: .partial),
    Oracle(https: .response(500), http: .response(500), fallback: .noContent, verdict: .offline),
  ]

  @Test(arguments: oracles) func theThreeProbesDetermineTheVerdict(_ oracle: Oracle) async throws {
    let network = try Self.network(https: oracle.https, http: oracle.http, fallback: oracle.fallback)
    let judgement = try await Judgement(of: "android", in: network)
    #expect(judgement.verdict == oracle.verdict, "\(judgement.result.evidence)")
  }

  @Test func aVerdictWithoutALoginExplainsFailedProbes() async throws {
    func failed(_ network: SimulatedNetwork) async throws -> [String: [String]] {
      let result = try await Judgement(of: "android", in: network).result
      let evidence = result.evidence.filter { $0.kind == .failed }
      return Dictionary(uniqueKeysWithValues: evidence.map { ($0.summary, $0.probes) })
    }
    let untrusted = "1 probe failed: tls.untrusted (the chain does not end at a trusted root)"
    let offline = try await failed(Self.network(https: .tlsError, http: .content(0)))
    #expect(offline[untrusted] == [Self.https], "\(offline)")
    let partial = try await failed(
      Self.network(https: .tlsError, http: .noContent, fallback: .response(500)))
    #expect(partial[untrusted] == [Self.https], "\(partial)")
    #expect(try await failed(Self.network(https: .tlsError, http: .redirect)).isEmpty)
    #expect(try await failed(Self.network(https: .noContent, http: .response(500))).isEmpty)
  }

  @Test func theFallbackIsRequestedOnlyWhenTheOthersDisagree() async throws {
    let open = try await Judgement(of: "android", in: Self.network(https: .noContent, http: .noContent))
    #expect(Set(open.requests) == [Self.http, Self.https])
    let odd = try await Judgement(
      of: "android", in: Self.network(https: .response(500), http: .noContent, fallback: .noContent))
    #expect(Set(odd.requests) == [Self.http, Self.https, Self.fallback])
    #expect(odd.verdict == .partial)
  }

  @Test func theLoginURLIsTheLocationOrTheProbeURL() async throws {
    let redirected = try await Judgement(of: "android", in: Self.network(https: .tlsError, http: .redirect))
    #expect(redirected.loginURL == "http://portal.example/login")
    let page = try await Judgement(of: "android", in: Self.network(https: .tlsError, http: .content(768)))
    #expect(page.loginURL == Self.http)
  }

  @Test func aCaptiveAPIResponseWithAPageMakesProbesUnnecessary() async throws {
    let network = try Self.network(
      https: .noContent, http: .noContent,
      api: Self.document(#"{ "captive": true, "user-portal-url": "https://portal.example/join" }"#))
    let judgement = try await Judgement(of: "android", in: network, announced: Self.api)
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == "https://portal.example/join")
    #expect(judgement.requests == [Self.api])
  }

  @Test(arguments: [
    (Ending.redirect, Verdict.captivePortal), (.noContent, .partial), (.response(500), .offline),
  ])
  func aCaptiveAPIResponseWithoutAPageDefersToHTTP(_ http: Ending, _ verdict: Verdict) async throws {
    let network = try Self.network(
      https: .tlsError, http: http, fallback: .response(500), api: Self.document(#"{ "captive": true }"#))
    let judgement = try await Judgement(of: "android", in: network, announced: Self.api)
    #expect(judgement.verdict == verdict)
    #expect(judgement.requests.first == Self.api)
  }

  @Test(arguments: [#"{ "captive": tr"#, #"{ "user-portal-url": "https://portal.example/join" }"#, "hello"])
  func anInvalidAPIResponseIsIgnored(_ json: String) async throws {
    let network = try Self.network(https: .noContent, http: .noContent, api: Self.document(json))
    let judgement = try await Judgement(of: "android", in: network, announced: Self.api)
    #expect(judgement.verdict == .online)
    #expect(judgement.result.capport?.state == .unavailable)
  }

  @Test(arguments: ["http://api.example/capport", "file:///etc/capport.json", "api.example"])
  func anAPIWithoutAnHTTPSURLIsIgnored(_ announced: String) async throws {
    let captive = Self.document(#"{ "captive": true, "user-portal-url": "https://portal.example/join" }"#)
    var network = try Self.network(https: .noContent, http: .noContent)
    try network.add("http://api.example/capport", captive)
    let judgement = try await Judgement(of: "android", in: network, announced: announced)
    #expect(judgement.verdict == .online)
    #expect(Set(judgement.requests) == [Self.http, Self.https])
    #expect(
      judgement.result.evidence.contains { $0.kind == .capport && $0.summary.contains("not an https URL") })
  }

  @Test func theAnnouncedAbsenceOfAPortalIsReported() async throws {
    let judgement = try await Judgement(
      of: "android", in: Self.network(https: .noContent, http: .noContent),
      announced: "urn:ietf:params:capport:unrestricted")
    #expect(judgement.verdict == .online)
    #expect(
      judgement.result.evidence.contains { $0.summary.contains("announces that it has no captive portal") })
  }

  /// With the guard against forged DNS, a private address of the plain host is a failed probe.
  ///
  /// 192.168.1.1 and fec0:1234::1 are the cases of Android's own tests; the others are those of its code.
  @Test(arguments: [
    ("192.168.1.1", true), ("fec0:1234::1", true), ("10.43.0.1", true), ("172.31.255.255", true),
    ("169.254.7.7", true), ("fe80::1", true), ("fd12:3456::1", true), ("172.32.0.1", false),
    ("100.64.0.1", false),
    ("203.0.113.7", false), ("2001:db8::1", false),
  ])
  func aPrivateAddressOfTheHostIsNoPortalForStrictPhones(_ address: String, _ isPrivate: Bool) async throws {
    for ending in [Ending.redirect, .content(100), .noContent] {
      var network = try Self.network(https: .tlsError, http: ending, fallback: .redirect)
      network.dns = ["connectivitycheck.gstatic.com": .address(try #require(IPAddress(address)))]
      let lenient = try await Judgement(of: "android", in: network)
      #expect(lenient.verdict == .captivePortal, "\(ending)")
      let strict = try await Judgement(of: "android-strict-dns", in: network)
      #expect(strict.verdict == (isPrivate ? .offline : .captivePortal), "\(ending)")
      // A failure is final: the fallback is not requested.
      if isPrivate { #expect(!strict.requests.contains(Self.fallback)) }
    }
  }

  @Test func theGuardIsAboutThePlainHostOnly() async throws {
    let gateway = HostRules([("*", DNSAnswer.address(try #require(IPAddress("10.0.0.1"))))])
    var open = try Self.network(https: .noContent, http: .redirect)
    open.dns = gateway
    #expect(try await Judgement(of: "android-strict-dns", in: open).verdict == .online)
    var elsewhere = try Self.network(https: .tlsError, http: .redirect)
    elsewhere.dns = ["www.google.com": .address(try #require(IPAddress("10.0.0.1")))]
    #expect(try await Judgement(of: "android-strict-dns", in: elsewhere).verdict == .captivePortal)
    var announced = try Self.network(
      https: .tlsError, http: .redirect,
      api: Self.document(#"{ "captive": true, "user-portal-url": "https://portal.example/join" }"#))
    announced.dns = gateway
    let judgement = try await Judgement(of: "android-strict-dns", in: announced, announced: Self.api)
    #expect(judgement.verdict == .captivePortal)
    #expect(judgement.loginURL == "https://portal.example/join")
  }

  /// Without known addresses, the guard does not apply.
  @Test(arguments: oracles) func strictPhonesJudgeOtherwiseAlike(_ oracle: Oracle) async throws {
    let network = try Self.network(https: oracle.https, http: oracle.http, fallback: oracle.fallback)
    #expect(try await Judgement(of: "android-strict-dns", in: network).verdict == oracle.verdict)
  }
}
