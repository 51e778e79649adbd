import FixtureReplay
import TestClients
import TestSupport
import Testing

/// The state of a connection after a response.
@Suite struct ResponseEndTests {
  /// A response, its declared end, and the observations of a client that sends two requests.
  private struct Row: Sendable {
    var name: String
    var response: ReplayResponse?
    var end: ResponseEnd?
    var text: String
    var ending: RawClient.Ending
  }

  private static func raw(_ text: String) -> ReplayResponse { .send(Array(text.utf8)) }

  private static let open = "HTTP/1.1 200 OK\r\n\r\nopen-ended"
  private static let closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
  private static let lying = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nonly"
  private static let old = "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"
  private static let empty = "HTTP/1.1 204 No Content\r\n\r\n"

  private static var rows: [Row] {
    [
      Row(name: "composed", response: Page.response, text: Page.text + Page.text, ending: .silence),
      Row(name: "composed, fin", response: Page.response, end: .fin, text: Page.text, ending: .fin),
      Row(name: "composed, rst", response: Page.response, end: .rst, text: Page.text, ending: .reset),
      Row(name: "composed, hold", response: Page.response, end: .hold, text: Page.text, ending: .silence),
      Row(name: "without a length", response: raw(open), text: open, ending: .fin),
      Row(
        name: "without a length, keep", response: raw(open), end: .keep, text: open + open, ending: .silence),
      Row(name: "that says close", response: raw(closing), text: closing, ending: .fin),
      Row(name: "in chunks", response: raw(chunked), text: chunked + chunked, ending: .silence),
      Row(name: "with a false length", response: raw(lying), text: lying, ending: .fin),
      Row(name: "of HTTP/1.0", response: raw(old), text: old, ending: .fin),
      Row(name: "without content", response: raw(empty), text: empty + empty, ending: .silence),
      Row(name: "none, fin", end: .fin, text: "", ending: .fin),
      Row(name: "none, rst", end: .rst, text: "", ending: .reset),
      Row(name: "none, hold", end: .hold, text: "", ending: .silence),
    ]
  }

  @Test(arguments: rows.indices)
  func theConnectionEndsAsExpected(_ index: Int) async throws {
    let row = Self.rows[index]
    let route = ReplayRoute("page", response: row.response, end: row.end)
    let seen = try await serving(route) { server in
      [
        try beforeReset(row.text.utf8.count) {
          let client = try server.client()
          try client.send(plainRequest + plainRequest)
          return Self.receive(row, client.receive)
        },
        try beforeReset(row.text.utf8.count) {
          let client = try server.secureClient()
          try client.send(plainRequest + plainRequest)
          return Self.receive(row, client.receive)
        },
      ]
    }
    for reception in seen {
      #expect(reception.text == row.text, "\(row.name)")
      #expect(reception.ending == row.ending, "\(row.name)")
    }
  }

  private static func receive(
    _ row: Row, _ receive: (Int, Duration) -> RawClient.Reception
  ) -> RawClient.Reception {
    guard row.ending == .silence else { return receive(.max, RawClient.patience) }
    let reception = receive(row.text.utf8.count, RawClient.patience)
    guard reception.ending == .enough || row.text.isEmpty else { return reception }
    let more = receive(.max, .milliseconds(60))
    return RawClient.Reception(reception.bytes + more.bytes, more.ending)
  }

  @Test(arguments: [50_000, 400_000])
  func aResetFollowsExactlyThatManyBytes(count: Int) async throws {
    let body = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let route = ReplayRoute(
      "page", response: .respond(ComposedResponse(body: body)), fault: ReplayFault(.rstAfter, bytes: count))
    let seen = try await serving(route) { server in
      [
        try beforeReset(count) { try server.exchange(plainRequest) },
        try beforeReset(count) {
          let secure = try server.secureClient()
          try secure.send(plainRequest)
          return secure.receive()
        },
      ]
    }
    let all = Array("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n".utf8) + body
    for reception in seen {
      #expect(reception.bytes == Array(all.prefix(count)))
      #expect(reception.ending == .reset)
    }
  }

  @Test func aHeldConnectionEndsWithItsClient() async throws {
    let route = ReplayRoute("held", end: .hold)
    let ending = try await serving(route) { server in
      let client = try server.client()
      try client.send(plainRequest)
      _ = client.receive(within: .milliseconds(20))
      client.shutdownWrite()
      return client.receive().ending
    }
    #expect(ending == .fin)
  }

  @Test func partsOfASlowResponseAreSentOneByOne() async throws {
    // The first part is received before the next is sent; the head and the first part may arrive together.
    func isOneByOne(_ parts: [String]) -> Bool {
      [Page.head + "Log in, plea", Page.head + "Log in, "].contains(parts.joined())
        && parts.allSatisfy { $0.utf8.count <= Page.head.utf8.count + 4 }
    }
    let parts = try await withGrowingLimit(from: .milliseconds(150), while: { !isOneByOne($0) }) { interval in
      let fault = ReplayFault(.slowBody, bytes: 4, every: interval)
      return try await serving(ReplayRoute("page", response: Page.response, fault: fault)) { server in
        let client = try server.client()
        try client.send(plainRequest)
        return (0..<3).map { _ in client.receivePart(within: interval * 2 + RawClient.patience).text }
      }
    }
    #expect(isOneByOne(parts), "\(parts)")
  }
}
