import LoopbackServer
import ProbeCore
import Transports
import TestSupport
import Testing

private let transport = TCPTransport()

/// A request to a port of this machine.
private func request(
  _ url: String, timeout: Duration = .seconds(60), expecting text: String? = nil, maxBody: Int = 64 * 1024
) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL(url))
  request.timeout = timeout
  request.maxBody = maxBody
  request.expectation = text.map { text in
    ClosureValidator { response in
      String(decoding: response.body, as: UTF8.self).contains(text)
        ? .accepted : .rejected(.bodyMismatch, expected: text, found: "something else")
    }
  }
  return request
}

private func failure(of request: ProbeRequest) async throws -> ProbeFailure? {
  do {
    _ = try await transport.probe(request)
    return nil
  } catch let failure as ProbeFailure {
    return failure
  }
}

/// The result of a probe with a short timeout, which is extended on a loaded machine until the probe proceeds
/// far enough.
private func givenTime(
  beyond tooEarly: Set<ReasonCode> = [.connectTimeout],
  _ probe: (_ timeout: Duration) async throws -> ProbeResponse
) async throws -> ProbeResponse {
  let result = try await withGrowingLimit(
    from: .milliseconds(300),
    while: { (result: Result<ProbeResponse, ProbeFailure>) in
      if case .failure(let failure) = result { tooEarly.contains(failure.reason) } else { false }
    }
  ) { timeout in
    do {
      return .success(try await probe(timeout))
    } catch let failure as ProbeFailure {
      return .failure(failure)
    }
  }
  return try result.get()
}

extension LoopbackServer {
  fileprivate var tcpURL: String { "tcp://127.0.0.1:\(port)" }
}

/// Connecting, and receiving the expected data.
@Suite struct TCPTransportTests {
  @Test func anEstablishedConnectionIsAResponse() async throws {
    let server = try LoopbackServer { $0.hold() }
    let response = try await transport.probe(try request(server.tcpURL))
    #expect(response.head == nil)
    #expect(response.body.isEmpty)
    #expect(response.remoteAddress?.port == server.port)
    #expect(response.timings.connect.map { $0 > .zero } == true)
  }

  @Test func aSegmentedBannerIsReassembled() async throws {
    let server = try LoopbackServer { connection in
      try connection.sendSlowly(Array("SSH-2.0-Test\r\n".utf8), piece: 3, every: .milliseconds(5))
      connection.hold()
    }
    let response = try await transport.probe(try request(server.tcpURL, expecting: "SSH-2.0-Test"))
    #expect(response.body.starts(with: "SSH-2.0-Test".utf8))
    #expect(response.timings.firstByte != nil)
  }

  @Test func aWrongBannerIsReturnedForJudgement() async throws {
    let server = try LoopbackServer { try $0.send("220 mail.example ESMTP\r\n") }
    let response = try await transport.probe(try request(server.tcpURL, expecting: "SSH-2.0"))
    #expect(response.body == Array("220 mail.example ESMTP\r\n".utf8))
  }

  @Test func aPartialBannerIsReturnedAtTheTimeout() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("SSH")
      connection.hold()
    }
    let response = try await givenTime(beyond: [.connectTimeout, .responseTimeout]) { timeout in
      try await transport.probe(try request(server.tcpURL, timeout: timeout, expecting: "SSH-2.0"))
    }
    #expect(response.body == Array("SSH".utf8))
  }

  @Test func silenceIsATimeout() async throws {
    let server = try LoopbackServer { $0.hold() }
    let failure = await #expect(throws: ProbeFailure.self) {
      try await givenTime { timeout in
        try await transport.probe(try request(server.tcpURL, timeout: timeout, expecting: "SSH-2.0"))
      }
    }
    #expect(failure?.reason == .responseTimeout)
    #expect(failure?.partial?.remoteAddress?.port == server.port)
  }

  @Test func anEndlessBannerIsCut() async throws {
    let server = try LoopbackServer { connection in
      while true { try connection.send([UInt8](repeating: 0x78, count: 10_000)) }
    }
    let response = try await transport.probe(try request(server.tcpURL, expecting: "SSH-2.0", maxBody: 1000))
    #expect(response.body.count == 1000)
    #expect(response.bodyIsCut)
  }

  @Test func refusalResetAndTimeoutAreReported() async throws {
    let refused = try LoopbackServer.refusedPort()
    #expect(try await failure(of: try request("tcp://127.0.0.1:\(refused)"))?.reason == .connectRefused)
    let resetting = try LoopbackServer { $0.reset() }
    let reset = try await failure(of: try request(resetting.tcpURL, expecting: "x"))
    #expect(reset?.reason == .connectReset)
    let blackhole = try BlackholePort()
    let timeout = try await failure(
      of: try request("tcp://127.0.0.1:\(blackhole.port)", timeout: .milliseconds(300)))
    #expect(timeout?.reason == .connectTimeout)
  }

  @Test func cancellingEndsTheWaitForABanner() async throws {
    let (accepted, acceptance) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      acceptance.yield()
      connection.hold()
      end.yield()
    }
    let url = server.tcpURL
    let probe = Task { try await failure(of: try request(url, expecting: "never")) }
    for await _ in accepted { break }
    probe.cancel()
    #expect(try await probe.value?.reason == .cancelled)
    for await _ in ended { break }
  }

  @Test func manyConcurrentProbesSucceed() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("number \(connection.number)\n")
      connection.hold()
    }
    let url = server.tcpURL
    let banners = await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<200 {
        group.addTask { try? await transport.probe(try request(url, expecting: "\n")).body }
      }
      return await group.reduce(into: Set()) { if let banner = $1 { $0.insert(banner) } }
    }
    #expect(banners.count == 200)
  }

  @Test(arguments: ["tcp://127.0.0.1", "tcp://127.0.0.1:22/path", "tcp://127.0.0.1:22?x"])
  func urlsWithoutAPortOrWithAPathOrQueryAreRefused(_ url: String) async throws {
    let request = try request(url)
    #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(try await failure(of: request)?.reason == .invalidRequest)
  }

  @Test func theServerIsReachedThroughATunnel() async throws {
    let proxy = try LoopbackServer { connection in
      if try connection.readRequest().isEmpty { return }
      // The server may send at once, in the same segment.
      try connection.send("HTTP/1.1 200 OK\r\nX-Proxy: yes\r\n\r\nSSH-2.0-Test\r\n")
      connection.hold()
    }
    var request = try request("tcp://server.invalid:22", expecting: "SSH-2.0-Test")
    request.proxy = try ProbeProxy("http://127.0.0.1:\(proxy.port)")
    #expect(try await transport.probe(request).body == Array("SSH-2.0-Test\r\n".utf8))
    #expect(proxy.requestTexts.first?.hasPrefix("CONNECT server.invalid:22 HTTP/1.1\r\n") == true)
    request.proxy = try ProbeProxy("http://127.0.0.1:\(try LoopbackServer.refusedPort())")
    #expect(try await failure(of: request)?.reason == .proxyUnreachable)
  }

  @Test func aDeniedTunnelAndAnHTTPSProxyAreRefused() async throws {
    let proxy = try LoopbackServer.http { _ in .response(407, reason: "Login") }
    var request = try request("tcp://server.invalid:22")
    request.proxy = try ProbeProxy("http://127.0.0.1:\(proxy.port)")
    #expect(try await failure(of: request)?.reason == .proxyRefused)
    request.proxy = try ProbeProxy("https://127.0.0.1:\(proxy.port)")
    let encrypted = request
    let error = #expect(throws: InvalidInput.self) { try transport.check(encrypted) }
    #expect(error?.message == "a tcp probe cannot go through an https proxy")
  }
}
