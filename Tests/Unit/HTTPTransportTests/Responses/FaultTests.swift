import ProbeBase
import LoopbackServer
import ProbeTLS
import ProbeCore
import TestSupport
import Testing

/// A server that misbehaves, and the expected reason code of a probe.
struct Fault: Sendable, CustomTestStringConvertible {
  var name: String
  var reason: ReasonCode
  var script: LoopbackServer.Script
  /// Whether ProbeKit's own client reads the response, as browsers do.
  var isReadByBrowsers = false

  var testDescription: String { name }

  /// A server that reads the request, then does this.
  static func afterRequest(_ name: String, _ reason: ReasonCode, _ script: @escaping LoopbackServer.Script)
    -> Fault
  {
    Fault(name: name, reason: reason) { connection in
      _ = try connection.readRequest()
      try script(connection)
    }
  }

  /// A server that responds with these bytes, then ends the connection.
  static func bytes(_ name: String, _ reason: ReasonCode, _ bytes: String) -> Fault {
    afterRequest(name, reason) { try $0.send(bytes) }
  }

  /// The same fault, with a response that browsers read.
  func readByBrowsers() -> Fault {
    var fault = self
    fault.isReadByBrowsers = true
    return fault
  }

  /// The reason that the client of the running test reports.
  var expected: ReasonCode? { isReadByBrowsers && Client.current == .own ? nil : reason }

  static let all: [Fault] = [
    .bytes("empty-fin", .httpNoResponse, ""),
    .afterRequest("rst-early", .connectReset) { $0.reset() },
    .afterRequest("rst-after", .connectReset) { connection in
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")
      // Give the kernel a moment to deliver the data before the reset.
      try connection.pause(for: .milliseconds(50))
      connection.reset()
    },
    .bytes("short-body", .bodyShort, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
    .bytes("chunk-cut", .bodyShort, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
    .bytes("chunk-bad", .httpProtocol, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    .bytes(
      "chunk-prefix", .httpProtocol,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"),
    .bytes("folded first line", .httpProtocol, "HTTP/1.1 200 OK\r\n a: b\r\nContent-Length: 2\r\n\r\nok")
      .readByBrowsers(),
    .bytes("header-cut", .httpHeadCut, "HTTP/1.1 302 Found\r\nLocation: http://portal.exa"),
    .bytes("garbage", .httpProtocol, "\u{1}\u{2}\u{3} no status line here\r\n\r\n"),
    .bytes("http/0.9", .httpProtocol, "<html>hello</html>"),
    .bytes("too short for a status line", .httpProtocol, "o\n"),
    .bytes("status 99", .httpProtocol, "HTTP/1.1 99 Odd\r\n\r\n").readByBrowsers(),
    .bytes("status line cut", .httpNoResponse, "HTTP/1.1 200 O"),
    .bytes("interim only", .httpNoResponse, "HTTP/1.1 100 Continue\r\n\r\n"),
    .bytes(
      "bad-gzip", .bodyEncoding, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"
    ),
    .bytes(
      "unknown coding", .bodyEncoding,
      "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5\r\n\r\nplain"
    ).readByBrowsers(),
    .bytes(
      "content-length conflict", .httpProtocol,
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: five\r\n\r\nabc"),
  ]
}

/// Servers that misbehave above TCP.
@Suite(.eachClient) struct FaultTests {
  @Test(arguments: Fault.all)
  func plainHTTP(_ fault: Fault) async throws {
    let server = try LoopbackServer(script: fault.script)
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == fault.expected, "\(failure as Any)")
    #expect(failure == nil || failure?.partial?.remoteAddress?.port == server.port)
  }

  @Test func attemptedAddressesAreKnownWithoutAConnection() async throws {
    let port = try LoopbackServer.refusedPort()
    let failure = try await failure(of: try request("http://127.0.0.1:\(port)/"))
    #expect(failure?.reason == .connectRefused)
    #expect(failure?.partial?.remoteAddress == SocketAddress(IPAddress(v4: 0x7F00_0001), port: port))
  }

  @Test(arguments: [("17", 17), ("Christmas", nil), ("-3", nil), ("0", nil)])
  func retryAfterIsReadFromTheResponse(_ value: String, _ seconds: Int?) async throws {
    let server = try LoopbackServer.http { _ in
      .response(503, reason: "Busy", headers: [(name: "Retry-After", value: value)])
    }
    let response = try await transport.probe(try request(server.url()))
    #expect(response.retryAfter == seconds.map { .seconds($0) })
  }

  @Test(arguments: Fault.all)
  func overTLS(_ fault: Fault) async throws {
    let server = try LoopbackServer(
      tls: try Identities.shared.context(.init(hosts: ["localhost"])), script: fault.script)
    let failure = try await failure(of: try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(failure?.reason == fault.expected, "\(failure as Any)")
    #expect(failure == nil || failure?.partial?.tls?.chain.count == 1)
  }

  @Test func dataBeforeAResetIsKept() async throws {
    // A client that reads later than that finds only the reset.
    let failure = try await withGrowingLimit(
      from: .milliseconds(50), while: { (failure: ProbeFailure?) in failure?.partial?.body.isEmpty != false }
    ) { pause in
      let server = try LoopbackServer { connection in
        _ = try connection.readRequest()
        try connection.send("HTTP/1.1 200 OK\r\nLocation: /x\r\nContent-Length: 100\r\n\r\nabc")
        try connection.pause(for: pause)
        connection.reset()
      }
      return try await HTTPTransportTests.failure(of: try request(server.url()))
    }
    #expect(failure?.reason == .connectReset)
    #expect(failure?.partial?.status == 200)
    #expect(failure?.partial?.head?.fields["location"] == "/x")
    #expect(failure?.partial?.body == Array("abc".utf8))
  }

  /// The operating system reports the reset to the call that sends, and afterwards only the end of the data.
  @Test func aResetDuringALongRequestIsAReset() async throws {
    let server = try LoopbackServer { $0.reset() }
    let request = try request(server.url()) {
      $0.http.method = "POST"
      $0.http.body = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20)
    }
    #expect(try await failure(of: request)?.reason == .connectReset)
  }

  /// How a redirect continues after its Location, and how the connection ends.
  struct Careless: Sendable, CustomTestStringConvertible {
    var rest: String
    var isReset = false
    var isHeld = false

    var testDescription: String {
      "\(rest.debugDescription)\(isReset ? " reset" : "")\(isHeld ? " held" : "")"
    }
  }

  @Test(arguments: [
    Careless(rest: "Content-Length: 100\r\n\r\nabc"),
    Careless(rest: "Content-Length: 100\r\n\r\nabc", isReset: true),
    Careless(rest: "Content-Length: 100\r\n\r\nabc", isHeld: true),
    Careless(rest: "\r\nabc", isHeld: true),
    Careless(rest: "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"),
    Careless(rest: "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
    Careless(rest: "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
    Careless(rest: "no colon\r\nContent-Length: 3\r\n\r\nabc"),
    Careless(rest: ""), Careless(rest: "", isReset: true), Careless(rest: "", isHeld: true),
    Careless(rest: "Content-Ty"),
  ]) func aRedirectIsFoundRegardlessOfTheBytesAfterItsLocation(_ careless: Careless) async throws {
    // A busy machine may need longer to send the head, or to read it before the reset.
    let response = try await withGrowingLimit(
      from: .milliseconds(300), while: { (response: ProbeResponse?) in response == nil }
    ) { limit in
      let server = try LoopbackServer { connection in
        _ = try connection.readRequest()
        try connection.send("HTTP/1.1 302 Found\r\nLocation: /x\r\n" + careless.rest)
        if careless.isHeld { return connection.hold() }
        if careless.isReset {
          try connection.pause(for: limit / 6)
          connection.reset()
        }
      }
      let request = try request(server.url(), timeout: careless.isHeld ? limit : .seconds(60))
      do {
        return try await transport.probe(request)
      } catch let failure as ProbeFailure where failure.partial?.head == nil {
        return nil
      }
    }
    #expect(response?.status == 302)
    #expect(response?.head?.fields["location"] == "/x")
    let isRead = Client.current == .own && careless.rest.hasPrefix("no colon")
    #expect(response?.bodyIsCut == !isRead)
  }

  @Test func aTruncatedLocationIsNotUsed() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 302 Found\r\nLocation: http://login.exam")
    }
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .httpHeadCut)
    #expect(failure?.partial?.status == 302)
    #expect(failure?.partial?.head?.fields["location"] == nil)
  }

  @Test func twoSpacesBeforeTheStatusAreAccepted() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    let response = try await transport.probe(try request(server.url()))
    #expect(response.status == 200)
    #expect(response.body == Array("ok".utf8))
  }

  /// Content that browsers display, but libcurl does not deliver.
  @Test(
    .ownAlone,
    arguments: [
      "HTTP/1.1 200 OK\r\nno colon\r\nX-A: b\r\n\r\n<p>log in</p>",
      "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Encoding: gzip\r\n\r\n<p>log in</p>",
    ]) func theOwnClientKeepsTheContentThatBrowsersDisplay(_ text: String) async throws
  {
    let server = try LoopbackServer.responding(with: Array(text.utf8))
    let response: ProbeResponse?
    do {
      response = try await transport.probe(try request(server.url()))
      #expect(response?.deviations == [.noField])
    } catch let failure as ProbeFailure {
      #expect(failure.reason == .bodyEncoding && text.contains("gzip"))
      response = failure.partial
    }
    #expect(response?.head?.fields["x-a"] == "b")
    #expect(response?.body == Array("<p>log in</p>".utf8))
    #expect(server.connectionCount == 1)
  }

  @Test func aClosedPortRefuses() async throws {
    let port = try LoopbackServer.refusedPort()
    let failure = try await failure(of: try request("http://127.0.0.1:\(port)/"))
    #expect(failure?.reason == .connectRefused)
  }

  @Test func timeoutsAreReportedByPhase() async throws {
    let blackhole = try BlackholePort()
    let holding = try LoopbackServer.holding()
    let stalling = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
      connection.hold()
    }
    let expectations: [(url: String, reason: ReasonCode)] = [
      ("http://127.0.0.1:\(blackhole.port)/", .connectTimeout),
      (holding.url(), .responseTimeout),
      ("https://localhost:\(holding.port)/", .tlsTimeout),
      (stalling.url(), .bodyTimeout),
    ]
    for expectation in expectations {
      let (failure, limit) = try await timeout(of: try request(expectation.url), in: expectation.reason)
      #expect(failure?.reason == expectation.reason, "\(failure as Any)")
      let total = try #require(failure?.partial?.timings.total)
      // libcurl's clock counts whole milliseconds.
      #expect(total > limit - .milliseconds(2))
    }
  }

  @Test func tricklingDataDoesNotExtendTheTimeout() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      try connection.sendSlowly([UInt8](repeating: 0, count: 1000), every: .milliseconds(20))
    }
    let failure = try await timeout(of: try request(server.url()), in: .bodyTimeout).failure
    #expect(failure?.reason == .bodyTimeout)
  }

  @Test func cancellingEndsTheProbeAndItsConnection() async throws {
    let (accepted, acceptance) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      acceptance.yield()
      connection.hold()
      end.yield()
    }
    let url = server.url()
    let probe = Task { try await failure(of: try request(url, timeout: .seconds(600))) }
    for await _ in accepted { break }
    probe.cancel()
    #expect(try await probe.value?.reason == .cancelled)
    // The server sees the end of the connection, not its own stop.
    for await _ in ended { break }
  }

  @Test func aProbeOfACancelledTaskNeverStarts() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "ok") }
    let url = server.url()
    let probe = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await failure(of: try request(url))
    }
    #expect(try await probe.value?.reason == .cancelled)
    #expect(server.requests.isEmpty)
  }
}
