import BundledPlugins
import EngineProfiles
import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import Testing

/// Portals that redirect every request: what the engines conclude from the page behind the redirect.
struct RedirectTests {
  /// The target of a redirect of a portal, and the verdicts of the engines that follow the redirect.
  struct Target: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let location: String
    var routes: [ReplayRoute] = []
    var listeners: [ReplayListener: ListenerMode] = [:]
    var tls: HostRules<TLSMode> = [:]
    let chromium: Verdict
    let connman: Verdict
    /// Whether ConnMan opens the target of the redirect, and not its own URL.
    var isOpenedByConnMan = true

    /// The network: the target itself, and a redirect to it in response to every other request.
    var fixture: Fixture {
      let redirect = ReplayRoute(
        "redirect",
        response: .respond(ComposedResponse(status: 302, headers: ["Location: \(location)"])))
      return Fixture(
        name: "redirect", listeners: listeners, routes: routes + [redirect], tls: tls)
    }
  }

  private static func page(_ listener: ReplayListener, _ status: Int, _ body: String = "log in")
    -> ReplayRoute
  {
    ReplayRoute(
      "page", when: RouteCondition(listener: listener, host: "portal.example"),
      response: .respond(ComposedResponse(status: status, body: Array(body.utf8))))
  }

  private static let encrypted = "https://portal.example/login"
  private static let plain = "http://portal.example/login"

  static let targets = [
    Target(
      testDescription: "a page", location: plain, routes: [page(.http, 200)],
      chromium: .captivePortal, connman: .captivePortal),
    Target(
      testDescription: "a page over HTTPS", location: encrypted, routes: [page(.https, 200)],
      chromium: .captivePortal, connman: .captivePortal),
    Target(
      testDescription: "a closed port", location: encrypted, listeners: [.https: .refused],
      chromium: .offline, connman: .offline),
    Target(
      testDescription: "a port that resets", location: encrypted, listeners: [.https: .rst],
      chromium: .offline, connman: .offline),
    Target(
      testDescription: "a certificate that nobody trusts", location: encrypted, routes: [page(.https, 200)],
      tls: HostRules([(host: "*", value: .selfSigned)]),
      chromium: .offline, connman: .captivePortal, isOpenedByConnMan: false),
    Target(
      testDescription: "the same redirect again", location: plain,
      chromium: .offline, connman: .inconclusive),
    Target(
      testDescription: "a page that does not exist", location: plain, routes: [page(.http, 404)],
      chromium: .offline, connman: .offline),
    Target(
      testDescription: "a redirect without a target", location: plain, routes: [page(.http, 302)],
      chromium: .captivePortal, connman: .captivePortal, isOpenedByConnMan: false),
    Target(
      testDescription: "status 511", location: plain, routes: [page(.http, 511)],
      chromium: .captivePortal, connman: .inconclusive),
  ]

  private static func result(of profile: EngineProfile, at target: Target) async throws -> RunResult {
    let network = try ReplayedNetwork(target.fixture, with: .bundled)
    return await network.run(try profile.patientPlan)
  }

  @Test(arguments: targets) func enginesThatFollowRedirectsJudgeThePageBehind(_ target: Target) async throws {
    for (name, verdict) in [("chromium", target.chromium), ("connman", target.connman)] {
      let profile = try #require(EngineProfile.named(name))
      let result = try await Self.result(of: profile, at: target)
      #expect(result.verdict == verdict, "\(name): \(result.evidence.map(\.summary))")
      guard verdict == .captivePortal else { continue }
      let isOwn = name == "connman" && !target.isOpenedByConnMan
      let own = try #require(EngineProfile.urls(of: name).first)
      #expect(result.portal?.loginURL.string == (isOwn ? own : target.location), "\(name)")
    }
  }

  /// To all other engines that probe over HTTP, the redirect itself is the portal.
  @Test(arguments: targets) func enginesThatFollowNoRedirectsFindEveryPortal(_ target: Target) async throws {
    let others = EngineProfile.all.filter {
      !["default", "chromium", "connman", "connectivity"].contains($0.name)
    }
    #expect(others.count == EngineProfile.all.count - 4)
    for profile in others {
      let result = try await Self.result(of: profile, at: target)
      #expect(result.verdict == .captivePortal, "\(profile.name)")
    }
  }
}
