import LoopbackServer
import ProbeTLS
import TestClients
import Testing
import TestRequirements

@Suite struct LoopbackServerTests {
  @Test func bytesAreReceivedUnchanged() throws {
    let response: [UInt8] = [0, 1, 2, 13, 10, 255]
    let server = try LoopbackServer.responding(with: response)
    let client = try RawClient(port: server.port)
    let request = Array("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8)
    try client.send(request)
    #expect(try client.receiveToEnd() == response)
    #expect(server.requests == [request])
    #expect(server.connectionCount == 1)
  }

  @Test func aSegmentedRequestIsRead() throws {
    let server = try LoopbackServer.http { .response(body: "\($0.method) \($0.target) \($0.body.count)") }
    let client = try RawClient(port: server.port)
    try client.send(Array("PUT /p HTTP/1.1\r\nhost: a\r\ncontent-length:  2 \r\n\r\nhi".utf8), inPiecesOf: 1)
    let response = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nPUT /p 2"
    #expect(try client.receiveText() == response.replacing("7", with: "8"))
  }

  @Test func multipleRequestsOnOneConnection() throws {
    let server = try LoopbackServer.http(keepAlive: true) { .response(body: $0.target) }
    let client = try RawClient(port: server.port)
    try client.send(Array("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n".utf8))
    client.shutdownWrite()
    let text = try client.receiveText()
    #expect(text.contains("\r\n\r\n/aHTTP/1.1 200"))
    #expect(text.hasSuffix("/b"))
    #expect(server.requestTexts == ["GET /a HTTP/1.1\r\n\r\n", "GET /b HTTP/1.1\r\n\r\n"])
  }

  @Test(arguments: [204, 304, 100]) func responsesWithoutContentHaveNoLength(status: Int) throws {
    let server = try LoopbackServer.http { _ in .response(status, reason: "") }
    let client = try RawClient(port: server.port)
    try client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(try client.receiveText() == "HTTP/1.1 \(status) \r\nConnection: close\r\n\r\n")
  }

  @Test func aResetIsReceivedAsAReset() throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      connection.reset()
    }
    let client = try RawClient(port: server.port)
    try client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(client.receive() == RawClient.Reception([], .reset))
  }

  @Test func aHalfCloseKeepsTheOtherDirectionOpen() throws {
    let server = try LoopbackServer { connection in
      try connection.send("bye")
      connection.shutdownWrite()
      while try !connection.read().isEmpty {}
    }
    let client = try RawClient(port: server.port)
    #expect(try client.receiveText() == "bye")
    try client.send([1])
    client.shutdownWrite()
  }

  @Test func slowlySentBytesAreAllReceived() throws {
    let server = try LoopbackServer { connection in
      try connection.sendSlowly(Array("abcdef".utf8), piece: 4, every: .milliseconds(1))
    }
    #expect(try RawClient(port: server.port).receiveText() == "abcdef")
  }

  @Test func stoppingEndsWaitingScripts() async throws {
    let server = try LoopbackServer { connection in
      switch connection.number {
      case 0: connection.hold()
      case 1: try connection.pause(for: .seconds(3600))
      case 2: _ = try connection.readRequest()
      default: while true { try connection.send([UInt8](repeating: 0, count: 65536)) }
      }
    }
    let clients = try (0..<4).map { _ in try RawClient(port: server.port) }
    while server.connectionCount < 4 { await Task.yield() }
    server.stop()
    server.stop()
    for client in clients.prefix(3) { #expect(try client.receiveToEnd().isEmpty) }
    #expect(RawClient.refuses(port: server.port))
  }

  @Test(.enabled(if: hasIPv6, "there is no ::1")) func iPv6IsSupported() throws {
    let server = try LoopbackServer(on: .v6, script: { try $0.send("six") })
    #expect(try RawClient(port: server.port, overV6: true).receiveText() == "six")
    #expect(server.url("/x") == "http://[::1]:\(server.port)/x")
  }

  @Test func portsCanRefuseOrIgnoreConnections() throws {
    #expect(RawClient.refuses(port: try LoopbackServer.refusedPort()))
    #expect(RawClient.refuses(port: try RefusedPort().port))
    let hole = try BlackholePort()
    #expect(RawClient.isStillConnecting(port: hole.port, after: .milliseconds(50)))
  }

  @Test func anAlertReplacesTheHandshake() throws {
    let server = try LoopbackServer.tlsAlert(40)
    let client = try RawClient(port: server.port)
    try client.send([22, 3, 1, 0, 1, 0])
    #expect(try client.receiveToEnd() == [0x15, 3, 3, 0, 2, 2, 40])
  }

  @Test func aClientWithoutTLSIsReported() throws {
    let identity = try CertificateAuthority().issue(LeafOptions(hosts: ["127.0.0.1"]))
    let server = try LoopbackServer.http(tls: ServerContext(identity)) { _ in .response() }
    let client = try RawClient(port: server.port)
    try client.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    client.shutdownWrite()
    _ = try client.receiveToEnd()
    server.stop()
    #expect(server.handshakeFailures.map { $0.handshakeFailure?.isNotTLS } == [true])
    #expect(server.requests.isEmpty)
  }
}
