import FixtureReplay
import TestClients
import TestSupport
import Testing

/// The entries of the journal, and a test's expectations of it.
@Suite struct JournalTests {
  private static var world: [Fixture] {
    [
      Fixture(
        name: "shop", initialState: "open",
        routes: [
          ReplayRoute(
            "buy",
            when: RouteCondition(
              state: "open", listener: .https, method: "POST", host: "shop.example", port: "443",
              path: "/buy?*",
              headers: [.init(name: "Accept", value: "*json*")]), response: Page.response, goto: "closed"),
          ReplayRoute("look", when: RouteCondition(path: "/look"), response: Page.response),
          ReplayRoute(
            "cut", when: RouteCondition(path: "/cut"), response: Page.response, fault: ReplayFault(.rstEarly)),
        ])
    ]
  }

  private static func ask(_ server: ReplayServer, _ lines: [String]) throws {
    for line in lines {
      let client = try server.client()
      try client.send("\(line)\r\n\r\n")
      client.shutdownWrite()
      _ = client.receive()
    }
  }

  private static let requests = [
    "GET /look HTTP/1.1\r\nHost: Shop.example:8080", "GET /cut HTTP/1.1\r\nHost: [2001:db8::1]",
    "GET /buy HTTP/1.1\r\nHost: shop.example\r\nAccept: text/html", "GET /\u{1B}[31m HTTP/1.1",
    "DELETE / HTTP/1.0",
  ]

  @Test func everyRequestIsALine() async throws {
    let lines = try await serving(Self.world) { server in
      try Self.ask(server, Self.requests)
      return server.journal.entries.map(\.line)
    }
    #expect(
      lines == [
        "1 http GET Shop.example:8080 /look → shop/look",
        "2 http GET [2001:db8::1]:80 /cut → shop/cut, fault rst-early",
        #"3 http GET shop.example:80 /buy → no route matches; nearest: shop/look: expected path "/look", found "/buy""#,
        "4 http - → 400: the control byte 27 in the head",
        #"5 http DELETE -:80 / → no route matches; nearest: shop/look: expected path "/look", found "/""#,
      ])
  }

  @Test func aNearMissReportsAllDifferences() async throws {
    let misses = try await serving(Self.world) { server in
      try Self.ask(server, [Self.requests[2]])
      return server.journal.unmatched.flatMap(\.nearMisses).map(\.description)
    }
    #expect(
      misses == [
        #"shop/look: expected path "/look", found "/buy""#, #"shop/cut: expected path "/cut", found "/buy""#,
        #"shop/buy: expected listener "https", found "http"; expected method "POST", found "GET"; "#
          + #"expected port "443", found "80"; expected path "/buy?*", found "/buy"; "#
          + #"expected header Accept "*json*", found "text/html""#,
      ])
  }

  @Test func anExpectationThatIsMetGivesItsEntries() async throws {
    let counts = try await serving(Self.world) { server in
      try Self.ask(server, Self.requests)
      return try [
        server.journal.expect(.once, route: "look").count, server.journal.expect(.none, route: "buy").count,
        server.journal.expect(.atLeast(2), where: RouteCondition(host: "SHOP.example")).count,
        server.journal.expect(.atMost(2), where: RouteCondition(method: "GET", path: "/c*")).count,
      ]
    }
    #expect(counts == [1, 0, 3, 1])
  }

  @Test func anUnmetExpectationReportsTheReceivedRequests() async throws {
    let texts = try await serving(Self.world) { server in
      var texts: [String] = []
      func note(_ body: () throws(JournalMismatch) -> Void) {
        do throws(JournalMismatch) { try body() } catch { texts.append(error.description) }
      }
      note { () throws(JournalMismatch) in try server.journal.expect(.atLeast(1), route: "buy") }
      try Self.ask(server, Array(Self.requests.prefix(2)))
      note { () throws(JournalMismatch) in
        try server.journal.expect(.exactly(2), route: "look", where: RouteCondition(method: "POST"))
      }
      return texts
    }
    #expect(
      texts.first
        == "0 matching requests, expected: at least 1, answered by route buy\n  no request was received")
    #expect(
      texts.last == """
        0 matching requests, expected: 2, answered by route look
          1 http GET Shop.example:8080 /look → shop/look: expected method "POST", found "GET"
          2 http GET [2001:db8::1]:80 /cut → shop/cut, fault rst-early: answered by cut; expected method "POST", found "GET"
        """)
  }

  @Test func waitingEndsWithTheRequestOrTheTimeout() async throws {
    let server = try ReplayServer(Self.world)
    defer { server.stop() }
    async let entries = server.journal.wait(for: 2, route: "look")
    let requests = Array(repeating: Self.requests[0], count: 2)
    try await onAThread { try Self.ask(server, requests) }
    #expect(try await entries.count == 2)
    await #expect(throws: JournalMismatch.self) {
      try await server.journal.wait(for: 3, route: "look", patience: .milliseconds(20))
    }
  }

  @Test func onlyTheLastEntriesAreKept() async throws {
    var options = ReplayOptions()
    options.journalCapacity = 3
    let (numbers, count, left) = try await serving(Self.world, options: options) { server in
      try Self.ask(server, Array(repeating: Self.requests[0], count: 5))
      let numbers = server.journal.entries.map(\.number)
      server.journal.clear()
      return (numbers, server.journal.count, server.journal.entries.count)
    }
    #expect(numbers == [3, 4, 5])
    #expect(count == 5)
    #expect(left == 0)
  }
}
