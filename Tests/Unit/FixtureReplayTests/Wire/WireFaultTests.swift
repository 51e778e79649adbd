import TestClients
import Testing

@testable import FixtureReplay

/// Every fault on the wire: the exact bytes, followed by a FIN, an RST or silence.
@Suite struct WireFaultTests {
  /// The observations of a client.
  private struct Sight: Sendable {
    var text = ""
    var further = 0
    var ending: RawClient.Ending
    var duration: Duration
    /// The result of a second request on the same connection.
    var second: String?
    /// Whether an RST was the response to late bytes.
    var isReset = false
    /// Whether a close_notify alert was received.
    var hasCloseNotice = false
  }

  /// One way to request the page.
  private protocol Requester {
    func sendRequest() throws
    func receive(upTo count: Int, within limit: Duration) -> RawClient.Reception
    var raw: RawClient { get }
    var hasCloseNotice: Bool { get }
  }

  @Test func everyKindIsInTheTable() {
    #expect(Set(WireFaultRow.http.map(\.fault.kind)) == Set(ReplayFault.Kind.allCases))
    #expect(Set(WireFaultRow.tcp.map(\.fault.kind)) == Set(ReplayFault.Kind.allCases.filter(\.fitsTCP)))
  }

  @Test(arguments: WireFaultRow.http)
  func overHTTP(_ row: WireFaultRow) async throws {
    let sight = try await serving(ReplayRoute("page", response: Page.response, fault: row.fault)) { server in
      try Self.look(row) { try PlainRequester(raw: server.client()) }
    }
    Self.check(sight, row)
  }

  @Test(arguments: WireFaultRow.http)
  func overHTTPS(_ row: WireFaultRow) async throws {
    let sight = try await serving(ReplayRoute("page", response: Page.response, fault: row.fault)) { server in
      try Self.look(row) { try SecureRequester(client: server.secureClient()) }
    }
    Self.check(sight, row)
    #expect(sight.hasCloseNotice == (row.ending == .fin || row.ending == .halfClosed))
  }

  @Test(arguments: WireFaultRow.tcp)
  func overTCP(_ row: WireFaultRow) async throws {
    let route = ReplayRoute(
      "greeting", when: RouteCondition(listener: .tcp), response: .send(Array(WireFaultRow.greeting.utf8)),
      fault: row.fault)
    let sight = try await serving(route) { server in
      try Self.look(row) { try GreetedRequester(raw: server.client(.tcp)) }
    }
    Self.check(sight, row)
  }

  private static func check(_ sight: Sight, _ row: WireFaultRow) {
    #expect(sight.text == row.text)
    #expect(sight.further == row.further)
    #expect(sight.duration >= row.duration)
    switch row.ending {
    case .kept:
      #expect(sight.ending == .enough)
      #expect(sight.second == row.text)
    case .fin, .halfClosed:
      #expect(sight.ending == .fin)
      #expect(!sight.isReset, "bytes behind the FIN are taken, and not answered with a RST")
    case .reset: #expect(sight.ending == .reset)
    case .silence: #expect(sight.ending == .silence)
    case .endless: #expect(sight.ending == .enough)
    }
  }

  private static func look(_ row: WireFaultRow, _ connect: () throws -> some Requester) throws -> Sight {
    var start = ContinuousClock.now
    var sight = try look(row, connect(), start)
    for _ in 0..<9 where row.ending == .reset && sight.text.utf8.count < row.text.utf8.count {
      // Bytes that a client has not read before a reset are lost, which happens on a busy machine.
      start = .now
      sight = try look(row, connect(), start)
    }
    return sight
  }

  private static func look(
    _ row: WireFaultRow, _ requester: some Requester, _ start: ContinuousClock.Instant
  ) throws -> Sight {
    try requester.sendRequest()
    let count = row.text.utf8.count
    let limit =
      switch row.ending {
      case .kept, .silence: count + row.further
      case .endless: 4 << 20
      case .fin, .halfClosed, .reset: Int.max
      }
    var reception = requester.receive(upTo: limit, within: RawClient.patience)
    let duration = start.duration(to: .now)
    if row.ending == .silence, reception.ending == .enough {
      let more = requester.receive(upTo: .max, within: .milliseconds(60))
      reception = RawClient.Reception(reception.bytes + more.bytes, more.ending)
    }
    var sight = Sight(ending: reception.ending, duration: duration)
    sight.text = String(decoding: reception.bytes.prefix(count), as: UTF8.self)
    sight.further = row.ending == .endless ? 0 : reception.bytes.count - count
    if row.ending == .kept {
      try requester.sendRequest()
      let second = requester.receive(upTo: count + row.further, within: RawClient.patience)
      sight.second = String(decoding: second.bytes.prefix(count), as: UTF8.self)
    }
    if row.ending == .fin || row.ending == .halfClosed {
      try requester.raw.send("what comes late\r\n")
      sight.isReset = requester.raw.isReset(within: .milliseconds(40))
    }
    sight.hasCloseNotice = requester.hasCloseNotice
    return sight
  }
}

extension WireFaultTests {
  /// A request in the clear.
  private struct PlainRequester: Requester {
    let raw: RawClient
    var hasCloseNotice: Bool { false }

    func sendRequest() throws { try raw.send(plainRequest) }

    func receive(upTo count: Int, within limit: Duration) -> RawClient.Reception {
      raw.receive(upTo: count, within: limit)
    }
  }

  /// A request inside TLS.
  private struct SecureRequester: Requester {
    let client: SecureClient
    var raw: RawClient { client.raw }
    var hasCloseNotice: Bool { client.hasCloseNotice }

    func sendRequest() throws { try client.send(plainRequest) }

    func receive(upTo count: Int, within limit: Duration) -> RawClient.Reception {
      client.receive(upTo: count, within: limit)
    }
  }

  /// A connection on which the server speaks first.
  private struct GreetedRequester: Requester {
    let raw: RawClient
    var hasCloseNotice: Bool { false }

    func sendRequest() {}

    func receive(upTo count: Int, within limit: Duration) -> RawClient.Reception {
      raw.receive(upTo: count, within: limit)
    }
  }
}
