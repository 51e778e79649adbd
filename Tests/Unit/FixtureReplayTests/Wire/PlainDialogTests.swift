import FixtureReplay
import TestClients
import Testing

/// Dialogues on plain TCP, however the client's bytes are split.
@Suite struct PlainDialogTests {
  private static func bytes(_ text: String) -> ReplayResponse { .send(Array(text.utf8)) }

  private static func on(_ receive: String?, state: String? = nil) -> RouteCondition {
    RouteCondition(state: state, listener: .tcp, receive: receive)
  }

  private static var mail: Fixture {
    Fixture(
      name: "mail", initialState: "new",
      routes: [
        ReplayRoute("greeting", when: on(nil), response: bytes("220 ready\r\n")),
        ReplayRoute("hello", when: on("EHLO *"), response: bytes("250 hello\r\n"), goto: "greeted"),
        ReplayRoute("mail", when: on("MAIL *", state: "greeted"), response: bytes("250 ok\r\n")),
        ReplayRoute("early", when: on("MAIL *", state: "new"), response: bytes("503 first EHLO\r\n")),
        ReplayRoute("quit", when: on("QUIT"), response: bytes("221 bye\r\n"), end: .fin),
      ])
  }

  @Test(arguments: [Int.max, 1, 3])
  func linesReceiveResponsesOneByOne(piece: Int) async throws {
    let (reception, entries) = try await serving([Self.mail]) { server in
      let client = try server.client(.tcp)
      let lines = "MAIL FROM:<a>\r\nEHLO me\nMAIL FROM:<a>\r\nQUIT\r\nMAIL behind the end\r\n"
      try client.send(Array(lines.utf8), inPiecesOf: piece)
      return (client.receive(), server.journal.entries)
    }
    #expect(reception.text == "220 ready\r\n503 first EHLO\r\n250 hello\r\n250 ok\r\n221 bye\r\n")
    #expect(reception.ending == .fin)
    #expect(entries.compactMap(\.hit).map(\.route) == ["greeting", "early", "hello", "mail", "quit"])
    #expect(
      entries.map { String(decoding: $0.received, as: UTF8.self) }
        == ["", "MAIL FROM:<a>\r\n", "EHLO me\n", "MAIL FROM:<a>\r\n", "QUIT\r\n"])
  }

  @Test func aLineWithoutAResponseIsInTheJournal() async throws {
    let (first, silence, second, lines) = try await serving([Self.mail]) { server in
      let client = try server.client(.tcp)
      try client.send("HELO me\r\n")
      let first = client.receive(upTo: 11)
      let silence = client.receive(within: .milliseconds(40))
      try client.send("EHLO me\r\n")
      return (first, silence, client.receive(upTo: 11), server.journal.entries.map(\.line))
    }
    #expect(first.text == "220 ready\r\n")
    #expect(silence == .init([], .silence))
    #expect(second.text == "250 hello\r\n")
    #expect(
      lines == [
        "1 tcp - → mail/greeting",
        #"2 tcp - received "HELO me\r\n" → no route matches; nearest: "#
          + #"mail/hello: expected receive "EHLO *", found "HELO me\r\n""#,
        #"3 tcp - received "EHLO me\r\n" → mail/hello, now greeted"#,
      ])
  }

  @Test func aLineThatMatchesInAnotherStateIsReported() async throws {
    let world = [
      Fixture(
        name: "steps", initialState: "a",
        routes: [ReplayRoute("next", when: Self.on("NEXT", state: "b"), response: Self.bytes("ok"))])
    ]
    let misses = try await serving(world) { server in
      let client = try server.client(.tcp)
      try client.send("NEXT\r\n")
      client.shutdownWrite()
      _ = client.receive()
      return server.journal.unmatched.flatMap(\.nearMisses).map(\.description)
    }
    #expect(misses == [#"steps/next: expected state "b", found "a""#])
  }

  @Test func theEndOfTheClientsSideEndsALine() async throws {
    let reception = try await serving([Self.mail]) { server in
      let client = try server.client(.tcp)
      try client.send("EHLO me")
      client.shutdownWrite()
      return client.receive()
    }
    #expect(reception == .init(Array("220 ready\r\n250 hello\r\n".utf8), .fin))
  }

  /// The bytes of a pattern, the bytes sent, and the response.
  private static let patterns: [(pattern: String, sent: String, text: String)] = [
    ("\u{16}\u{3}*", "\u{16}\u{3}\u{1}anything", "yes"),
    ("\u{16}\u{3}*", "\u{16}\u{4}\n", ""),
    ("PING\r\n", "PING\r\nPING\r\n", "yesyes"),
    ("PING\r\n", "PING\n", ""),
    ("*", "whatever\r\n", "yes"),
    ("a*b", "a..b\r\na..c\n", "yes"),
  ]

  @Test(arguments: patterns.indices, [Int.max, 1])
  func bytesAndLines(_ index: Int, piece: Int) async throws {
    let (pattern, sent, text) = Self.patterns[index]
    let route = ReplayRoute("bytes", when: Self.on(pattern), response: Self.bytes("yes"))
    let reception = try await serving(route) { server in
      let client = try server.client(.tcp)
      try client.send(Array(sent.utf8), inPiecesOf: piece)
      client.shutdownWrite()
      return client.receive()
    }
    #expect(reception == .init(Array(text.utf8), .fin))
  }

  @Test func aLineWithoutEndEndsTheConnection() async throws {
    let reception = try await serving([Self.mail]) { server in
      let client = try server.client(.tcp)
      try client.send(String(repeating: "x", count: 200_000))
      return client.receive()
    }
    #expect(reception == .init(Array("220 ready\r\n".utf8), .fin))
  }

  @Test func pipelinedBytesAreLimited() async throws {
    let slow = ReplayFault(.delay, for: .seconds(3600))
    let world = [
      Fixture(
        name: "slow",
        routes: [
          ReplayRoute("greeting", when: Self.on(nil), response: Self.bytes("220\r\n"), fault: slow),
          ReplayRoute("page", response: Page.response, fault: slow),
        ])
    ]
    let outcomes = try await serving(world) { server in
      try [ReplayListener.tcp, .http, .https].map { listener in
        if listener == .https {
          let client = try server.secureClient()
          try client.send(plainRequest)
          return Self.outcome(client.raw) {
            client.tls.send($0)
            return client.tls.takeOutput()
          }
        }
        let client = try server.client(listener)
        if listener == .http { try client.send(plainRequest) }
        return Self.outcome(client)
      }
    }
    #expect(outcomes == ["stuck", "stuck", "stuck"])
  }

  /// The result of sending without end.
  private static func outcome(_ client: RawClient, _ wrap: ([UInt8]) -> [UInt8] = { $0 }) -> String {
    let piece = [UInt8](repeating: UInt8(ascii: "\n"), count: 64 << 10)
    do throws(RawClient.Failure) {
      // More than the buffers of both systems can contain.
      for _ in 0..<1024 { try client.send(wrap(piece), within: .milliseconds(200)) }
      return "taken"
    } catch {
      return error == .timedOut ? "stuck" : "\(error)"
    }
  }
}
