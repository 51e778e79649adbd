import LoopbackServer
import ProbeCore
import Testing

/// Requests that must not be sent.
@Suite(.eachClient) struct RequestCheckTests {
  @Test(arguments: [
    ("line break in a value", "the header field X contains a control character"),
    ("line break in a name", "is not a header field name"),
    ("method", "is not a request method"),
    ("user agent", "the user agent contains a control character"),
    ("family", "is not an IPv6 address"),
    ("timeout", "the timeout is not positive"),
    ("connect timeout", "the connect timeout is not positive"),
    ("size", "a size limit is negative"),
  ])
  func invalidRequestsAreRefusedWithAMessage(_ option: String, _ words: String) throws {
    let bad = try request("http://127.0.0.1/") { request in
      switch option {
      case "line break in a value": request.http.headers = ["X": "a\r\nY: b"]
      case "line break in a name": request.http.headers = ["X\r\nY": "a"]
      case "method": request.http.method = "GET /x"
      case "user agent": request.http.userAgent = "a\u{0}b"
      case "family": request.family = .v6
      case "timeout": request.timeout = .zero
      case "connect timeout": request.connectTimeout = .seconds(-1)
      default: request.maxBody = -1
      }
    }
    #expect { try transport.check(bad) } throws: { error in
      (error as? InvalidInput)?.message.contains(words) == true
    }
  }

  /// The transport and the prober both refuse it, with the same failure.
  @Test func anInvalidRequestIsNotSent() async throws {
    let bad = try request("http://127.0.0.1:1/") { $0.http.headers = ["X": "a\r\nY: b"] }
    let direct = await #expect(throws: ProbeFailure.self) { try await transport.probe(bad) }
    #expect(direct?.reason == .invalidRequest)
    var registry = TransportRegistry()
    try registry.register(transport)
    let prober = Prober(registry, policy: .plaintextAllowed)
    let probed = await #expect(throws: ProbeFailure.self) { try await prober.probe(bad) }
    let checked = #expect(throws: ProbeFailure.self) { try prober.check(bad) }
    #expect(probed == direct && checked == direct)
  }

  @Test(
    .ownAlone,
    arguments: [
      (["Content-Length: 3"], "abcd", "Content-Length"),
      (["Content-Length: 1", "Content-Length: 1"], "a", "Content-Length"),
      (["Content-Length: 5"], nil, "Content-Length"), (["Content-Length: +1"], "a", "Content-Length"),
      (["Transfer-Encoding: gzip"], "a", "Transfer-Encoding"),
      (["Transfer-Encoding: xchunked"], "a", "Transfer-Encoding"),
      (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], "a", "Transfer-Encoding"),
      (["Transfer-Encoding: chunked", "Content-Length: 1"], "a", "both Content-Length"),
    ] as [([String], String?, String)])
  func framingThatDoesNotFitTheContentIsRefused(_ lines: [String], _ body: String?, _ words: String) throws {
    let bad = try request("http://127.0.0.1/") { request in
      request.http.headers = HeaderFields(
        lines.map { line in
          let parts = line.split(separator: ": ").map(String.init)
          return (name: parts[0], value: parts[1])
        })
      request.http.body = body.map { Array($0.utf8) }
    }
    #expect { try transport.check(bad) } throws: { ($0 as? InvalidInput)?.message.contains(words) == true }
  }

  @Test(
    .ownAlone,
    arguments: [
      ("a", ["Transfer-Encoding": "chunked"], "\r\n\r\n1\r\na\r\n0\r\n\r\n"),
      (nil, ["Transfer-Encoding": "chunked"], "\r\n\r\n0\r\n\r\n"),
      ("a", ["Content-Length": "1"], "\r\n\r\na"),
      (nil, ["Content-Length": "0"], "\r\n\r\n"),
    ] as [(String?, HeaderFields, String)])
  func validFramingIsSent(_ body: String?, _ fields: HeaderFields, _ end: String) async throws {
    let server = try LoopbackServer { connection in
      var received = ""
      while !received.hasSuffix(end) {
        let bytes = try connection.read()
        if bytes.isEmpty { return }
        received += String(decoding: bytes, as: UTF8.self)
      }
      try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let request = try request(server.url()) {
      $0.http.headers = fields
      $0.http.body = body.map { Array($0.utf8) }
    }
    #expect(try await transport.probe(request).status == 204)
  }

  @Test func anOrdinaryRequestIsAccepted() throws {
    try transport.check(try request("https://example.com/") { $0.http.headers = ["Accept": "ä, b"] })
  }
}
