import EngineProfiles
import FixtureReplay
import PortalReport
import ProbeCore
import ProbePipeline
import Testing

/// What the survey requests, and what it finds besides the checks of RFC 8908.
struct SurveyTests {
  @Test func eachDistinctRequestIsMadeOnce() async throws {
    let portal = TestPortal()
    let network = try portal.network()
    let survey = try portal.survey(of: network)
    _ = try #require(await survey.survey())
    let requests = network.journal.entries.compactMap { entry in
      entry.request.map { "\(entry.listener) \(entry.host ?? "") \($0)" }
    }
    #expect(!requests.isEmpty)
    #expect(Set(requests).count == requests.count, "\(requests.sorted())")
  }

  @Test func namesPassOrNot() async throws {
    let portal = TestPortal {
      $0.tls = "portal.example: valid, pass.example: valid, forged.example: self-signed"
      $0.routes =
        "  - when: { host: pass.example }\n    respond: { status: 200, headers: ['Content-Type: text/plain'], body: open.json }"
    }
    let network = try portal.network()
    var survey = try portal.survey(of: network)
    survey.names = ["pass.example", "forged.example", "blocked.example"]
    let facts = try #require(await survey.survey())
    #expect(facts.names.map(\.name) == survey.names)
    #expect(facts.names.map(\.http) == [.passes, .intercepted, .intercepted])
    #expect(facts.names.map(\.https) == [.passes, .intercepted, .blocked])
    #expect(facts.names.map(\.dns) == [.unknown, .unknown, .unknown])
  }

  @Test func aWISPrMessageWithoutHTTPSIsAWarning() async throws {
    let report = try await TestPortal {
      $0.body =
        "<HTML><!--<WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode>"
        + "<LoginURL>http://portal.example/wispr</LoginURL></Redirect></WISPAccessGatewayParam>--></HTML>"
    }.report()
    #expect(report.ids == ["wispr.form"])
  }

  @Test func aResponseThatCachesStoreIsAWarning() async throws {
    let report = try await TestPortal { $0.headers[1] = "Cache-Control: max-age=3600" }.report()
    #expect(report.ids == ["http.cacheable"])
  }

  @Test func filesOfOtherHostsAreAWarning() async throws {
    let report = try await TestPortal { $0.page += "<img src=\"https://cdn.example/logo.png\">" }.report()
    #expect(report.ids == ["login.outside"])
    #expect(report.findings.first?.evidence == ["cdn.example: https://cdn.example/logo.png"])
  }

  @Test func aLargePageIsAWarning() async throws {
    let report = try await TestPortal {
      $0.page += "<!--" + String(repeating: "x", count: 140_000) + "-->"
    }.report()
    #expect(report.ids == ["login.size"])
  }

  @Test func theStateOfThisMachineIsAWarning() async throws {
    let portal = TestPortal()
    var survey = try portal.survey(of: portal.network())
    survey.machine.tunnel = "wg0 (wireguard)"
    let report = PortalReport(try #require(await survey.survey()))
    #expect(report.ids == ["machine.tunnel"])
    #expect(report.findings.first?.evidence == ["wg0 (wireguard)"])
  }

  @Test func aCancelledSurveyHasNoFacts() async throws {
    let portal = TestPortal { $0.listeners = "{ http: hold }" }
    let survey = try portal.survey(of: portal.network())
    let task = Task { await survey.survey() }
    task.cancel()
    #expect(await task.value == nil)
  }
}
