import TestClients
import Testing

@testable import FixtureReplay

/// Connections that are idle for too long.
@Suite struct IdleTests {
  private static var world: [Fixture] {
    [
      Fixture(
        name: "wire",
        routes: [
          ReplayRoute(
            "slow", when: RouteCondition(path: "/slow"), answer: Page.answer,
            fault: ReplayFault(.delay, for: .milliseconds(150))),
          ReplayRoute("held", when: RouteCondition(path: "/held"), end: .hold),
          ReplayRoute("cut", when: RouteCondition(path: "/cut"), answer: Page.answer, end: .fin),
          ReplayRoute("page", answer: Page.answer),
        ])
    ]
  }

  @Test func aConnectionWithoutARequestIsEnded() async throws {
    var options = ReplayOptions()
    options.idleTimeout = .milliseconds(150)
    let starts: [(ReplayListener, String)] = [
      (.http, ""), (.http, "GET / HTT"),
      (.http, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"),
      (.https, ""),
      (.https, "\u{16}\u{3}\u{1}\u{1}"), (.tcp, ""), (.tcp, "no end of a line"),
    ]
    let receptions = try await serving(Self.world, options: options) { server in
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
    var options = ReplayOptions()
    options.idleTimeout = .milliseconds(30)
    let (page, held) = try await serving(Self.world, options: options) { server in
      let slow = try server.client()
      try slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      let held = try server.client()
      try held.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
      return (slow.receive(upTo: Page.count), held.receive(within: .milliseconds(50)))
    }
    #expect(page.text == Page.text)
    #expect(held == .init([], .silence))
  }

  @Test func endlessSendersAreNotReadForever() async throws {
    var options = ReplayOptions()
    options.longestDrain = .milliseconds(50)
    let (reception, sent, isEnded) = try await serving(Self.world, options: options) { server in
      let client = try server.client()
      try client.send("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n")
      let reception = client.receive()
      let start = ContinuousClock.now
      do {
        while start.duration(to: .now) < .seconds(10) { try client.send([0x78]) }
        return (reception, start.duration(to: .now), false)
      } catch {
        return (reception, start.duration(to: .now), true)
      }
    }
    #expect(reception == .init(Array(Page.text.utf8), .fin))
    #expect(isEnded)
    // Some of the time had passed before the client started to measure.
    #expect(sent > .milliseconds(10))
  }
}
