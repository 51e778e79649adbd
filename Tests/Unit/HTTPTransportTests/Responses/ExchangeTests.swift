import LoopbackServer
import ProbeTLS
import ProbeCore
import Testing

/// The bytes sent and received.
@Suite(.eachClient) struct ExchangeTests {
  @Test func theResponseIsKeptAsReceived() async throws {
    let wire =
      "HTTP/1.1 200 All Right\r\nx-first: 1\r\nSet-Cookie: a=1\r\nServer: Odd  \r\nset-cookie: b=2\r\n"
      + "Content-Length: 5\r\n\r\nhello"
    let server = try LoopbackServer.responding(with: Array(wire.utf8))
    let response = try await transport.probe(try request(server.url("/path?q=1")))
    #expect(response.head?.version == "1.1")
    #expect(response.status == 200)
    #expect(response.head?.reasonPhrase == "All Right")
    #expect(
      response.head?.fields.map(\.name) == [
        "x-first", "Set-Cookie", "Server", "set-cookie", "Content-Length",
      ])
    #expect(response.head?.fields.values(for: "Set-Cookie") == ["a=1", "b=2"])
    #expect(response.body == Array("hello".utf8))
    #expect(!response.bodyIsCut)
    #expect(response.remoteAddress?.description == "127.0.0.1:\(server.port)")
    #expect(response.family == .v4)
    #expect(response.tls == nil)
    #expect(response.redirects.isEmpty)
  }

  @Test func phasesAreTimed() async throws {
    let server = try LoopbackServer.responding(with: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    let timings = try await transport.probe(try request(server.url())).timings
    // An address is not looked up, and there is no TLS.
    #expect(timings.resolve == nil)
    #expect(timings.tls == nil)
    let connect = try #require(timings.connect)
    let firstByte = try #require(timings.firstByte)
    let total = try #require(timings.total)
    #expect(connect > .zero)
    #expect(firstByte > .zero)
    #expect(total >= connect + firstByte)
  }

  @Test func aPlainGETHasOnlyTheNecessaryFields() async throws {
    let server = try LoopbackServer.responding(with: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    _ = try await transport.probe(try request(server.url("/a%20b?c=d#fragment")))
    #expect(
      server.requestTexts == [
        """
        GET /a%20b?c=d HTTP/1.1\r
        Host: 127.0.0.1:\(server.port)\r
        Accept: */*\r
        Accept-Encoding: gzip, deflate\r
        User-Agent: ProbeKit/\(probeKitVersion)\r
        Cache-Control: no-cache\r
        Pragma: no-cache\r
        Connection: close\r
        \r

        """
      ])
  }

  /// Whether the server itself closes the connection is part of the recording.
  @Test(.ownAlone) func aRecordingDoesNotRequestAClose() async throws {
    let server = try LoopbackServer.responding(with: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    _ = try await Client.recording.probe(try request(server.url("/"))) { _ in }
    let text = try #require(server.requestTexts.first)
    #expect(text.contains("Pragma: no-cache\r\n"))
    #expect(!text.contains("Connection:"))
  }

  @Test(arguments: [("keep-alive", "Connection: keep-alive"), ("", "Connection:")])
  func theConnectionFieldOfTheUserIsSent(_ value: String, _ expected: String) async throws {
    let server = try LoopbackServer.responding(with: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    _ = try await transport.probe(try request(server.url("/")) { $0.http.headers = ["Connection": value] })
    let lines = try #require(server.requestTexts.first).split(separator: "\r\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("Connection") } == [expected])
  }

  @Test func methodHeadersAndBodyAreSent() async throws {
    let server = try LoopbackServer.responding(with: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    _ = try await transport.probe(
      try request(server.url("/")) {
        $0.http.method = "POST"
        $0.http.body = Array("a=b".utf8)
        $0.http.headers = [
          "Host": "example.com", "Accept": "text/plain", "X-Empty": "", "X-Two": "1", "x-two": "2",
        ]
        $0.http.userAgent = "Other/1"
      })
    let text = try #require(server.requestTexts.first)
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "POST / HTTP/1.1")
    #expect(lines.last == "a=b")
    #expect(
      Set(lines.dropFirst().dropLast(2)) == [
        "Host: example.com", "Accept: text/plain", "Accept-Encoding: gzip, deflate", "X-Empty:", "X-Two: 1",
        "x-two: 2",
        "User-Agent: Other/1", "Content-Length: 3", "Cache-Control: no-cache", "Pragma: no-cache",
        "Connection: close",
      ])
  }

  /// More than the buffers of the system hold.
  private static let longBody = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20)

  @Test(arguments: [false, true])
  func aResponseMayPrecedeTheEndOfALongRequest(_ isEncrypted: Bool) async throws {
    let server = try LoopbackServer(
      tls: isEncrypted ? try Identities.shared.context(.init(hosts: ["localhost"])) : nil
    ) { connection in
      _ = try connection.read(upTo: 1000)
      try connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nmuch")
      // It neither continues to read nor closes.
      try connection.pause(for: .seconds(60))
    }
    let response = try await transport.probe(
      try request(isEncrypted ? server.secureURL : server.url()) {
        $0.trustTestAuthority()
        $0.http.method = "POST"
        $0.http.headers = ["Expect": ""]
        $0.http.body = Self.longBody
      })
    #expect(response.status == 413)
    #expect(response.body == Array("much".utf8))
  }

  @Test(arguments: [false, true])
  func aLongRequestContinuesAfterAnInterimResponse(_ isEncrypted: Bool) async throws {
    let server = try LoopbackServer(
      tls: isEncrypted ? try Identities.shared.context(.init(hosts: ["localhost"])) : nil
    ) { connection in
      var count = try connection.read(upTo: 1000).count
      try connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
      while count <= Self.longBody.count {
        let bytes = try connection.read()
        if bytes.isEmpty { break }
        count += bytes.count
      }
      let isWhole = count > Self.longBody.count
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\(isWhole ? "whole" : "short")")
    }
    let response = try await transport.probe(
      try request(isEncrypted ? server.secureURL : server.url()) {
        $0.trustTestAuthority()
        $0.http.method = "POST"
        $0.http.headers = ["Expect": ""]
        $0.http.body = Self.longBody
      })
    #expect(response.body == Array("whole".utf8))
  }

  /// A cache must not respond for an unreachable server, unless the request permits it.
  @Test(
    arguments: [
      ([:], ["Cache-Control: no-cache", "Pragma: no-cache"]),
      (["cache-control": "max-age=60"], ["cache-control: max-age=60", "Pragma: no-cache"]),
      (["PRAGMA": "x"], ["PRAGMA: x", "Cache-Control: no-cache"]),
      (
        ["Cache-Control": "no-store", "Pragma": "", "Accept": "a/b"], ["Cache-Control: no-store", "Pragma:"]
      ),
    ] as [(HeaderFields, [String])])
  func cachesAreBypassedUnlessExplicitlyAllowed(_ fields: HeaderFields, _ expected: [String]) async throws {
    let server = try LoopbackServer.responding(with: Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    _ = try await transport.probe(try request(server.url("/")) { $0.http.headers = fields })
    let lines = try #require(server.requestTexts.first).split(separator: "\r\n").map(String.init)
    #expect(
      lines.filter { $0.lowercased().hasPrefix("cache-control") || $0.lowercased().hasPrefix("pragma") }
        .sorted()
        == expected.sorted())
  }

  @Test(arguments: ["HEAD", "DELETE", "OPTIONS", "PUT"])
  func everyMethodIsSentUnchanged(_ method: String) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n1234567".utf8))
    let response = try await transport.probe(try request(server.url("/")) { $0.http.method = method })
    #expect(server.requestTexts.first?.hasPrefix("\(method) / HTTP/1.1\r\n") == true)
    #expect(response.body.count == (method == "HEAD" ? 0 : 7))
  }

  @Test func everyProbeHasItsOwnConnection() async throws {
    let server = try LoopbackServer.http(keepAlive: true) { _ in
      .response(headers: [(name: "Set-Cookie", value: "a=1")], body: "ok")
    }
    for _ in 0..<3 { _ = try await transport.probe(try request(server.url())) }
    #expect(server.connectionCount == 3)
    #expect(server.requestTexts.allSatisfy { !$0.lowercased().contains("cookie") })
  }

  @Test func connectToKeepsTheHostHeader() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "ok") }
    let probe = try request("http://www.example.com/x") {
      $0.connectTo = [
        ConnectTo(host: "other.example", port: nil, targetHost: "192.0.2.1", targetPort: 9),
        ConnectTo(host: "www.example.com", port: 80, targetHost: "127.0.0.1", targetPort: server.port),
      ]
    }
    let response = try await transport.probe(probe)
    #expect(response.status == 200)
    #expect(response.timings.resolve == nil)
    #expect(response.remoteAddress?.port == server.port)
    #expect(LoopbackRequest(try #require(server.requests.first)).header("Host") == "www.example.com")
  }

  @Test func probesWorkOverIPv6() async throws {
    let v6 = try LoopbackServer.http(on: .v6) { _ in .response(body: "six") }
    let response = try await transport.probe(try request(v6.url()) { $0.family = .v6 })
    #expect(response.family == .v6)
    #expect(response.remoteAddress?.description == "[::1]:\(v6.port)")

    let mapped = try request("http://www.example.com/") {
      $0.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "::1", targetPort: v6.port)]
    }
    #expect(try await transport.probe(mapped).family == .v6)
  }

  @Test func manyConcurrentProbesSucceed() async throws {
    let server = try LoopbackServer.http { request in .response(body: request.target) }
    let bodies = await withTaskGroup(of: (Int, [UInt8]?).self) { group in
      for number in 0..<300 {
        group.addTask {
          let response = try? await transport.probe(try request(server.url("/\(number)")))
          return (number, response?.body)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(bodies.count == 300)
    #expect(bodies.allSatisfy { $0.value == Array("/\($0.key)".utf8) })
  }

  @Test func interimResponsesAreDiscarded() async throws {
    let wire =
      "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
      + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    let server = try LoopbackServer.responding(with: Array(wire.utf8))
    let response = try await transport.probe(try request(server.url()))
    #expect(response.status == 200)
    #expect(response.head?.fields.map(\.name) == ["Content-Length"])
  }

  @Test func trailersAreNotHeaderFields() async throws {
    let wire = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n"
    let server = try LoopbackServer.responding(with: Array(wire.utf8))
    let response = try await transport.probe(try request(server.url()))
    #expect(response.body == Array("ok".utf8))
    #expect(response.head?.fields["X-Trailer"] == nil)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "HTTP/1.0 200\r\n\r\nok",
    "HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok",
  ])
  func oddButReadableResponsesAreAccepted(_ wire: String) async throws {
    let server = try LoopbackServer.responding(with: Array(wire.utf8))
    let response = try await transport.probe(try request(server.url()))
    #expect(response.body == Array("ok".utf8))
  }
}
