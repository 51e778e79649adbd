import LoopbackServer
import ProbeCore
import TestSupport
import Testing

/// Responses without a status line, or with a truncated head.
@Suite(.ownAlone) struct IncompleteHeadTests {
  /// Probes `http://a.example/`, for which a server on loopback responds with these bytes.
  private static func result(
    _ bytes: String, url: String = "http://a.example/", accepts: Bool = true, maxBody: Int = 65_536
  ) async throws -> Result<ProbeResponse, ProbeFailure> {
    let server = try LoopbackServer.responding(with: Array(bytes.utf8))
    let request = try request(url) {
      $0.http.acceptsIncompleteHeads = accepts
      $0.maxBody = maxBody
      $0.connectTo = [try ConnectTo("::127.0.0.1:\(server.port)")]
    }
    do {
      return .success(try await transport.probe(request))
    } catch let failure as ProbeFailure {
      return .failure(failure)
    }
  }

  @Test(arguments: ["<html>hello</html>", "hi", "\u{1}\u{2}\r\n\r\nmore", "HTTX/1.1 200 OK\r\n\r\n"])
  func bytesWithoutAStatusLineAreContentWithStatus200(_ bytes: String) async throws {
    let response = try await Self.result(bytes).get()
    #expect(response.status == 200)
    #expect(response.head?.version == "0.9")
    #expect(response.head?.fields.isEmpty == true)
    #expect(response.body == Array(bytes.utf8))
    #expect(response.deviations == [.http09])
  }

  /// The received part of a head is used.
  @Test(
    arguments: [
      ("HTTP/1.1 302 Fou", 302, nil),
      ("HTTP/1.1 302 Found\r\nLocation: http://portal.exa", 302, "http://portal.exa"),
      ("HTTP/1.1 200 OK\r\nServer: a\r\nConten", 200, nil), ("HTTP/1.1 2", 2, nil),
    ] as [(String, Int, String?)])
  func aTruncatedHeadIsAccepted(_ bytes: String, _ status: Int, _ location: String?) async throws {
    let response = try await Self.result(bytes).get()
    #expect(response.status == status)
    #expect(response.head?.fields["Location"] == location)
    #expect(response.body.isEmpty)
    #expect(response.deviations.contains(.cutHead))
  }

  @Test func aTruncatedHeadWithALengthLacksItsBody() async throws {
    let result = try await Self.result("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServ")
    let failure = #expect(throws: ProbeFailure.self) { try result.get() }
    #expect(failure?.reason == .bodyShort)
    #expect(failure?.partial?.status == 200)
  }

  @Test func contentIsCutAtItsLimit() async throws {
    let response = try await Self.result("<html>hello</html>", maxBody: 6).get()
    #expect(response.body == Array("<html>".utf8))
    #expect(response.bodyIsCut)
  }

  /// Not without the option, without a status line on another port, after an interim response, or if nothing
  /// was received.
  @Test(arguments: [
    ("<html>hello</html>", "http://a.example/", false, ReasonCode.httpProtocol),
    ("<html>hello</html>", "http://a.example:8080/", true, .httpProtocol),
    ("HTTP/1.1 200 O", "http://a.example/", false, .httpNoResponse),
    ("HTTP/1.1 200 OK\r\nA: b\r\n", "http://a.example/", false, .httpHeadCut),
    ("HTTP/x 200\r\n\r\n", "http://a.example/", true, .httpProtocol),
    ("HTTP/1.1 103 Early Hints\r\n\r\nhello, hello", "http://a.example/", true, .httpProtocol),
    ("HTTP/1.1 103 Early Hints\r\n\r\n", "http://a.example/", true, .httpNoResponse),
    ("", "http://a.example/", true, .httpNoResponse),
  ])
  func otherIncompleteHeadsAreFailures(_ bytes: String, _ url: String, _ accepts: Bool, _ reason: ReasonCode)
    async throws
  {
    let result = try await Self.result(bytes, url: url, accepts: accepts)
    let failure = #expect(throws: ProbeFailure.self) { try result.get() }
    #expect(failure?.reason == reason)
  }

  @Test func incompleteHeadsAreRefusedWithLibcurl() throws {
    let request = try request("http://a.example/") {
      $0.http.acceptsIncompleteHeads = true
      $0.http.client = .curl
    }
    let error = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(error?.message == "the client curl does not support lenientHead")
  }
}

/// A text without a status line on port 80, as in HTTP/0.9: a failure, with the text as evidence.
@Suite(.eachClient) struct TextWithoutHeadTests {
  private static func failed(
    _ bytes: [UInt8], url: String = "http://a.example/", maxBody: Int = 65_536, holds: Bool = false,
    timeout: Duration = .seconds(600)
  ) async throws -> ProbeFailure? {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send(bytes)
      if holds { connection.hold() }
    }
    return try await failure(
      of: try request(url) {
        $0.maxBody = maxBody
        $0.timeout = timeout
        $0.connectTo = [try ConnectTo("::127.0.0.1:\(server.port)")]
      })
  }

  @Test(arguments: [
    "<html><title>Log in</title></html>", "Log in at http://login.example/\n", "<",
    "220 mail.example ESMTP\r\n",
    "HTTX/1.1 200 OK\r\n\r\n", "Доступ закрыт\n", "\u{1B}$B%m%0%$%s\u{1B}(B\n", "a\n",
    // Less than a status line, which it cannot become.
    "hello", "<html>", "hi", "no", "h!", "HTTQ", "HTTP1.1 OK", "denied", "Доступ", "\0hello",
    "h\0e\0l\0l\0o\0",
  ])
  func aTextIsKept(_ text: String) async throws {
    try await expectText(Array(text.utf8))
  }

  @Test(arguments: [true, false], ["hello", "Доступ закрыт", "ログイン"])
  func aTextInUTF16IsKept(_ isBigEndian: Bool, _ text: String) async throws {
    try await expectText(
      ("\u{FEFF}" + text).utf16.flatMap { unit in
        let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return isBigEndian ? bytes : bytes.reversed()
      })
  }

  private func expectText(_ bytes: [UInt8]) async throws {
    let failure = try await Self.failed(bytes)
    #expect(failure?.reason == .httpProtocol)
    #expect(failure?.partial?.head == nil)
    #expect(failure?.partial?.body == bytes)
    #expect(failure?.partial?.deviations == [.http09])
  }

  /// The beginning of a status line is no text: the connection may have ended inside of it.
  @Test(arguments: ["H", "ht", "HTTP", "HTTP/", "HTTP/1", "HTTP/1.1 20"])
  func theBeginningOfAStatusLineIsNoText(_ text: String) async throws {
    let failure = try await Self.failed(Array(text.utf8))
    #expect(failure?.reason == .httpNoResponse)
    #expect(failure?.partial?.body == [] && failure?.partial?.deviations == [])
  }

  @Test(
    arguments: [
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [1], [2, 3, 4], Array("a text, and then \u{1}".utf8),
      Array("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}".utf8),
    ] as [[UInt8]])
  func otherBytesAreNot(_ bytes: [UInt8]) async throws {
    let failure = try await Self.failed(bytes)
    #expect(failure?.reason == .httpProtocol)
    #expect(failure?.partial?.body == [])
    #expect(failure?.partial?.deviations == [])
  }

  @Test func onOtherPortsNothingIsKept() async throws {
    let failure = try await Self.failed(Array("<html>hello</html>".utf8), url: "http://a.example:8080/")
    #expect(failure?.reason == .httpProtocol)
    #expect(failure?.partial?.body == [] && failure?.partial?.deviations == [])
  }

  @Test func theTextIsCutAtItsLimit() async throws {
    let failure = try await Self.failed(Array("<html>hello</html>".utf8), maxBody: 6)
    #expect(failure?.reason == .httpProtocol)
    #expect(failure?.partial?.body == Array("<html>".utf8) && failure?.partial?.bodyIsCut == true)
  }

  @Test(arguments: ["<html>hello</html>", "hello", "hi"])
  func aConnectionThatStaysOpenDoesNotHideTheText(_ text: String) async throws {
    let failure = try await withGrowingLimit(
      from: .milliseconds(200), while: { (failure: ProbeFailure?) in failure?.partial?.body.isEmpty != false }
    ) { try await Self.failed(Array(text.utf8), holds: true, timeout: $0) }
    #expect(failure?.reason == .httpProtocol)
    #expect(failure?.partial?.deviations == [.http09])
  }
}

/// A NUL in a head: the response is refused, and only the lines before it are evidence.
@Suite(.eachClient) struct NULInHeadTests {
  @Test(
    arguments: [
      ("302 Fo\0und\r\nLocation: /login", nil, nil),
      ("302 Found\r\nLocation: http://a.exa\0mple/", 302, nil),
      ("302 Found\r\nLocation: /login\0", 302, nil), ("302 Found\r\nX-A: a\0\r\nLocation: /login", 302, nil),
      ("302 Found\r\nLocation: /login\r\nX-A: a\0", 302, "/login"), ("200 OK\r\nX-\0A: a", 200, nil),
    ] as [(String, Int?, String?)])
  func onlyTheLinesBeforeItAreRead(_ head: String, _ status: Int?, _ location: String?) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n".utf8))
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .httpProtocol)
    #expect(failure?.partial?.status == status)
    #expect(failure?.partial?.head?.fields["Location"] == location)
  }
}

/// Default header fields that are not sent.
struct OmittedFieldTests {
  @Test(.eachClient) func omittedFieldsAreNotSent() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let names = ["accept", "User-Agent", "Cache-Control", "PRAGMA", "Accept-Encoding", "Connection"]
    _ = try await transport.probe(try request(server.url()) { $0.http.omittedFields = names })
    let sent = try #require(server.requests.first.map { LoopbackRequest($0) })
    for name in names { #expect(sent.header(name) == nil, "\(name)") }
    #expect(sent.header("Host") != nil)
  }

  @Test(.eachClient) func fieldsOfTheCallerAreSent() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    _ = try await transport.probe(
      try request(server.url()) {
        $0.http.omittedFields = ["Accept", "User-Agent"]
        $0.http.headers = ["accept": "text/html"]
      })
    let sent = try #require(server.requests.first.map { LoopbackRequest($0) })
    #expect(sent.header("Accept") == "text/html")
    #expect(sent.header("User-Agent") == nil)
    #expect(sent.header("Pragma") == "no-cache")
  }

  @Test(.eachClient, arguments: ["Host", "X-Office", ""]) func otherFieldsCannotBeOmitted(_ name: String)
    throws
  {
    let request = try request("http://a.example/") { $0.http.omittedFields = [name] }
    let error = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(error?.message.hasSuffix("is not a default one, so it cannot be omitted") == true)
  }
}
