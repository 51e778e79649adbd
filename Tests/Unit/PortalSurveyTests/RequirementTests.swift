import FixtureReplay
import PortalSurvey
import ProbeCore
import ProbePipeline
import Testing

/// The requirements of RFC 8908 and RFC 8910, each with a server that violates it.
struct RequirementTests {
  typealias Wrong = BrokenPortalTests.Fault

  static let captive = #""captive": true, "user-portal-url": "https://portal.example/login""#

  static let wrong = [
    Wrong("announce.https") { $0.announced = "portal.example/api" },
    Wrong("announce.name") {
      $0.announced = "https://192.0.2.1/api"
      $0.tls = "192.0.2.1: valid, portal.example: valid"
    },
    Wrong("announce.length") {
      $0.announced = "https://portal.example/api?" + String(repeating: "x", count: 250)
    },
    Wrong("announce.present") { $0.announced = "" },
    Wrong("api.reachable") { $0.announced = "https://api.example/api" },
    Wrong("api.encrypted") {
      $0.routes =
        "  - when: { listener: https, path: /api }\n    respond: { status: 302, headers: ['Location: http://portal.example/plain'] }"
    },
    Wrong("api.status") {
      $0.routes =
        "  - when: { listener: https, path: /api }\n    respond: { status: 500, headers: ['Content-Type: application/captive+json'], body: api.json }"
    },
    Wrong("api.mediaType") { $0.apiHeaders[0] = "Content-Type: text/html" },
    Wrong("api.json") { $0.api = #"{ "captive": true, "captive": false }"# },
    Wrong("api.json") { $0.api = #"[ true ]"# },
    Wrong("api.captive") { $0.api = #"{ "captive": "yes" }"# },
    Wrong("api.captive") { $0.api = #"{ "user-portal-url": "https://portal.example/login" }"# },
    Wrong("api.truthful") { $0.api = #"{ "captive": false }"# },
    Wrong("api.loginURL") { $0.api = #"{ "captive": true }"# },
    Wrong("api.loginURL") { $0.api = #"{ "captive": true, "user-portal-url": 7 }"# },
    Wrong("api.loginURLEncrypted") {
      $0.api = #"{ "captive": true, "user-portal-url": "http://portal.example/login" }"#
    },
    Wrong("api.remaining") { $0.api = "{ \(captive), \"bytes-remaining\": true }" },
    Wrong("api.remaining") { $0.api = "{ \(captive), \"seconds-remaining\": \"soon\" }" },
    // Android reads the number in this text.
    Wrong("api.types") { $0.api = "{ \(captive), \"seconds-remaining\": \"60\" }" },
    Wrong("api.customTabs") { $0.api = "{ \(captive), \"x-android-use-custom-tabs\": true }" },
    Wrong("api.customTabs") { $0.api = "{ \(captive) }" },
    Wrong("api.types") { $0.api = "{ \(captive), \"can-extend-session\": \"no\" }" },
    Wrong("api.types") { $0.api = "{ \(captive), \"bytes-remaining\": -1 }" },
    Wrong("api.types") { $0.api = "{ \(captive), \"seconds-remaining\": 1.5 }" },
    Wrong("api.types") { $0.api = "{ \(captive), \"venue-info-url\": [] }" },
    Wrong("api.venueURL") { $0.api = "{ \(captive), \"venue-info-url\": \"http://venue.example/\" }" },
    Wrong("api.remainingWhileCaptive") { $0.api = "{ \(captive), \"seconds-remaining\": 60 }" },
    Wrong("api.private") { $0.apiHeaders.removeLast() },
    Wrong("api.perClient") { $0.apiHeaders[1] = "Cache-Control: public, max-age=60" },
    Wrong("api.perClient") { $0.apiHeaders.append("Age: 30") },
    Wrong("api.port") { $0.announced = "https://portal.example:8443/api" },
  ]

  @Test(arguments: wrong) func aViolatedRequirementIsReported(_ wrong: Wrong) async throws {
    let report = try await TestPortal(wrong.change).report()
    guard wrong.id != "announce.present" else {
      // A replay cannot show that a network announces nothing.
      guard case .unknown? = report.result(of: wrong.id) else {
        Issue.record("\(String(describing: report.result(of: wrong.id)))")
        return
      }
      return
    }
    guard case .unmet? = report.result(of: wrong.id) else {
      Issue.record("\(String(describing: report.result(of: wrong.id))) \(report.findings)")
      return
    }
  }

  @Test func aCorrectPortalMeetsEveryRequirement() async throws {
    let report = try await TestPortal().report()
    // Only an offer, which a portal need not make.
    for id in Set(Self.wrong.map(\.id)).subtracting(["api.customTabs"]) {
      let result = try #require(report.result(of: id))
      let isFine = result == .met || result == .notApplicable
      #expect(isFine, "\(id): \(result)")
    }
  }

  @Test func theRemainingSessionTimeMustCountDown() async throws {
    for (second, isRight) in [
      (#"{ "captive": false, "seconds-remaining": 50 }"#, true),
      (#"{ "captive": false, "seconds-remaining": 70 }"#, false),
    ] {
      let portal = TestPortal {
        $0.apiAfterLogin = #"{ "captive": false, "seconds-remaining": 60 }"#
        $0.body = second
        // The first request changes the state, which determines the second response.
        $0.routes = """
            - when: { state: open, listener: https, path: /api }
              respond: { status: 200, headers: ['Content-Type: application/captive+json'], body: open.json }
              goto: later
            - when: { state: later, listener: https, path: /api }
              respond: { status: 200, headers: ['Content-Type: application/captive+json'], body: redirect.html }
            - when: { state: later, path: /generate_204 }
              respond: { status: 204 }
            - when: { state: later, host: "*.apple.com" }
              respond: { status: 200, headers: ["Content-Type: text/html"], body: apple.html }
          """
        $0.tls =
          "\"*.example\": valid, \"*.google.com\": valid, \"*.gstatic.com\": valid, \"*.apple.com\": valid"
      }
      let network = try portal.network()
      try network.setState("open")
      let facts = try #require(await portal.survey(of: network).survey())
      let result = PortalReport(facts).result(of: "api.countsDown")
      if isRight {
        #expect(result == .met)
      } else {
        guard case .unmet? = result else {
          Issue.record("\(String(describing: result))")
          return
        }
      }
    }
  }

  /// Neither value may rise.
  ///
  /// Bytes need not fall without traffic, but seconds must fall once one has passed.
  @Test func onlySecondsMustFall() async throws {
    let network = try TestPortal {
      $0.apiAfterLogin = #"{ "captive": false, "seconds-remaining": 60, "bytes-remaining": 9 }"#
      $0.tls = "portal.example: valid"
    }.network()
    try network.setState("open")
    var facts = try #require(await TestPortal().survey(of: network).survey())
    #expect(facts.api?.later != nil)
    facts.api?.interval = .milliseconds(999)
    #expect(PortalReport(facts).result(of: "api.countsDown") == .met)
    facts.api?.interval = .seconds(1)
    #expect(
      PortalReport(facts).result(of: "api.countsDown")
        == .unmet("What remains of the session does not count down", ["seconds-remaining: 60, later 60"]))
    facts.api?.interval = .milliseconds(999)
    facts.api?.later?.body = Array(
      #"{ "captive": false, "seconds-remaining": 61, "bytes-remaining": 10 }"#.utf8)
    #expect(
      PortalReport(facts).result(of: "api.countsDown")
        == .unmet(
          "What remains of the session does not count down",
          ["seconds-remaining: 60, later 61", "bytes-remaining: 9, later 10"]))
    facts.api?.later = nil
    #expect(
      PortalReport(facts).result(of: "api.countsDown") == .unknown("the API did not respond a second time"))
  }

  @Test func differentAnnouncementsAreReported() async throws {
    let portal = TestPortal()
    var survey = try portal.survey(of: portal.network())
    survey.announcements = [
      Announcement(.dhcpv4, .announced("https://portal.example/api"), origin: "a"),
      Announcement(.dhcpv6, .announced("https://other.example/api"), origin: "b"),
      Announcement(.routerAdvertisement, .absent, origin: "c"),
    ]
    let report = PortalReport(try #require(await survey.survey()))
    guard case .unmet(_, let evidence, _)? = report.result(of: "announce.identical") else {
      Issue.record("\(report.findings)")
      return
    }
    #expect(evidence.count == 2)
  }

  @Test func aMissingAnnouncementIsReported() async throws {
    let portal = TestPortal { $0.announced = "" }
    var survey = try portal.survey(of: portal.network())
    survey.announcements = [Announcement(.dhcpv4, .absent, origin: "a lease")]
    let report = PortalReport(try #require(await survey.survey()))
    #expect(report.ids == ["announce.present"])
  }
}
