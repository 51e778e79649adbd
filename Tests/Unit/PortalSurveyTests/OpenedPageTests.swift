import FixtureReplay
import PortalSurvey
import ProbeCore
import ProbePipeline
import TestRequirements
import Testing

/// The URL that each system opens, and the page to which the portal's response leads.
@Suite(.patience(minutes: 1)) struct OpenedPageTests {
  private static let windows = "http://www.msftconnecttest.com/redirect"

  private static func reaction(
    _ profile: String, _ change: (inout TestPortal) -> Void = { _ in }
  ) async throws -> EngineReaction {
    let report = try await TestPortal(change).report()
    return try #require(report.stages.first?.engines.first { $0.profile == profile })
  }

  @Test(arguments: [
    ("windows", windows, "https://portal.example/login"),
    ("apple", "http://captive.apple.com/hotspot-detect.html", "https://portal.example/login"),
    ("networkmanager", "http://nmcheck.gnome.org/check_network_status.txt", "https://portal.example/login"),
    ("firefox", "http://firefox-portal-detection.com/generate_204", "https://portal.example/login"),
    ("firefox-esr", "http://detectportal.firefox.com/canonical.html", "https://portal.example/login"),
    ("networkmanager-kde", "http://networkcheck.kde.org", "https://portal.example/login"),
    // These open the target of the redirect.
    ("chromeos", "https://portal.example/login", nil), ("chromium", "https://portal.example/login", nil),
    ("connman", "https://portal.example/login", nil),
  ])
  func theOpenedURLLeadsToTheLoginPage(_ profile: String, _ opens: String, _ target: String?) async throws {
    let reaction = try await Self.reaction(profile)
    #expect(reaction.opens?.string == opens)
    #expect(reaction.target?.string == target)
    #expect(reaction.showsLogin)
  }

  /// A page instead of the response is the login page itself, whatever the target of its form.
  @Test func aSubstitutedPageIsTheLoginPage() async throws {
    let page = TestPortal().page
    for profile in ["windows", "apple"] {
      let reaction = try await Self.reaction(profile) {
        $0.status = 200
        $0.headers = ["Content-Type: text/html"]
        $0.body = page
      }
      #expect(reaction.opens != nil && reaction.target == nil && reaction.showsLogin, "\(profile)")
    }
  }

  /// A refresh in the page has the effect of a redirect.
  @Test func aRefreshLeadsToTheLoginPage() async throws {
    let reaction = try await Self.reaction("windows") {
      $0.status = 200
      $0.headers = ["Content-Type: text/html"]
      $0.body = "<meta http-equiv=\"refresh\" content=\"0;url=https://portal.example/login\">"
    }
    #expect(reaction.opens?.string == Self.windows)
    #expect(reaction.target?.string == "https://portal.example/login")
  }

  /// A portal that intercepts the probe alone shows Windows no login.
  @Test(arguments: [
    "respond: { status: 404, headers: ['Content-Type: text/plain'], body: open.json }", "end: rst",
  ])
  func aPortalThatInterceptsOnlyTheProbeShowsNoLogin(_ response: String) async throws {
    let route = "  - when: { host: www.msftconnecttest.com, path: /redirect }\n    \(response)"
    let report = try await TestPortal { $0.routes = route }.report()
    let reaction = try #require(report.stages.first?.engines.first { $0.profile == "windows" })
    #expect(reaction.verdict == .captivePortal)
    #expect(reaction.opens?.string == Self.windows)
    #expect(reaction.target == nil && !reaction.showsLogin)
    #expect(reaction.shows.hasPrefix("no login page, because \(Self.windows): "))
    #expect(report.ids == ["engine.silent"])
    #expect(report.findings.first?.evidence == ["Windows: \(reaction.shows)"])
  }

  /// The request is that of a browser, and is made only if Windows finds a portal.
  @Test(arguments: [true, false]) func thePageIsRequestedOnceBehindAPortal(_ isOpen: Bool) async throws {
    let portal = TestPortal {
      if isOpen {
        $0.routes =
          "  - when: { host: www.msftconnecttest.com, path: /connecttest.txt }\n"
          + "    respond: { status: 200, body: ncsi.txt }"
      }
    }
    let network = try portal.network()
    _ = try #require(await portal.survey(of: network).survey())
    let requests = network.journal.entries.filter {
      $0.host == "www.msftconnecttest.com" && $0.request?.head.requestTarget == "/redirect"
    }
    #expect(requests.count == (isOpen ? 0 : 1))
    #expect(
      requests.allSatisfy { $0.request?.head.values(of: "User-Agent").first?.hasPrefix("Mozilla/") == true })
  }
}
