import FixtureReplay
import TestClients
import TestSupport
import Testing

/// Malformed requests: they receive a clear response and a closed connection, and others are served in the
/// meantime.
@Suite struct BadRequestTests {
  private struct Row: Sendable {
    var name: String
    var bytes: String
    var status: Int
    var reason: String
  }

  private static let get = "GET / HTTP/1.1\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
  private static let chunks = post + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"

  private static let rows: [Row] = [
    Row(
      name: "an empty target", bytes: "GET  HTTP/1.1\r\n\r\n", status: 400,
      reason: "the request line has no target"),
    Row(
      name: "no version", bytes: "GET /\r\n\r\n", status: 400,
      reason: "the request line does not end with a version of HTTP"),
    Row(
      name: "HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505,
      reason: "HTTP/2.0 is not spoken here"),
    Row(
      name: "a NUL in the head", bytes: get + "Host: a\0b\r\n\r\n", status: 400,
      reason: "the control byte 0 in the head"),
    Row(
      name: "a bare CR", bytes: get + "Host: a\rX: b\r\n\r\n", status: 400,
      reason: "a carriage return inside a line"),
    Row(
      name: "a folded field", bytes: get + "Host: a\r\n b\r\n\r\n", status: 400,
      reason: "a header field that is folded over two lines"),
    Row(
      name: "a space before the colon", bytes: get + "Host : a\r\n\r\n", status: 400,
      reason: "a header line that is no name and a colon"),
    Row(name: "two hosts", bytes: get + "Host: a\r\nHost: b\r\n\r\n", status: 400, reason: "two Host fields"),
    Row(name: "no host", bytes: get + "X: y\r\n\r\n", status: 400, reason: "no Host field"),
    Row(
      name: "a host with a space", bytes: get + "Host: a b\r\n\r\n", status: 400,
      reason: "a Host field that names no host"),
    Row(
      name: "a host with a path", bytes: get + "Host: a/b\r\n\r\n", status: 400,
      reason: "a Host field that names no host"),
    Row(
      name: "a fold behind a line without a colon", bytes: get + "Host: a\r\nno colon\r\n b: c\r\n\r\n",
      status: 400, reason: "a header line that is no name and a colon"),
    Row(
      name: "two lengths", bytes: post + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", status: 400,
      reason: "two Content-Length fields that differ"),
    Row(
      name: "a length and chunks",
      bytes: post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: 400, reason: "both Content-Length and Transfer-Encoding"),
    Row(
      name: "chunks and a length",
      bytes: post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
      status: 400, reason: "both Content-Length and Transfer-Encoding"),
    Row(
      name: "chunked twice", bytes: post + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      status: 501,
      reason: "a transfer coding other than chunked"),
    Row(
      name: "chunks in HTTP/1.0", bytes: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: 400, reason: "Transfer-Encoding in HTTP/1.0"),
    Row(
      name: "a signed length", bytes: post + "Content-Length: +3\r\n\r\nabc", status: 400,
      reason: "a Content-Length that is no length"),
    Row(
      name: "a list of lengths", bytes: post + "Content-Length: 3, 3\r\n\r\nabc", status: 400,
      reason: "a Content-Length that is no length"),
    Row(
      name: "a chunk of no size", bytes: post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", status: 400,
      reason: "a chunk without a size"),
    Row(
      name: "a chunk that is too long", bytes: post + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
      status: 400,
      reason: "a chunk that is not as long as its size says"),
    Row(
      name: "a chunk of any size", bytes: post + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n",
      status: 400, reason: "a chunk's size that is too large"),
    Row(
      name: "a chunk's size that ends in LF alone", bytes: chunks + "0\n\r\n", status: 400,
      reason: "a chunk's size that ends without CRLF"),
    Row(
      name: "a trailer line without a colon", bytes: chunks + "0\r\nno colon\r\n\r\n", status: 400,
      reason: "a trailer line that is no name and a colon"),
    Row(
      name: "a folded trailer line", bytes: chunks + "0\r\nA: b\r\n c\r\n\r\n", status: 400,
      reason: "a trailer line that is no name and a colon"),
    Row(
      name: "a bare CR in a trailer line", bytes: chunks + "0\r\nA: b\rC: d\r\n\r\n", status: 400,
      reason: "a carriage return inside a trailer line"),
    Row(
      name: "a bare CR before the last line end", bytes: chunks + "0\r\n\r\r\n", status: 400,
      reason: "a carriage return inside a trailer line"),
    Row(
      name: "a NUL in a trailer line", bytes: chunks + "0\r\nA: b\0\r\n\r\n", status: 400,
      reason: "the control byte 0 in a trailer line"),
    Row(
      name: "more than is taken", bytes: post + "Content-Length: 99999999999\r\n\r\n", status: 413,
      reason: "the content has more than 16777216 bytes"),
    Row(
      name: "an unknown expectation", bytes: post + "Expect: the-best\r\nContent-Length: 0\r\n\r\n",
      status: 417,
      reason: "an expectation other than 100-continue"),
    Row(
      name: "a head without end",
      bytes: get + String(repeating: "X: \(String(repeating: "x", count: 996))\r\n", count: 80),
      status: 431, reason: "the head has more than 65536 bytes"),
    Row(
      name: "a line without end", bytes: "GET /" + String(repeating: "x", count: 80_000), status: 431,
      reason: "the head has more than 65536 bytes"),
    Row(
      name: "TLS", bytes: "\u{16}\u{3}\u{1}\u{1}\0\u{1}\0\0", status: 400,
      reason: "the request line does not start with a method"),
  ]

  /// The responses, with a connection of another client served before and after each.
  private static func ask(_ row: Row, inPiecesOf size: Int) async throws -> ([RawClient.Reception], [String])
  {
    try await serving(ReplayRoute("page", response: Page.response)) { server in
      let other = try server.client()
      let client = try server.client()
      // The server may have ended the connection before all of it is sent.
      try? client.send(Array(row.bytes.utf8), inPiecesOf: size)
      let response = client.receive()
      try other.send(plainRequest)
      let served = other.receive(upTo: Page.count)
      return ([response, served], server.journal.entries.map(\.line))
    }
  }

  @Test(arguments: rows.indices, [Int.max, 1])
  func isRefusedAndEnded(_ index: Int, piece: Int) async throws {
    let row = Self.rows[index]
    // Sending 64 KiB byte by byte would prove nothing more than sending them in larger pieces.
    let size = row.bytes.utf8.count > 10_000 && piece == 1 ? 1000 : piece
    let (receptions, lines) = try await Self.ask(row, inPiecesOf: size)
    let response = receptions[0]
    #expect(response.text.hasPrefix("HTTP/1.1 \(row.status) "), "\(row.name): \(response.text)")
    #expect(
      response.text.hasSuffix(
        "Connection: close\r\nContent-Length: \(row.reason.utf8.count + 1)\r\n\r\n\(row.reason)\n"))
    #expect(response.ending == .fin, "\(row.name)")
    #expect(receptions[1].text == Page.text)
    #expect(lines.first?.hasSuffix("→ \(row.status): \(row.reason)") == true, "\(lines)")
  }

  @Test func bytesAfterABadRequestGetNoResponse() async throws {
    let row = Self.rows[8]
    let behind = Row(name: "", bytes: row.bytes + plainRequest, status: 400, reason: "")
    let (receptions, lines) = try await Self.ask(behind, inPiecesOf: .max)
    #expect(receptions[0].text.components(of: "HTTP/1.1") == 1)
    #expect(lines.count == 2)
  }

  @Test func emptyLinesBeforeARequestAreSkipped() async throws {
    let reception = try await serving(ReplayRoute("page", response: Page.response)) { server in
      let client = try server.client()
      try client.send("\r\n\r\n\n" + plainRequest + "\r\n" + plainRequest)
      return client.receive(upTo: 2 * Page.count)
    }
    #expect(reception.text == Page.text + Page.text)
  }

  @Test(arguments: 0..<6)
  func noGarbageStopsTheServer(seed: Int) async throws {
    let listener = ReplayListener.allCases[seed % 3]
    let route = ReplayRoute("page", response: Page.response)
    let line = ReplayRoute("line", when: RouteCondition(receive: "*"), response: .send([0x2B]))
    let world = [Fixture(name: "wire", routes: [route, line])]
    let (endings, page) = try await serving(world) { server in
      var numbers = SeededNumbers(seed: UInt64(seed))
      let starts: [[UInt8]] = [
        [], [0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3], Array("GET / HTTP/1.1\r\n".utf8),
      ]
      var endings: [RawClient.Ending] = []
      for _ in 0..<40 {
        let client = try server.client(listener)
        var bytes = starts.randomElement(using: &numbers) ?? []
        for _ in 0..<Int.random(in: 0..<400, using: &numbers) {
          bytes.append(.random(in: 0...255, using: &numbers))
        }
        try? client.send(bytes, inPiecesOf: Int.random(in: 1...300, using: &numbers))
        client.shutdownWrite()
        endings.append(client.receive().ending)
      }
      let client = try server.client()
      try client.send(plainRequest)
      return (endings, client.receive(upTo: Page.count).text)
    }
    // The client has ended its side, so that each must end, and cleanly.
    #expect(endings.allSatisfy { $0 == .fin }, "\(endings)")
    #expect(page == Page.text)
  }

  /// Bytes on the TLS port that are not a handshake, and the alert in response; none if the client does not
  /// use TLS.
  private static let noHandshakes: [(text: String, alert: [UInt8], reason: String)] = [
    (plainRequest, [], "http request"),
    ("\u{16}\u{3}\u{1}\0\u{5}hello", [0x15, 3, 3, 0, 2, 2, 10], "unexpected message"),
    (String(repeating: "x", count: 500), [], "wrong version number"),
  ]

  @Test(arguments: noHandshakes.indices)
  func nonTLSConnectionsAreClosed(_ index: Int) async throws {
    let (text, alert, reason) = Self.noHandshakes[index]
    let (reception, lines) = try await serving(ReplayRoute("page", response: Page.response)) { server in
      let client = try server.client(.https)
      try client.send(text)
      return (client.receive(), server.journal.entries.map(\.line))
    }
    #expect(reception == .init(alert, .fin))
    #expect(lines.count == 1 && lines[0].hasSuffix(reason), "\(lines)")
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
