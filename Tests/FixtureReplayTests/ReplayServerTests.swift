import BundledPlugins
import FixtureReplay
import ProbeCore
import Testing

@Suite struct ReplayServerTests {
  private static func ask(_ url: String, at server: ReplayServer) async throws -> ProbeResponse {
    var request = ProbeRequest(try ProbeURL(url))
    request.connectTo = [
      ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: server.port(of: .http))
    ]
    return try await Prober(try PluginRegistry.bundled.transports, policy: .plaintextAllowed).probe(request)
  }

  @Test func aRouteAnswersForEveryHost() async throws {
    let page = ComposedResponse(
      status: 302, reason: "Hotspot login required", headers: ["Location: http://login.example/"])
    let server = try ReplayServer([
      Fixture(name: "portal", routes: [ReplayRoute("all", answer: .respond(page))])
    ])
    defer { server.stop() }
    let response = try await Self.ask("http://anything.example:8080/x", at: server)
    #expect(response.status == 302)
    #expect(response.head?.reasonPhrase == "Hotspot login required")
    let entry = try #require(try server.journal.expect(.once, route: "all").first)
    #expect(entry.host == "anything.example")
    #expect(entry.port == 8080)
  }

  @Test func whatNoRouteIsForIsNotFoundAndTheNearestAreTold() async throws {
    let server = try ReplayServer([
      Fixture(
        name: "narrow",
        routes: [
          ReplayRoute(
            "login", when: RouteCondition(method: "POST", host: "*.example", path: "/login"),
            answer: .respond(ComposedResponse()))
        ])
    ])
    defer { server.stop() }
    let response = try await Self.ask("http://www.example/Login", at: server)
    #expect(response.status == 404)
    let miss = try #require(server.journal.unmatched.first?.nearMisses.first)
    #expect(
      miss.description
        == #"narrow/login: method "POST" wanted, "GET" found; path "/login" wanted, "/Login" found"#)
  }
}
