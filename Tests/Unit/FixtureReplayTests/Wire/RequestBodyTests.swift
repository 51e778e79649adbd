import FixtureReplay
import TestClients
import Testing

/// Requests with content: it is read to its end before the response, and the journal has it.
@Suite struct RequestBodyTests {
  private static let interim = "HTTP/1.1 100 Continue\r\n\r\n"
  private static let head = "POST /login HTTP/1.1\r\nHost: wire.example\r\n"

  /// The bytes sent, and the content the server must read.
  private static let forms: [(name: String, text: String, body: String)] = [
    ("of a length", "Content-Length: 9\r\n\r\nuser=anna", "user=anna"),
    ("of the same length twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok", "ok"),
    ("of no length", "Content-Length: 0\r\n\r\n", ""),
    ("in chunks", "Transfer-Encoding: chunked\r\n\r\n5\r\nuser=\r\n4\r\nanna\r\n0\r\n\r\n", "user=anna"),
    (
      "in chunks with extensions and trailer fields",
      "Transfer-Encoding: Chunked\r\n\r\nA;a=b\r\nuser=anna!\r\n000\r\nX-Sum: 1\r\nY: 2\r\n\r\n", "user=anna!"
    ),
    ("in chunks behind a head with LF alone", "Transfer-Encoding: chunked\n\n2\r\nab\r\n0\r\n\r\n", "ab"),
    ("that was announced but came at once", "Expect: 100-continue\r\nContent-Length: 2\r\n\r\nok", "ok"),
  ]

  @Test(arguments: forms.indices, [Int.max, 1])
  func contentIsReadToItsEnd(_ index: Int, piece: Int) async throws {
    let (name, text, body) = Self.forms[index]
    // Sent byte by byte, the content of the last one arrives after its head, so that `100 Continue` is sent.
    guard piece > 1 || !text.contains("Expect") else { return }
    let (reception, entries) = try await serving(ReplayRoute("page", response: Page.response)) { server in
      let client = try server.client()
      try client.send(Array((Self.head + text + plainRequest).utf8), inPiecesOf: piece)
      client.shutdownWrite()
      return (client.receive(), server.journal.entries)
    }
    #expect(reception == .init(Array((Page.text + Page.text).utf8), .fin), "\(name)")
    #expect(entries.map { String(decoding: $0.request?.body ?? [], as: UTF8.self) } == [body, ""])
    #expect(entries.map { $0.request?.head.method } == ["POST", "GET"])
  }

  @Test func aWaitingClientReceivesAContinue() async throws {
    let seen = try await serving(ReplayRoute("page", response: Page.response)) { server in
      let client = try server.client()
      try client.send(Self.head + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")
      let first = client.receive(upTo: Self.interim.utf8.count)
      try client.send("ab")
      // Once is enough.
      let second = client.receive(within: .milliseconds(30))
      try client.send("cd")
      let third = client.receive(upTo: Page.count)
      return ([first, second, third], server.journal.entries)
    }
    #expect(seen.0.map(\.text) == [Self.interim, "", Page.text])
    #expect(seen.0.map(\.ending) == [.enough, .silence, .enough])
    #expect(seen.1.map { $0.request?.body } == [Array("abcd".utf8)])
  }

  @Test func anExpectationInsideTLS() async throws {
    let seen = try await serving(ReplayRoute("page", response: Page.response)) { server in
      let client = try server.secureClient()
      try client.send(Self.head + "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
      let first = client.receive(upTo: Self.interim.utf8.count)
      try client.send("2\r\nab\r\n0\r\n\r\n")
      return [first, client.receive(upTo: Page.count)]
    }
    #expect(seen.map(\.text) == [Self.interim, Page.text])
  }

  @Test func largeContentIsRead() async throws {
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    let counts = try await serving(ReplayRoute("page", response: Page.response)) { server in
      let client = try server.client()
      try client.send(Array((Self.head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body)
      return (client.receive(upTo: Page.count).text, server.journal.entries.map { $0.request?.body.count })
    }
    #expect(counts.0 == Page.text)
    #expect(counts.1 == [body.count])
  }

  /// Content after which the end of the connection must still be a FIN.
  @Test(arguments: [
    "Content-Length: 200000\r\n\r\n" + String(repeating: "x", count: 200_000),
    "\r\n" + String(repeating: plainRequest, count: 4000),
    "Content-Length: 5\r\n\r\nhello" + String(repeating: "\u{1}garbage\r\n", count: 20_000),
  ])
  func unreadBytesDoNotTurnAFINIntoARST(text: String) async throws {
    let seen = try await serving(ReplayRoute("cut", fault: ReplayFault(.emptyFin))) { server in
      let client = try server.client()
      try client.send(Self.head + text)
      let reception = client.receive()
      return (reception, client.isReset(within: .milliseconds(30)))
    }
    #expect(seen.0 == .init([], .fin))
    #expect(!seen.1)
  }
}
