import ByteStreams
import LoopbackServer
import ProbeCore
import ProbeSystem
import TestSupport
import Testing

/// Connections through proxies.
@Suite struct TunnelTests {
  private static let hello: LoopbackServer.Script = { connection in
    try connection.send("hello\n")
    connection.hold()
  }

  private func request(
    through proxy: LoopbackServer, _ kind: String, user: String? = nil, password: String? = nil
  ) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL("tcp://server.invalid:4321"))
    request.timeout = .seconds(600)
    request.proxy = try ProbeProxy(
      "\(kind)://127.0.0.1:\(proxy.port)", user: user, password: password.map { Secret($0) })
    return request
  }

  @Test func anHTTPProxyCreatesATunnel() async throws {
    let proxy = try ScriptedProxy.tunnel(script: Self.hello)
    let stream = try await TestStreams.connector.connect(for: try request(through: proxy, "http"))
    #expect(try await stream.readLine() == "hello")
    let sent = String(decoding: proxy.requests[0], as: UTF8.self)
    #expect(sent.hasPrefix("CONNECT server.invalid:4321 HTTP/1.1\r\nHost: server.invalid:4321\r\n"))
    #expect(!sent.contains("Authorization"))
  }

  @Test func bytesAfterTheResponseBelongToTheServer() async throws {
    let proxy = try ScriptedProxy.tunnel(
      response: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\nContent-Length: 5\n\nearly\n",
      script: Self.hello)
    let stream = try await TestStreams.connector.connect(for: try request(through: proxy, "http"))
    #expect(try await stream.readLine() == "early")
    #expect(try await stream.readLine() == "hello")
  }

  @Test func endlessInterimResponsesAreBounded() async throws {
    let proxy = try LoopbackServer { connection in
      _ = try connection.readRequest()
      let many = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 400)
      while true { try connection.send(many) }
    }
    let failure = await TestStreams.failure(try request(through: proxy, "http"))
    #expect(failure?.reason == .proxyFailed)
    #expect(failure?.detail.contains("more than 64 KiB") == true)
  }

  @Test func aLoginIsSent() async throws {
    let proxy = try ScriptedProxy.tunnel(script: Self.hello)
    let request = try request(through: proxy, "http", user: "Aladdin", password: "open sesame")
    _ = try await TestStreams.connector.connect(for: request)
    let sent = String(decoding: proxy.requests[0], as: UTF8.self)
    #expect(sent.contains("\r\nProxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"))
  }

  static let responses: [(response: String, reason: ReasonCode, words: String)] = [
    (
      "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", .proxyRefused,
      "status 407: it requires authentication"
    ),
    ("HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\npage", .proxyRefused, "status 403"),
    ("SSH-2.0-OpenSSH_9.2\r\n\r\n", .proxyFailed, "something other than HTTP"),
    ("HTTP/1.1 200 O", .proxyFailed, "broke off"),
    ("", .proxyFailed, "broke off"),
    ("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 12_000), .proxyFailed, "more than 64 KiB"),
  ]

  @Test(arguments: responses)
  func failedTunnelsAreReported(_ response: String, _ reason: ReasonCode, _ words: String) async throws {
    let proxy = try ScriptedProxy.tunnel(response: response, script: { _ in })
    let failure = await TestStreams.failure(try request(through: proxy, "http"))
    #expect(failure?.reason == reason)
    #expect(failure?.detail.contains(words) == true, "\(failure as Any)")
  }

  @Test func aSOCKSProxyResolvesNamesAndVerifiesLogins() async throws {
    let (hosts, host) = AsyncStream.makeStream(of: String.self)
    let proxy = try ScriptedProxy.socks(
      login: ("user", "secret"), record: { host.yield("\($0):\($1)") }, script: Self.hello)
    let request = try request(through: proxy, "socks5h", user: "user", password: "secret")
    let stream = try await TestStreams.connector.connect(for: request)
    #expect(try await stream.readLine() == "hello")
    for await host in hosts {
      #expect(host == "server.invalid:4321")
      break
    }
    let wrong = try self.request(through: proxy, "socks5h", user: "user", password: "guess")
    #expect(await TestStreams.failure(wrong)?.reason == .proxyRefused)
    let without = try self.request(through: proxy, "socks5h")
    #expect(await TestStreams.failure(without)?.reason == .proxyRefused)
  }

  /// With socks5, the name is resolved here (curl(1), --socks5), and the rules about addresses apply.
  @Test func aSOCKSProxyCanReceiveAnAddress() async throws {
    let (hosts, host) = AsyncStream.makeStream(of: String.self)
    let proxy = try ScriptedProxy.socks(record: { host.yield("\($0):\($1)") }, script: Self.hello)
    var request = try request(through: proxy, "socks5")
    request.url = try ProbeURL("tcp://localhost:4321")
    request.family = .v4
    let stream = try await TestStreams.connector.connect(for: request)
    #expect(try await stream.readLine() == "hello")
    #expect(stream.response.timings.resolve != nil)
    request.url = try ProbeURL("tcp://192.0.2.7:21")
    request.family = nil
    _ = try await TestStreams.connector.connect(for: request)
    request.url = try ProbeURL("tcp://server.invalid:22")
    request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "192.0.2.8", targetPort: 23)]
    _ = try await TestStreams.connector.connect(for: request)
    host.finish()
    #expect(
      await hosts.reduce(into: []) { $0.append($1) } == ["127.0.0.1:4321", "192.0.2.7:21", "192.0.2.8:23"])
    request.connectTo = []
    request.url = try ProbeURL("tcp://localhost:4321")
    request.staysOffThisMachine = true
    #expect(await TestStreams.failure(request)?.reason == .addressRefused)
  }

  @Test(arguments: [
    (1, "without saying why"), (2, "rules"), (3, "network"), (4, "host"), (5, "refused the connection"),
    (6, "a loop"), (7, "does not support connections"), (8, "kind of address"), (99, "no known reason"),
  ])
  func socksRepliesAreDescribed(_ code: UInt8, _ words: String) async throws {
    let proxy = try ScriptedProxy.socks(code: code)
    let failure = await TestStreams.failure(try request(through: proxy, "socks5h"))
    #expect(failure?.reason == .proxyRefused)
    #expect(failure?.detail.contains(words) == true)
  }

  @Test func aSilentProxyIsATimeout() async throws {
    let proxy = try LoopbackServer.holding()
    for kind in ["http", "socks5h"] {
      let words = "had made no tunnel"
      let failure = try await withGrowingLimit(
        from: .milliseconds(200),
        while: { (failure: ProbeFailure?) in failure?.detail.contains(words) == false }
      ) { limit in
        var request = try request(through: proxy, kind)
        request.connectTimeout = limit
        return await TestStreams.failure(request)
      }
      #expect(failure?.reason == .connectTimeout)
      #expect(failure?.detail.contains(words) == true)
    }
  }

  @Test func aProxyWithAClosedPortIsUnreachable() async throws {
    let port = try LoopbackServer.refusedPort()
    var request = ProbeRequest(try ProbeURL("tcp://server.invalid:4321"))
    request.proxy = try ProbeProxy("http://127.0.0.1:\(port)")
    #expect(await TestStreams.failure(request)?.reason == .proxyUnreachable)
  }
}

/// Why a link-local address cannot be connected to.
@Suite struct LinkLocalAddressTests {
  @Test(arguments: [
    ("fe80::1", "fe80::1", "fe80::1 is a link-local address"),
    ("febf::1", "febf::1", "febf::1 is a link-local address"),
    ("printer.local", "fe80::1", "printer.local resolves to fe80::1, which is a link-local address"),
  ])
  func theMissingInterfaceIsNamed(_ host: String, _ address: String, _ words: String) {
    let (reason, detail) = ConnectionFailure.connecting(
      to: host, at: IPAddress(address), .other("invalid argument"), else: "")
    #expect(reason == .invalidRequest)
    #expect(detail.hasPrefix(words) && detail.contains("--interface"), "\(detail)")
  }

  @Test(arguments: ["fec0::1", "2001:db8::1", "169.254.1.1", "::1"])
  func otherAddressesAreConnectedToAsTheyAre(_ address: String) {
    let (reason, detail) = ConnectionFailure.connecting(
      to: address, at: IPAddress(address), .other("invalid argument"), else: "")
    #expect(reason == .connectFailed && detail == "\(address): invalid argument")
  }
}
