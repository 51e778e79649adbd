import FoundationEssentials
import LoopbackServer
import ProbeTLS
import ProbeCore
import ProbeBase
import Testing

/// Requests through a proxy, and faulty proxies.
///
/// No name in these tests but localhost is looked up here: only proxies may look up names.
@Suite(.eachClient) struct ProxyTests {
  private static func origin() throws -> ServerContext {
    try Identities.shared.context(.init(hosts: ["server.invalid"]))
  }

  @Test func plainHTTPRequestsGoToTheProxyItself() async throws {
    let proxy = try LoopbackServer.http { _ in .response(body: "ok") }
    let response = try await transport.probe(
      try request("http://server.invalid:8080/page?q") {
        try $0.use(proxy, user: "me", password: "pass:word")
      })
    #expect(response.status == 200)
    #expect(response.remoteAddress?.port == proxy.port)
    let received = LoopbackRequest(try #require(proxy.requests.first))
    #expect(received.target == "http://server.invalid:8080/page?q")
    #expect(received.header("Host") == "server.invalid:8080")
    #expect(
      received.header("Proxy-Authorization") == "Basic " + Data("me:pass:word".utf8).base64EncodedString())
    #expect(received.header("Authorization") == nil)
  }

  @Test(arguments: ["http", "https", "socks5h"])
  func httpsGoesThroughATunnel(_ kind: String) async throws {
    let origin = try Self.origin()
    let proxy =
      switch kind {
      case "socks5h": try ScriptedProxy.socks(origin: origin)
      case "https":
        try ScriptedProxy.tunnel(
          origin: origin, tls: try Identities.shared.context(.init(hosts: ["localhost"])))
      default: try ScriptedProxy.tunnel(origin: origin)
      }
    let response = try await transport.probe(
      try request("https://server.invalid/") {
        $0.trustTestAuthority()
        $0.http.credentials = .bearer(Secret("for-the-server"))
        let isHTTP = kind != "socks5h"
        try $0.use(proxy, as: kind, user: isHTTP ? "me" : nil, password: isHTTP ? "pass" : nil)
      })
    #expect(response.status == 200)
    #expect(response.body == Array("ok".utf8))
    // The proxy's header fields are not part of the response.
    #expect(response.head?.fields["X-Proxy"] == nil)
    #expect(response.head?.fields["X-Origin"] == "yes")
    #expect(response.tls?.chain.first?.alternativeNames == ["server.invalid"])
    guard kind != "socks5h" else { return }
    let connect = LoopbackRequest(try #require(proxy.requests.first))
    #expect(connect.method == "CONNECT" && connect.target == "server.invalid:443")
    #expect(connect.header("Proxy-Authorization") == "Basic " + Data("me:pass".utf8).base64EncodedString())
    #expect(connect.header("Authorization") == nil, "the server's credentials are not for the proxy")
    #expect(connect.header("User-Agent") == nil)
    #expect(LoopbackRequest(proxy.requests[1]).header("Authorization") == "Bearer for-the-server")
    #expect(LoopbackRequest(proxy.requests[1]).header("Proxy-Authorization") == nil)
  }

  @Test func aSOCKSProxyResolvesNamesAndVerifiesLogins() async throws {
    let received = Guarded<[String]>([])
    let proxy = try ScriptedProxy.socks(
      login: (user: "me", password: "pass:word"),
      record: { host, port in received.withLock { $0.append("\(host):\(port)") } })
    let right = try request("http://server.invalid/") {
      try $0.use(proxy, as: "socks5h", user: "me", password: "pass:word")
    }
    #expect(try await transport.probe(right).status == 200)
    #expect(received.withLock(\.self) == ["server.invalid:80"])
    let wrong = try await failure(
      of: try request("http://server.invalid/") {
        try $0.use(proxy, as: "socks5h", user: "me", password: "wrong")
      })
    #expect(wrong?.reason == .proxyRefused)
    #expect(
      wrong?.detail
        == "the proxy socks5h://127.0.0.1:\(proxy.port) refused: it requires another authentication method")
  }

  @Test(arguments: [("socks5h", "localhost:80"), ("socks5", "127.0.0.1:80")])
  func theSchemeOfASOCKSProxySaysWhoResolvesNames(_ scheme: String, _ destination: String) async throws {
    let received = Guarded<[String]>([])
    let proxy = try ScriptedProxy.socks(
      record: { host, port in received.withLock { $0.append("\(host):\(port)") } })
    let request = try request("http://localhost/") {
      try $0.use(proxy, as: scheme)
      $0.family = .v4
    }
    let response = try await transport.probe(request)
    #expect(response.status == 200)
    #expect(response.timings.resolve.map { $0 <= (response.timings.total ?? .zero) } ?? (scheme == "socks5h"))
    #expect(received.withLock(\.self) == [destination])
    var refused = request
    refused.staysOffThisMachine = true
    #expect(try await failure(of: refused)?.reason == (scheme == "socks5" ? .addressRefused : nil))
  }

  @Test(arguments: [
    (1, "it failed without saying why"), (2, "its rules do not allow it"),
    (3, "the network cannot be reached"),
    (4, "the host cannot be reached"), (5, "the server refused the connection"),
  ])
  func socksRepliesAreDescribed(_ code: Int, _ words: String) async throws {
    let proxy = try ScriptedProxy.socks(code: UInt8(code))
    let failure = try await failure(
      of: try request("http://server.invalid/") { try $0.use(proxy, as: "socks5h") })
    #expect(failure?.reason == .proxyRefused)
    #expect(failure?.detail.hasSuffix("refused: \(words)") == true, "\(failure?.detail ?? "")")
  }

  @Test(arguments: [
    (
      "HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n",
      "responded to CONNECT with status 407: it requires authentication"
    ),
    ("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "responded to CONNECT with status 403"),
    ("HTTP/1.1 502 Bad\r\nContent-Length: 3\r\n\r\nbad", "responded to CONNECT with status 502"),
    ("HTTP/1.1 302 Go\r\nLocation: http://login.invalid/\r\n\r\n", "responded to CONNECT with status 302"),
  ])
  func aDeniedTunnelIsARefusal(_ response: String, _ words: String) async throws {
    let proxy = try ScriptedProxy.tunnel(response: response) { _ in }
    let failure = try await failure(of: try request("https://server.invalid/") { try $0.use(proxy) })
    #expect(failure?.reason == .proxyRefused)
    #expect(failure?.detail == "the proxy http://127.0.0.1:\(proxy.port) \(words)")
    #expect(failure?.partial?.head == nil && failure?.partial?.redirects.isEmpty == true)
  }

  @Test func aRequiredLoginForPlainHTTPIsARefusalToo() async throws {
    let proxy = try LoopbackServer.http { _ in .response(407, reason: "Login") }
    let failure = try await failure(of: try request("http://server.invalid/") { try $0.use(proxy) })
    #expect(failure?.reason == .proxyRefused)
    #expect(failure?.partial?.status == 407)
  }

  @Test(arguments: ["http://server.invalid/", "https://server.invalid/"], ["http", "https", "socks5h"])
  func aProxyWithAClosedPortIsUnreachable(_ url: String, _ kind: String) async throws {
    let port = try LoopbackServer.refusedPort()
    let failure = try await failure(
      of: try request(url) {
        $0.trustTestAuthority()
        $0.proxy = try ProbeProxy("\(kind)://127.0.0.1:\(port)")
      })
    #expect(failure?.reason == .proxyUnreachable)
    #expect(
      failure?.detail == "the proxy \(kind)://127.0.0.1:\(port) cannot be reached: it refused the connection")
  }

  @Test func anUnresponsiveProxyIsUnreachable() async throws {
    let blackhole = try BlackholePort()
    let failure = try await failure(
      of: try request("https://server.invalid/", timeout: .milliseconds(300)) {
        $0.proxy = try ProbeProxy("http://127.0.0.1:\(blackhole.port)")
      })
    #expect(failure?.reason == .proxyUnreachable)
  }

  @Test(arguments: ["http", "socks5h"])
  func aProxyThatClosesOrUsesAnotherProtocolFails(_ kind: String) async throws {
    for script in [
      { (connection: LoopbackConnection) in _ = try connection.read() },
      { try $0.send("SSH-2.0-OpenSSH\r\n") },
    ] as [LoopbackServer.Script] {
      let proxy = try LoopbackServer(script: script)
      let failure = try await failure(
        of: try request("https://server.invalid/") { try $0.use(proxy, as: kind) })
      #expect(failure?.reason == .proxyFailed, "\(failure?.description ?? "")")
    }
  }

  @Test func aProxyThatNeverRespondsIsAConnectTimeout() async throws {
    let proxy = try LoopbackServer.holding()
    let (failure, _) = try await timeout(
      of: try request("https://server.invalid/") { try $0.use(proxy) }, in: .connectTimeout)
    #expect(failure?.reason == .connectTimeout)
    #expect(failure?.detail.contains("had made no tunnel after") == true)
  }

  @Test(arguments: ["http", "socks5h"], [ReasonCode.tlsTimeout, .responseTimeout])
  func aSilentServerBehindATunnelIsNotTheProxysFault(_ kind: String, _ reason: ReasonCode) async throws {
    let origin = reason == .responseTimeout ? try Self.origin() : nil
    let proxy =
      kind == "http"
      ? try ScriptedProxy.tunnel(origin: origin) { $0.hold() }
      : try ScriptedProxy.socks(origin: origin, script: { $0.hold() })
    let (failure, _) = try await timeout(
      of: try request("https://server.invalid/") {
        $0.trustTestAuthority()
        try $0.use(proxy, as: kind)
      }, in: reason)
    #expect(failure?.reason == reason, "\(failure?.description ?? "")")
  }

  @Test func aServerBehindATunnelFailsLikeAnyOther() async throws {
    let expired = try Identities.shared.context(
      {
        var leaf = LeafOptions(hosts: ["server.invalid"])
        leaf.validity = .expired
        return leaf
      }())
    let proxies = [
      (try ScriptedProxy.tunnel(origin: expired), "http"),
      (try ScriptedProxy.socks(origin: expired), "socks5h"),
    ]
    for (proxy, kind) in proxies {
      let failure = try await failure(
        of: try request("https://server.invalid/") {
          $0.trustTestAuthority()
          try $0.use(proxy, as: kind)
        })
      #expect(failure?.reason == .certificateExpired)
    }
    let closing = try ScriptedProxy.tunnel { $0.reset() }
    let reset = try await failure(of: try request("https://server.invalid/") { try $0.use(closing) })
    #expect(reset?.reason == .connectReset || reset?.reason == .tlsHandshake, "\(reset?.description ?? "")")
  }

  @Test func aProxysCertificateIsVerified() async throws {
    let wrong = try Identities.shared.context(.init(hosts: ["other.invalid"]))
    let right = try Identities.shared.context(.init(hosts: ["localhost"]))
    for url in ["http://server.invalid/", "https://server.invalid/"] {
      let proxy = try ScriptedProxy.tunnel(tls: wrong)
      let name = try await failure(
        of: try request(url) {
          $0.trustTestAuthority()
          try $0.use(proxy, as: "https")
        })
      #expect(name?.reason == .proxyFailed, "\(name?.description ?? "")")
      #expect(name?.partial?.tls == nil, "the proxy's session is not the server's")
      let untrusted = try ScriptedProxy.tunnel(tls: right)
      let trust = try await failure(of: try request(url) { try $0.use(untrusted, as: "https") })
      #expect(trust?.reason == .proxyFailed)
      #expect(trust?.detail.contains("certificate of the proxy") == true, "\(trust?.detail ?? "")")
      #expect(proxy.requests.isEmpty && untrusted.requests.isEmpty)
    }
  }

  @Test func plainHTTPThroughAnEncryptedProxy() async throws {
    let proxy = try LoopbackServer.http(tls: try Identities.shared.context(.init(hosts: ["localhost"]))) {
      _ in
      .response(body: "ok")
    }
    let response = try await transport.probe(
      try request("http://server.invalid/") {
        $0.trustTestAuthority()
        try $0.use(proxy, as: "https")
      })
    #expect(response.status == 200)
    #expect(response.tls == nil)
    #expect(response.timings.tls == nil || response.timings.connect != nil)
  }
}
