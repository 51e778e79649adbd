@testable import FixtureReplay
import TestRequirements
import Testing

/// The entries that the journal keeps, and its message if a test expected others.
@Suite(.patience(minutes: 1)) struct ReplayJournalTests {
  private static func entry(_ path: String, body: Int = 0, route: String? = "r") throws -> JournalEntry {
    let head = Array("GET \(path) HTTP/1.1\r\nHost: a.example\r\nContent-Length: \(body)\r\n\r\n".utf8)
    let bytes = head + [UInt8](repeating: 0, count: body)
    var reader = ReplayRequestReader(limits: RequestLimits())
    reader.receive(bytes)
    guard case .request(let request) = try reader.next() else {
      throw MalformedRequest("no whole request")
    }
    return JournalEntry(
      listener: .http, connection: 1, request: request,
      outcome: route.map { .matched(RouteHit(fixture: "f", route: $0, number: 1)) }
        ?? .unmatched([NearMiss(fixture: "f", route: "r", reasons: ["path wanted"])]))
  }

  @Test func theLastEntriesAreKept() throws {
    let journal = ReplayJournal(capacity: 3, bytes: .max)
    for number in 1...5 { journal.append(try Self.entry("/\(number)")) }
    #expect(journal.entries.map(\.number) == [3, 4, 5])
    #expect(journal.entries.compactMap { $0.request?.head.requestTarget } == ["/3", "/4", "/5"])
    #expect(journal.count == 5)
    journal.clear()
    #expect(journal.entries.isEmpty)
    journal.append(try Self.entry("/6"))
    #expect(journal.entries.map(\.number) == [6])
  }

  @Test func largeRequestsEvictOlderOnes() throws {
    let journal = ReplayJournal(capacity: 3, bytes: 10_000)
    for number in 1...5 { journal.append(try Self.entry("/\(number)", body: 4000)) }
    #expect(journal.entries.map(\.number) == [5])
    journal.append(try Self.entry("/6", body: 50_000))
    // The newest is always kept.
    #expect(journal.entries.map(\.number) == [6])
    for number in 7...9 { journal.append(try Self.entry("/\(number)")) }
    #expect(journal.entries.map(\.number) == [7, 8, 9])
  }

  @Test func expectationsReportTheReceivedRequests() throws {
    let journal = ReplayJournal(capacity: 10, bytes: .max)
    let none = #expect(throws: JournalMismatch.self) { try journal.expect(.atLeast(1)) }
    #expect(none?.description == "0 matching requests, expected: at least 1\n  no request was received")
    journal.append(try Self.entry("/a"))
    journal.append(try Self.entry("/b", route: nil))
    try journal.expect(.once, route: "r", where: RouteCondition(path: "/a"))
    try journal.expect(.exactly(2), where: RouteCondition(host: "*.example"))
    try journal.expect(.none, where: RouteCondition(method: "POST"))
    #expect(journal.unmatched.count == 1)
    let other = #expect(throws: JournalMismatch.self) {
      try journal.expect(.once, route: "r", where: RouteCondition(path: "/b"))
    }
    #expect(
      other?.description == """
        0 matching requests, expected: 1, answered by route r
          1 http GET a.example:80 /a → f/r: expected path "/b", found "/a"
          2 http GET a.example:80 /b → no route matches; nearest: f/r: path wanted: answered by no route
        """)
  }

  @Test func waitingEndsWithTheRequestOrInTime() async throws {
    let journal = ReplayJournal(capacity: 10, bytes: .max)
    async let waiting = journal.wait(for: 2, where: RouteCondition(path: "/x"))
    journal.append(try Self.entry("/x"))
    journal.append(try Self.entry("/y"))
    journal.append(try Self.entry("/x"))
    #expect(try await waiting.map(\.number) == [1, 3])
    await #expect(throws: JournalMismatch.self) {
      try await journal.wait(for: 3, where: RouteCondition(path: "/x"), patience: .zero)
    }
  }
}
