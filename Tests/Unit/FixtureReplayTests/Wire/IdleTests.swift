import TestClients
import TestSupport
import Testing

@testable import FixtureReplay

/// Connections that are idle for too long.
@Suite struct IdleTests {
  private static func world(delay: Duration = .milliseconds(150)) -> [Fixture] {
    [
      Fixture(
        name: "wire",
        routes: [
          ReplayRoute(
            "slow", when: RouteCondition(path: "/slow"), response: Page.response,
            fault: ReplayFault(.delay, for: delay)),
          ReplayRoute("held", when: RouteCondition(path: "/held"), end: .hold),
          ReplayRoute("cut", when: RouteCondition(path: "/cut"), response: Page.response, end: .fin),
          ReplayRoute("page", response: Page.response),
        ])
    ]
  }

  @Test func aConnectionWithoutARequestIsEnded() async throws {
    var options = ReplayOptions.patient
    options.idleTimeout = .milliseconds(150)
    let starts: [(ReplayListener, String)] = [
      (.http, ""), (.http, "GET / HTT"),
      (.http, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"),
      (.https, ""),
      (.https, "\u{16}\u{3}\u{1}\u{1}"), (.tcp, ""), (.tcp, "no end of a line"),
    ]
    let receptions = try await serving(Self.world(), options: options) { server in
      let clients = try starts.map { listener, text in
        let client = try server.client(listener)
        try client.send(text)
        return client
      }
      return clients.map { $0.receive() }
    }
    #expect(receptions == Array(repeating: .init([], .fin), count: starts.count))
  }

  @Test func aConnectionAwaitingItsResponseIsKept() async throws {
    // A client that needs longer for its request is rightly refused.
    let seen = try await withGrowingLimit(
      from: .milliseconds(30),
      while: { (seen: [RawClient.Reception]) in seen[0].text != Page.text || seen[1].ending != .silence }
    ) { limit in
      var options = ReplayOptions()
      options.idleTimeout = limit
      return try await serving(Self.world(delay: limit * 5), options: options) { server in
        let slow = try server.client()
        try slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        let held = try server.client()
        try held.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        return [
          slow.receive(upTo: Page.count, within: limit * 5 + RawClient.patience),
          held.receive(within: limit * 2),
        ]
      }
    }
    #expect(seen[0].text == Page.text)
    #expect(seen[1] == .init([], .silence))
  }

  @Test func endlessSendersAreNotReadForever() async throws {
    var options = ReplayOptions()
    options.maximumDrainTime = .milliseconds(50)
    let (reception, sent, isEnded) = try await serving(Self.world(), options: options) { server in
      let client = try server.client()
      // The server begins to drain the connection later.
      let start = ContinuousClock.now
      try client.send("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n")
      let reception = client.receive()
      do {
        while start.duration(to: .now) < RawClient.patience { try client.send([0x78]) }
        return (reception, start.duration(to: .now), false)
      } catch {
        return (reception, start.duration(to: .now), true)
      }
    }
    #expect(reception == .init(Array(Page.text.utf8), .fin))
    #expect(isEnded)
    #expect(sent > .milliseconds(50))
  }
}
