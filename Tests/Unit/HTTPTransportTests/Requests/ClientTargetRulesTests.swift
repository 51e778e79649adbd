import LoopbackServer
import ProbeCore
import Testing

/// Rules for targets, with each client.
@Suite(.eachClient) struct ClientTargetRulesTests {
  private func rules(_ exclusions: String) throws -> [AddressRule] {
    [.targets(TargetRules(allowsPrivate: true, exclusions: try ExclusionList(Array(exclusions.utf8))))]
  }

  @Test func theAllowedAddressOfANameIsUsed() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "allowed") }
    let request = try request("http://localhost:\(server.port)/") { $0.addressRules = try rules("::1") }
    let response = try await transport.probe(request)
    #expect(response.status == 200)
    #expect(response.remoteAddress?.address == IPAddress("127.0.0.1"))
  }

  @Test func aRefusedAddressIsNotUsed() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "excluded") }
    let request = try request("http://localhost:\(server.port)/") {
      $0.addressRules = try rules("127.0.0.0/8")
    }
    let failure = try await failure(of: request)
    #expect(failure?.reason == .addressRefused)
    // libcurl reports only the last address that it tried.
    let words =
      failure?.partial?.remoteAddress?.address == IPAddress("127.0.0.1")
      ? "localhost resolves to 127.0.0.1, which is excluded by 127.0.0.0/8: not connected"
      : "an address of localhost is refused by the rules of the request: not connected"
    #expect(failure?.detail == words)
    #expect(server.connectionCount == 0)
  }

  @Test func aConnectToTargetIsNotRefused() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "as the user says") }
    for target in ["127.0.0.1", "localhost"] {
      let request = try request("http://a.example/") {
        $0.addressRules = [.targets(TargetRules())]
        $0.connectTo = [try ConnectTo("::\(target):\(server.port)")]
      }
      #expect(try await failure(of: request) == nil)
    }
    // A rule with only a port does not change the address.
    let moved = try request("http://127.0.0.1/") {
      $0.addressRules = [.targets(TargetRules())]
      $0.connectTo = [try ConnectTo(":::\(server.port)")]
    }
    #expect(try await failure(of: moved)?.reason == .addressRefused)
  }

  @Test func theUsersProxyIsNotRefused() async throws {
    let proxy = try LoopbackServer.http { _ in .response(body: "through the proxy") }
    let request = try request("http://a.example/") {
      $0.addressRules = [.targets(TargetRules())]
      try $0.use(proxy)
    }
    #expect(try await failure(of: request) == nil)
  }

  @Test func theProxyIsChosenForEachRedirect() async throws {
    let server = try LoopbackServer.http { request in
      request.target == "/start"
        ? .response(302, headers: [(name: "Location", value: "http://outside.example/")])
        : .response(body: "direct")
    }
    let origin = "127.0.0.1:\(server.port)"
    let proxy = try LoopbackServer.http { request in
      request.target == "http://outside.example/"
        ? .response(302, headers: [(name: "Location", value: "http://\(origin)/inside")])
        : .response(body: "proxy")
    }
    var transports = TransportRegistry()
    try transports.register(transport)
    let probeProxy = try ProbeProxy("http://127.0.0.1:\(proxy.port)")
    let request = try request("http://\(origin)/start") {
      $0.redirects = 3
      $0.proxyAfterRedirect = { $0.host == "127.0.0.1" ? nil : probeProxy }
    }
    let response = try await Prober(transports, policy: .plaintextAllowed).probe(request)
    #expect(String(decoding: response.body, as: UTF8.self) == "direct")
    #expect(proxy.requests.map { LoopbackRequest($0).target } == ["http://outside.example/"])
    #expect(server.requests.map { LoopbackRequest($0).target } == ["/start", "/inside"])
  }

  @Test(arguments: ["http://10.0.0.1/", "http://[::ffff:169.254.169.254]/", "http://excluded.example/"])
  func redirectsToRefusedTargetsAreNotFollowed(_ location: String) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n".utf8))
    var transports = TransportRegistry()
    try transports.register(transport)
    let exclusions = try ExclusionList(Array("excluded.example".utf8))
    let request = try request("http://open.example/") {
      $0.redirects = 3
      // Only for the first exchange.
      $0.connectTo = [try ConnectTo("open.example::127.0.0.1:\(server.port)")]
    }
    let prober = Prober(
      transports.guarded(by: TargetRules(exclusions: exclusions)), policy: .plaintextAllowed)
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(request) }
    #expect(failure?.reason == .addressRefused)
    #expect(failure?.partial?.status == 302)
    #expect(server.connectionCount == 1)
  }
}
