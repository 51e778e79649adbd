import BundledPlugins
import Dispatch
import FixtureReplay
import ProbeCore
import TestClients
import TestSupport
import Testing

@Suite struct ReplayServerTests {
  private static func ask(_ url: String, at server: ReplayServer) async throws -> ProbeResponse {
    var request = ProbeRequest(try ProbeURL(url))
    request.timeout = .seconds(600)
    request.connectTo = [
      ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: server.port(of: .http))
    ]
    return try await Prober(try PluginRegistry.bundled.transports, policy: .plaintextAllowed).probe(request)
  }

  @Test func aRouteRespondsForEveryHost() async throws {
    let page = ComposedResponse(
      status: 302, reason: "Hotspot login required", headers: ["Location: http://login.example/"])
    let server = try ReplayServer([
      Fixture(name: "portal", routes: [ReplayRoute("all", response: .respond(page))])
    ])
    defer { server.stop() }
    let response = try await Self.ask("http://anything.example:8080/x", at: server)
    #expect(response.status == 302)
    #expect(response.head?.reasonPhrase == "Hotspot login required")
    let entry = try #require(try server.journal.expect(.once, route: "all").first)
    #expect(entry.host == "anything.example")
    #expect(entry.port == 8080)
  }

  @Test func unmatchedRequestsGet404WithTheNearestRoutes() async throws {
    let server = try ReplayServer([
      Fixture(
        name: "narrow",
        routes: [
          ReplayRoute(
            "login", when: RouteCondition(method: "POST", host: "*.example", path: "/login"),
            response: .respond(ComposedResponse()))
        ])
    ])
    defer { server.stop() }
    let response = try await Self.ask("http://www.example/Login", at: server)
    #expect(response.status == 404)
    let miss = try #require(server.journal.unmatched.first?.nearMisses.first)
    #expect(
      miss.description
        == #"narrow/login: expected method "POST", found "GET"; expected path "/login", found "/Login""#)
  }

  /// A fixture whose response and whose address for every name are this number.
  private static func numbered(_ number: UInt8) -> Fixture {
    let response = ComposedResponse(body: Array("\(number)".utf8))
    return Fixture(
      name: "fixture-\(number)", routes: [ReplayRoute("all", response: .respond(response))],
      dns: ["*": address(of: number)])
  }

  private static func address(of number: UInt8) -> DNSAnswer {
    .address(IPAddress(v4: 0x0A00_0000 | UInt32(number)))
  }

  @Test func namesAndResponsesComeFromTheSameReplacement() async throws {
    let server = try ReplayServer([Self.numbered(0)])
    defer { server.stop() }
    let fixtures = (1...4).map { Self.numbered($0) }
    let differing = try await onAThread {
      let client = try RawClient(port: server.port(of: .http))
      return try (0..<2000).count { _ in
        DispatchQueue.concurrentPerform(iterations: fixtures.count) {
          try? server.replace(with: [fixtures[$0]])
        }
        try client.send(Array("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".utf8))
        let number = client.receivePart().bytes.last.map { $0 - UInt8(ascii: "0") } ?? 0
        return server.dnsAnswer(for: "a.example") != Self.address(of: number)
      }
    }
    #expect(differing == 0)
  }
}
