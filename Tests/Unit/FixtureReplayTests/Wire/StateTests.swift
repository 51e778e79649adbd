import FixtureReplay
import TestClients
import TestSupport
import Testing

/// The state of a server: states of fixtures and hits of routes, independent of other servers.
@Suite struct StateTests {
  private static var portal: Fixture {
    Fixture(
      name: "portal", initialState: "captive",
      routes: [
        ReplayRoute(
          "login", when: RouteCondition(state: "captive", method: "POST", path: "/login"),
          response: .respond(ComposedResponse(status: 303, headers: ["Location: /"])), goto: "open"),
        ReplayRoute("redirect", when: RouteCondition(state: "captive"), response: Page.response),
        ReplayRoute(
          "logout", when: RouteCondition(state: "open", path: "/logout"),
          response: .respond(ComposedResponse(status: 200)), goto: "captive"),
        ReplayRoute(
          "online", when: RouteCondition(state: "open"), response: .respond(ComposedResponse(status: 204))),
      ])
  }

  private static let login = "POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
  private static let logout = "GET /logout HTTP/1.1\r\nHost: a\r\n\r\n"

  /// The statuses of the responses to requests sent at once.
  private static func statuses(_ server: ReplayServer, _ requests: [String]) throws -> [String] {
    let client = try server.client()
    try client.send(requests.joined())
    client.shutdownWrite()
    return client.receive().text.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
  }

  @Test func loggingInOpensThePortal() async throws {
    let (statuses, entries) = try await serving([Self.portal]) { server in
      let statuses = try Self.statuses(
        server, [plainRequest, Self.logout, Self.login, plainRequest, Self.logout, plainRequest])
      return (statuses, server.journal.entries)
    }
    #expect(statuses == ["302", "302", "303", "204", "200", "302"])
    #expect(
      entries.compactMap(\.hit).map { "\($0.route) \($0.stateBefore ?? "") \($0.stateAfter ?? "")" } == [
        "redirect captive captive", "redirect captive captive", "login captive open", "online open open",
        "logout open captive", "redirect captive captive",
      ])
  }

  @Test func serversShareNothing() async throws {
    let first = try ReplayServer([Self.portal])
    defer { first.stop() }
    let statuses = try await serving([Self.portal]) { second in
      try [
        Self.statuses(first, [Self.login, plainRequest]), Self.statuses(second, [plainRequest]),
        Self.statuses(first, [plainRequest]),
      ]
    }
    #expect(statuses == [["303", "204"], ["302"], ["204"]])
  }

  @Test func fixturesOfOneServerKeepSeparateStates() async throws {
    func fixture(_ host: String) -> Fixture {
      Fixture(
        name: host, initialState: "captive",
        routes: [
          ReplayRoute(
            "first", when: RouteCondition(state: "captive", host: host),
            response: .respond(ComposedResponse(status: 302)), goto: "open"),
          ReplayRoute(
            "later", when: RouteCondition(state: "open", host: host),
            response: .respond(ComposedResponse(status: 204))),
        ])
    }
    let requests = ["a", "b", "b", "a"].map { "GET / HTTP/1.1\r\nHost: \($0)\r\n\r\n" }
    let statuses = try await serving([fixture("a"), fixture("b")]) { try Self.statuses($0, requests) }
    #expect(statuses == ["302", "302", "204", "204"])
  }

  @Test func aRouteFailsTwiceAndThenSucceeds() async throws {
    let fault = ReplayFault(.rstEarly, requests: [1, 2])
    let (seen, hits) = try await serving(ReplayRoute("flaky", response: Page.response, fault: fault)) {
      server in
      let seen = try (0..<4).map { _ in
        let client = try server.client()
        try client.send(plainRequest)
        return client.receive(upTo: Page.count).ending
      }
      return (seen, server.journal.entries.compactMap(\.hit))
    }
    #expect(seen == [.reset, .reset, .enough, .enough])
    #expect(hits.map(\.number) == [1, 2, 3, 4])
    #expect(hits.map(\.fault) == [.rstEarly, .rstEarly, nil, nil])
  }

  @Test func replacementsApplyToOpenConnections() async throws {
    let statusLines = try await serving([Self.portal]) { server in
      let client = try server.client()
      try client.send(Self.login)
      let first = client.receivePart().text
      try server.replace(with: [Self.portal])
      try client.send(plainRequest)
      let second = client.receive(upTo: Page.count).text
      try server.replace(with: [
        Fixture(name: "new", routes: [ReplayRoute("gone", response: .respond(ComposedResponse(status: 410)))])
      ])
      try client.send(plainRequest)
      return [first, second, client.receivePart().text].map { String($0.prefix(12)) }
    }
    // The portal starts again, with a captive client.
    #expect(statusLines == ["HTTP/1.1 303", "HTTP/1.1 302", "HTTP/1.1 410"])
  }

  @Test func aFailedReplacementChangesNothing() async throws {
    let blocked = Fixture(name: "blocked", listeners: [.https: .refused], routes: [])
    let held = Fixture(name: "held", listeners: [.https: .hold], routes: [])
    let seen = try await serving([Self.portal]) { server in
      var found: ReplayError?
      do throws(ReplayError) { try server.replace(with: [blocked, held]) } catch { found = error }
      return try (found, Self.statuses(server, [plainRequest]), server.mode(of: .https))
    }
    #expect(seen.0?.code == .conflict)
    #expect(
      seen.0?.message
        == "the listener https is refused in the fixture blocked and hold in held: replay them separately")
    #expect(seen.1 == ["302"])
    #expect(seen.2 == .open)
  }

  @Test func aReplacementChangesListenersToo() async throws {
    let blocked = Fixture(name: "blocked", listeners: [.http: .refused], routes: [])
    let seen = try await serving([Self.portal]) { server in
      try server.replace(with: [blocked])
      let isRefused = RawClient.refuses(port: server.port(of: .http))
      try server.replace(with: [Self.portal])
      return (isRefused, try Self.statuses(server, [plainRequest]))
    }
    #expect(seen.0)
    #expect(seen.1 == ["302"])
  }

  @Test func theSameRequestsReceiveTheSameResponses() async throws {
    let fixtures = [
      Self.portal,
      Fixture(
        name: "odd",
        routes: [
          ReplayRoute(
            "odd", when: RouteCondition(host: "odd"), response: Page.response,
            fault: ReplayFault(.badGzip, requests: [2, 3, 5]))
        ]),
    ]
    var numbers = SeededNumbers(seed: 4)
    let requests = (0..<60).map { _ in
      [
        plainRequest, Self.login, Self.logout, "GET /x HTTP/1.1\r\nHost: odd\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: nobody\r\n\r\n",
      ].randomElement(using: &numbers) ?? plainRequest
    }
    @Sendable func run(_ server: ReplayServer) throws -> [String] {
      let client = try server.client()
      try client.send(requests.joined())
      client.shutdownWrite()
      return [client.receive().text] + server.journal.entries.map(\.line)
    }
    let first = try await serving(fixtures, run)
    let second = try await serving(fixtures, run)
    #expect(first == second)
    #expect(first.count == 61)
  }
}
