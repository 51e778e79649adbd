import FixtureReplay
import TestClients
import Testing

/// The routes that requests on the wire match.
@Suite struct RouteMatchingTests {
  private static func route(_ status: Int, _ condition: RouteCondition) -> ReplayRoute {
    ReplayRoute("\(status)", when: condition, response: .respond(ComposedResponse(status: status)))
  }

  /// The statuses of the responses to requests for these targets, in order.
  private static func statuses(_ routes: [ReplayRoute], _ targets: [String]) async throws -> [String] {
    try await serving([Fixture(name: "routes", routes: routes)]) { server in
      let client = try server.client()
      try client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: a.example\r\n\r\n" }.joined())
      client.shutdownWrite()
      return client.receive().text.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
    }
  }

  @Test func aPatternWithAQuestionMarkMatchesTheQueryToo() async throws {
    let routes = [
      Self.route(201, RouteCondition(path: "/a?x=1")), Self.route(202, RouteCondition(path: "/b?*")),
      Self.route(203, RouteCondition(path: "*?token=*")), Self.route(206, RouteCondition(path: "/a")),
      Self.route(207, RouteCondition(path: "/b")),
    ]
    let targets = ["/a?x=1", "/a?x=12", "/a", "/a?", "/b?", "/b?y", "/b", "/c?token=1", "/c?x", "/c"]
    let expected = ["201", "206", "206", "206", "202", "202", "207", "203", "404", "404"]
    #expect(try await Self.statuses(routes, targets) == expected)
  }
}
