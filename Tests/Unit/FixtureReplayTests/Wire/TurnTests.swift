import FixtureReplay
import TestClients
import Testing

/// Clients that send many requests at once: each has its turn.
@Suite struct TurnTests {
  private static let count = 1500

  /// The maximum number of consecutive responses on one connection while another one waits; nil if the other
  /// one was too late to wait.
  private static func maximumRun(_ entries: [JournalEntry]) -> Int? {
    let order = entries.map(\.connection)
    guard let one = order.first, let start = order.firstIndex(where: { $0 != one }) else { return nil }
    let end = min(order.lastIndex(of: one) ?? start, order.lastIndex { $0 != one } ?? start)
    guard end > start else { return nil }
    var (maximum, run) = (0, 0)
    for index in order.indices[start...end] {
      run = index > start && order[index] == order[index - 1] ? run + 1 : 1
      maximum = max(maximum, run)
    }
    return maximum
  }

  @Test func connectionsTakeTurns() async throws {
    let route = ReplayRoute("page", response: Page.response)
    let runs = try await serving([Fixture(name: "wire", routes: [route])]) { server in
      let clients = try (0..<2).map { _ in try server.client() }
      let requests = Array(String(repeating: plainRequest, count: Self.count).utf8)
      // On a busy machine, one may be done before the other has sent its requests.
      var run: Int?
      for _ in 0..<20 where run == nil {
        server.journal.clear()
        for client in clients { try client.send(requests) }
        // In turns, because the server sends nothing to a client that does not read.
        for _ in 0..<Self.count { for client in clients { _ = client.receive(upTo: Page.count) } }
        run = Self.maximumRun(server.journal.entries)
      }
      return run
    }
    let maximum = try #require(runs, "one had all its answers before the other had any")
    #expect(maximum < 100)
  }

  @Test func theRemainderAtTheEndHasATurnToo() async throws {
    let condition = RouteCondition(listener: .tcp, receive: "ask")
    let route = ReplayRoute("line", when: condition, response: .send(Array("answer\n".utf8)))
    let reception = try await serving(route) { server in
      let client = try server.client(.tcp)
      try client.send(String(repeating: "ask\n", count: Self.count) + "ask")
      client.shutdownWrite()
      return client.receive()
    }
    #expect(reception.text == String(repeating: "answer\n", count: Self.count + 1))
  }
}
