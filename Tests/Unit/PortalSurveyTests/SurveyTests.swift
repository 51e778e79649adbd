import BundledPlugins
import EngineProfiles
import FixtureReplay
import PortalSurvey
import ProbeCore
import ProbeBase
import ProbePipeline
import TestRequirements
import Testing

/// The survey's requests, and its findings beyond the checks of RFC 8908.
@Suite(.patience(minutes: 1)) struct SurveyTests {
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

  @Test func theEndOfEachProfileIsReported() async throws {
    let portal = TestPortal()
    var survey = try portal.survey(of: portal.network())
    let finished = Guarded(0)
    survey.profileFinished = { finished.withLock { $0 += 1 } }
    _ = try #require(await survey.survey())
    #expect(finished.withLock(\.self) == EngineProfile.all.count)
  }

  @Test func eachNameIsReportedAsPassingInterceptedOrBlocked() async throws {
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

  @Test func aWISPrMessageWithoutHTTPSIsReported() async throws {
    let report = try await TestPortal {
      $0.body =
        "<HTML><!--<WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode>"
        + "<LoginURL>http://portal.example/wispr</LoginURL></Redirect></WISPAccessGatewayParam>--></HTML>"
    }.report()
    #expect(report.ids == ["wispr.form"])
  }

  @Test func aCacheableResponseIsReported() async throws {
    let report = try await TestPortal { $0.headers[1] = "Cache-Control: max-age=3600" }.report()
    #expect(report.ids == ["http.cacheable"])
  }

  @Test func filesFromOtherHostsAreReported() async throws {
    let report = try await TestPortal { $0.page += "<img src=\"https://cdn.example/logo.png\">" }.report()
    #expect(report.ids == ["login.outside"])
    #expect(report.findings.first?.evidence == ["cdn.example: https://cdn.example/logo.png"])
  }

  @Test func aLargePageIsReported() async throws {
    let report = try await TestPortal {
      $0.page += "<!--" + String(repeating: "x", count: 140_000) + "-->"
    }.report()
    #expect(report.ids == ["login.size"])
  }

  @Test func aTunnelOnThisMachineIsReported() async throws {
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

  /// The survey of a network in which a closure responds to every request, and the recorded requests.
  private static func survey(
    _ respond: @escaping @Sendable (ProbeRequest) throws -> ProbeResponse
  ) throws -> (survey: NetworkSurvey, requests: Guarded<[ProbeRequest]>) {
    let requests = Guarded<[ProbeRequest]>([])
    let plugins = try PluginRegistry.bundled
    let transports = plugins.transports.wrapping { transport in
      RespondingTransport(transport: transport) { request in
        var kept = request
        // This property refers to the run, which refers to this closure.
        kept.furtherReading = nil
        requests.withLock { $0.append(kept) }
        return try respond(request)
      }
    }
    let engines = try EngineProfile.all.map { (profile: $0, plan: try $0.plan(with: plugins)) }
    return (NetworkSurvey(engines, over: transports), requests)
  }

  private static func portal(_ location: String) -> @Sendable (ProbeRequest) throws -> ProbeResponse {
    { request in
      guard request.url.scheme == .http else { throw ProbeFailure(.connectRefused, "refused") }
      var response = ProbeResponse(
        url: request.url,
        head: HTTPResponseHead(status: 302, fields: ["Location": location, "Set-Cookie": "a=b"]))
      response.remoteAddress = SocketAddress(IPAddress(v4: 0xC0A8_0101), port: 80)
      return response
    }
  }

  @Test func requestsStayOffThisMachineAndTheLoginPageIsFetchedSafely() async throws {
    let (survey, requests) = try Self.survey(Self.portal("http://login.example/hotel"))
    _ = try #require(await survey.survey())
    let seen = requests.withLock(\.self)
    #expect(seen.allSatisfy { $0.staysOffThisMachine || ![.http, .https].contains($0.url.scheme) })
    let pages = seen.filter { $0.url.string == "http://login.example/hotel" && !$0.addressRules.isEmpty }
    let page = try #require(pages.first)
    guard case .networkInUse(let peer)? = page.addressRules.first else {
      Issue.record("\(page.addressRules)")
      return
    }
    #expect(peer == IPAddress(v4: 0xC0A8_0101))
    #expect(page.http.method == "GET" && page.http.body == nil && page.http.credentials == nil)
    #expect(page.cookies == nil && page.http.headers["Cookie"] == nil)
    #expect(page.maxBody == 256 * 1024)
  }

  @Test func aLoginURLOnThisMachineIsRejected() async throws {
    let (survey, requests) = try Self.survey(Self.portal("http://127.0.0.1:18999/secret"))
    let facts = try #require(await survey.survey())
    #expect(facts.loginURL == nil)
    #expect(PortalReport(facts).ids.first == "http.redirectLocal")
    // Profiles that follow redirects pass the URL to the transport, which refuses it.
    for request in requests.withLock(\.self) where request.url.host == "127.0.0.1" {
      #expect(request.staysOffThisMachine)
    }
  }

  @Test func anOutageHasNoLogin() async throws {
    let (survey, _) = try Self.survey { _ in throw ProbeFailure(.connectTimeout, "no response") }
    let facts = try #require(await survey.survey())
    #expect(facts.loginURL == nil && facts.login == nil)
    #expect(PortalReport(facts).ids.first == "http.answered")
  }

  @Test(arguments: [true, false])
  func responsesForAnyAddressAreNotABypass(_ acceptsAll: Bool) async throws {
    var (survey, _) = try Self.survey { request in
      let isControl = request.url.host == "192.0.2.1"
      guard request.url.host == "198.51.100.9" || isControl && acceptsAll, request.url.explicitPort != 22
      else {
        return try Self.portal("http://login.example/hotel")(request)
      }
      return ProbeResponse(url: request.url)
    }
    survey.userServer = "198.51.100.9"
    let facts = try #require(await survey.survey())
    let passes = Dictionary(uniqueKeysWithValues: facts.bypassAttempts.map { ($0.url, $0.hasPassed) })
    // A DNS response without a TXT record is not the server's.
    #expect(passes["dns://198.51.100.9/probekit.test?type=TXT"] == .some(false))
    #expect(passes["tcp://198.51.100.9:22"] == .some(false))
    #expect(passes["tcp://198.51.100.9:443"] == .some(acceptsAll ? nil : true))
    #expect(PortalReport(facts).ids.contains("garden.leaks") == !acceptsAll)
  }
}

/// A transport with the settings of another one and the responses of a closure.
private struct RespondingTransport: ProbeTransport {
  let transport: any ProbeTransport
  let respond: @Sendable (ProbeRequest) throws -> ProbeResponse

  var schemes: [URLScheme: Encryption] { transport.schemes }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try respond(request) }
}
