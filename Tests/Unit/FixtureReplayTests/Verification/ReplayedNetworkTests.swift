import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import Testing
import TestSupport

/// Networks that are probed as in users' tests, a line each.
@Suite struct ReplayedNetworkTests {
  private static let url = "http://check.example/"
  private static let pipeline = Pipeline("shop") { ProbeSet("shop", url) }
    .policy(.plaintextAllowed).request { $0.timeout = .seconds(600) }

  /// A portal that opens after a login.
  private static func portal(expects expectation: FixtureExpectation?) -> Fixture {
    Fixture(
      name: "portal", expectation: expectation, initialState: "captive",
      routes: [
        ReplayRoute(
          "login", when: RouteCondition(method: "POST", host: "login.example"),
          response: .respond(ComposedResponse(status: 303, headers: ["Location: http://login.example/done"])),
          goto: "open"),
        ReplayRoute(
          "redirect", when: RouteCondition(state: "captive"),
          response: .respond(
            ComposedResponse(status: 302, headers: ["Location: http://login.example/welcome?room=none"]))),
        ReplayRoute("anything", response: .respond(ComposedResponse(status: 200))),
      ])
  }

  private static let expectation = FixtureExpectation(
    [.captivePortal], loginURL: "http://login.example/welcome")

  @Test func aNetworkIsLoadedFromAPath() async throws {
    let root = projectFile("fixtures/").path
    #expect(
      try await ReplayedNetwork("\(root)/worlds/captive", with: .bundled).run(Self.pipeline).verdict
        == .captivePortal)
    #expect(
      try await ReplayedNetwork("\(root)/endpoints/apple/fixture.yaml", with: .bundled)
        .open("http://captive.apple.com/hotspot-detect.html").status == 200)
  }

  @Test func anAnnouncedAPIIsQueried() async throws {
    var fixture = Self.portal(expects: nil)
    let body = Array(#"{"captive": true, "user-portal-url": "https://login.example/welcome"}"#.utf8)
    let response = ComposedResponse(headers: ["Content-Type: application/captive+json"], body: body)
    fixture.routes.insert(
      ReplayRoute("api", when: RouteCondition(host: "api.example"), response: .respond(response)), at: 0)
    let pipeline = Self.pipeline.announcedCapport()
    #expect(try await ReplayedNetwork(fixture, with: .bundled).run(pipeline).capport == nil)

    fixture.capport = "https://api.example/capport"
    let network = try ReplayedNetwork(fixture, with: .bundled)
    #expect(try await network.run(pipeline).capport?.state == .captive)
    try network.journal.expect(.once, where: RouteCondition(host: "api.example", path: "/capport"))
    // A pipeline that does not use announcements, and a plan that has one, are as they were.
    #expect(try await network.run(Self.pipeline).capport == nil)
    var plan = try pipeline.plan(over: network.plugins.transports)
    plan.announcedCapport = "urn:ietf:params:capport:unrestricted"
    #expect(await network.run(plan).capport == nil)
    try network.journal.expect(.once, where: RouteCondition(host: "api.example"))
  }

  @Test func aLoginOpensTheNetworkForTheNextRun() async throws {
    let network = try ReplayedNetwork(Self.portal(expects: nil), with: .bundled)
    #expect(try await network.run(Self.pipeline).verdict == .captivePortal)
    let response = try await network.open("http://login.example/welcome") { $0.http.method = "POST" }
    #expect(response.status == 303)
    #expect(response.redirects.first?.target?.string == "http://login.example/done")
    #expect(try await network.run(Self.pipeline).verdict == .online)
    try network.journal.expect(.once, route: "login")
    #expect("\(network)" == "portal")
  }

  @Test func expectedResultsPass() async throws {
    let network = try ReplayedNetwork(Self.portal(expects: Self.expectation), with: .bundled)
    let result = try await network.verify(Self.pipeline)
    #expect(result.verdict == .captivePortal && result.portal != nil)
    try await ReplayedNetwork(Self.portal(expects: nil), with: .bundled).verify(Self.pipeline)
  }

  @Test func unexpectedResultsAreReportedWithEvidence() async throws {
    var expectation = Self.expectation
    expectation.verdicts = [.online, .partial]
    let network = try ReplayedNetwork(Self.portal(expects: expectation), with: .bundled)
    let error = await #expect(throws: UnexpectedFindings.self) {
      try await network.verify(Self.pipeline, comparesQueries: true)
    }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(
      lines.prefix(3) == [
        "portal, probed by shop: expected online or partial, found captivePortal",
        "portal, probed by shop: expected the login URL http://login.example/welcome, "
          + "found http://login.example/welcome?room=none",
        "  0 of 1 probe in the set \"shop\" received the expected response: too few for its threshold of 100 %",
      ])
    #expect(error?.verification.expectation == expectation)
  }

  @Test func missingResourcesOfTheMachineAreNotAVerdict() async throws {
    struct Short: ProbeTransport {
      var schemes: [URLScheme: Encryption] { [.http: .plaintext] }
      func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
        throw ProbeFailure(.noDescriptors, "no descriptor is left")
      }
    }
    var plugins = PluginRegistry()
    try plugins.register(Short())
    let network = try ReplayedNetwork(Self.portal(expects: nil), with: plugins)
    let error = await #expect(throws: UnexpectedFindings.self) { try await network.verify(Self.pipeline) }
    #expect(error?.description == "portal could not be replayed: no descriptor is left")
  }

  @Test func anInvalidFixtureIsNotANetwork() throws {
    let files = MemoryFiles(["lobby/fixture.yaml": Array("version: 2\nname: lobby\n".utf8)])
    let loaded = try #require(FixtureLoader(files: files).load(["lobby"]).first)
    #expect("\(loaded)" == "lobby")
    let error = #expect(throws: InvalidFixture.self) { try ReplayedNetwork(loaded, with: .bundled) }
    #expect(error?.findings == loaded.findings)
    #expect(error?.description.hasPrefix("lobby/fixture.yaml:1:1: ") == true, "\(error?.description ?? "")")
    #expect(throws: InvalidFixture.self) { try ReplayedNetwork("/nonexistent/lobby", with: .bundled) }
  }

  @Test func theServerStopsWithItsLastHolder() throws {
    var network: ReplayedNetwork? = try ReplayedNetwork(Self.portal(expects: nil), with: .bundled)
    var copy = network
    weak let server = network?.server
    network = nil
    withExtendedLifetime(copy) { #expect(server != nil) }
    copy = nil
    #expect(server == nil)
  }

  @Test func anInvalidURLIsRefused() async throws {
    let network = try ReplayedNetwork(Self.portal(expects: nil), with: .bundled)
    await #expect(throws: InvalidInput.self) { try await network.open("check.example") }
  }
}
