import BundledPlugins
import LoopbackDNS
import LoopbackServer
import ProbeCore
import TestSupport
import Testing

@testable import Transports

/// Names that only a resolver of the test knows.
@Suite struct ResolverTests {
  private static let loopback: [UInt8] = [127, 0, 0, 1]
  private static let loopback6: [UInt8] = [UInt8](repeating: 0, count: 15) + [1]

  /// A resolver that knows `known.example` through two aliases.
  private static func resolver(isV6: Bool = false, hasV6: Bool = false) throws -> LoopbackDNS {
    try LoopbackDNS(isV6: isV6) { question in
      guard question.name == "known.example" else { return [DNSMessage(to: question, code: 3).bytes] }
      let aliases = DNSMessage(to: question).with(.alias("b.example"), timeToLive: 30)
        .with(.alias("c.example"), of: "b.example", timeToLive: 20)
      switch question.kind {
      case .a: return [aliases.with(.address(loopback), of: "c.example", timeToLive: 77).bytes]
      case .aaaa where hasV6:
        return [aliases.with(.address(loopback6), of: "c.example", timeToLive: 7).bytes]
      default: return [aliases.bytes]
      }
    }
  }

  private func probe(
    _ url: String, at resolver: SocketAddress?, _ change: (inout ProbeRequest) throws -> Void = { _ in }
  ) async throws -> ProbeResponse {
    var request = ProbeRequest(try ProbeURL(url))
    request.timeout = .seconds(600)
    request.resolver = resolver
    try change(&request)
    return try await Prober(PluginRegistry.bundled.transports, policy: .plaintextAllowed).probe(request)
  }

  private func failure(
    _ url: String, at resolver: SocketAddress?, _ change: (inout ProbeRequest) throws -> Void = { _ in }
  ) async throws -> ProbeFailure {
    try #require(await #expect(throws: ProbeFailure.self) { try await probe(url, at: resolver, change) })
  }

  @Test(arguments: [HTTPClient.own, .curl], [false, true])
  func theNameIsLookedUpThereAlone(_ client: HTTPClient, _ isV6: Bool) async throws {
    let resolver = try Self.resolver(isV6: isV6)
    let server = try LoopbackServer.http { .response(body: $0.header("Host") ?? "") }
    for host in ["known.example", "known.example."] {
      let response = try await probe("http://\(host):\(server.port)/", at: resolver.address) {
        $0.http.client = client
      }
      #expect(response.body == Array("\(host):\(server.port)".utf8) || host.hasSuffix("."))
      #expect(response.remoteAddress?.address == IPAddress(v4: 0x7F00_0001))
      let facts = try #require(response.connection)
      #expect(facts.resolver == resolver.address)
      #expect(facts.addresses.map(\.timeToLive) == [.seconds(77)])
      #expect(facts.aliases == ["b.example", "c.example"])
      #expect(response.timings.resolve != nil)
    }
    #expect(Set(resolver.questions.map(\.name)) == ["known.example"])
    // Each probe asks for both families, at a port that is not 53.
    #expect(Set(resolver.questions.map(\.kind)) == [.a, .aaaa] && resolver.address.port != 53)
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func aSecureServerIsVerifiedByItsName(_ client: HTTPClient) async throws {
    let resolver = try Self.resolver()
    let server = try SecureDNS(hosts: ["known.example"]) { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let response = try await probe("https://known.example:\(server.server.port)/", at: resolver.address) {
      $0.http.client = client
      $0.tls.additionalAuthorities = server.authority.path
    }
    #expect(response.status == 204 && server.server.serverNames == ["known.example"])
  }

  /// Names that libcurl would read as commands of its list of addresses, or look up by rules of its own.
  @Test(
    arguments: [HTTPClient.own, .curl],
    ["-known.example", "-known.example.", "-a", "known.invalid", "a.localhost.example", "a.onion.example"])
  func anyNameIsLookedUpThereAlone(_ client: HTTPClient, _ host: String) async throws {
    let resolver = try LoopbackDNS { question in
      let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [255, 255] + Self.loopback
      switch question.kind {
      case .a where question.name != "-a":
        return [DNSMessage(to: question).with(.address(Self.loopback)).bytes]
      case .aaaa where question.name == "-a": return [DNSMessage(to: question).with(.address(mapped)).bytes]
      default: return [DNSMessage(to: question).bytes]
      }
    }
    let server = try LoopbackServer.http { .response(body: $0.header("Host") ?? "") }
    let response = try await probe("http://\(host):\(server.port)/", at: resolver.address) {
      $0.http.client = client
    }
    #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(host.hasSuffix(".") ? "-known" : host))
    let facts = try #require(response.connection)
    #expect(facts.addresses.map(\.address) == [response.remoteAddress?.address])
    #expect(resolver.questions.count == 2)
    let closed = try LoopbackServer.refusedPort()
    let failure = try await failure("http://\(host)/", at: resolver.address) {
      $0.http.client = client
      $0.proxy = try ProbeProxy("socks5://\(host):\(closed)")
    }
    #expect(failure.detail.contains("refused the connection"), "\(failure)")
  }

  @Test func bothFamiliesAreTried() async throws {
    let resolver = try Self.resolver(hasV6: true)
    // Nothing listens at ::1 and this port.
    let server = try LoopbackServer.http { _ in .response(body: "a") }
    for client in [HTTPClient.own, .curl] {
      let response = try await probe("http://known.example:\(server.port)/", at: resolver.address) {
        $0.http.client = client
      }
      #expect(response.connection?.addresses.map(\.address.family) == [.v4, .v6])
      #expect(response.remoteAddress?.address.family == .v4)
      let before = resolver.questions.count
      _ = try await probe("http://known.example:\(server.port)/", at: resolver.address) {
        $0.http.client = client
        $0.family = .v4
      }
      #expect(resolver.questions.dropFirst(before).map(\.kind) == [.a])
    }
  }

  /// `localhost` is looked up at no server (RFC 6761 §6.3), so its addresses are not from the resolver.
  @Test func theResolverIsNotNamedWhereItIsNotAsked() async throws {
    let resolver = try Self.resolver()
    let server = try LoopbackServer.http { _ in .response(body: "a") }
    let echo = try LoopbackDatagrams { bytes, _ in [bytes] }
    for client in [HTTPClient.own, .curl] {
      let response = try await probe("http://localhost:\(server.port)/", at: resolver.address) {
        $0.http.client = client
      }
      #expect(response.connection != nil && response.connection?.resolver == nil)
    }
    let response = try await probe("udp://localhost:\(echo.port)", at: resolver.address) {
      $0[Dialog.self] = try Dialog([.send("a"), .expect("a")])
    }
    #expect(response.connection != nil && response.connection?.resolver == nil)
    #expect(resolver.questions.isEmpty)
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func anUnknownNameIsNamedWithTheResolver(_ client: HTTPClient) async throws {
    let resolver = try Self.resolver()
    // The hosts file and the system are not asked, and no search domain is added.
    for host in ["unknown.example", "ip6-localhost", "localhost.localdomain"] {
      let failure = try await failure("http://\(host):1/", at: resolver.address) { $0.http.client = client }
      #expect(failure.reason == .noSuchHost)
      #expect(failure.detail == "the resolver \(resolver.address) knows no address of \(host)")
      #expect(failure.partial?.connection?.resolver == resolver.address)
    }
    #expect(
      Set(resolver.questions.map(\.name)) == ["unknown.example", "ip6-localhost", "localhost.localdomain"])
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func aFailingResolverIsNamed(_ client: HTTPClient) async throws {
    let failing = try LoopbackDNS { [DNSMessage(to: $0, code: 2).bytes] }
    let failure = try await failure("http://known.example:1/", at: failing.address) {
      $0.http.client = client
    }
    #expect(failure.reason == .dnsFailure)
    #expect(
      failure.detail
        == "known.example could not be looked up at the resolver \(failing.address): the DNS server failed (SERVFAIL)"
    )
    let refused = SocketAddress(IPAddress(v4: 0x7F00_0001), port: try LoopbackServer.refusedPort())
    let closed = try await self.failure("http://known.example:1/", at: refused) { $0.http.client = client }
    #expect(closed.reason == .dnsFailure && closed.detail.contains("at the resolver \(refused)"), "\(closed)")
  }

  @Test(arguments: ["http://known.example:1/", "udp://known.example:1", "icmp://known.example"])
  func silenceIsATimeout(_ url: String) async throws {
    for client in [HTTPClient.own, .curl] {
      let silent = try LoopbackDNS { _ in [] }
      let failure = try await failure(url, at: silent.address) {
        $0.timeout = .milliseconds(600)
        $0.http.client = client
        $0[Dialog.self] = try Dialog([.send("a"), .expect("b")])
      }
      #expect(failure.reason == .resolveTimeout, "\(failure)")
      #expect(failure.detail.hasPrefix("no answer from the resolver \(silent.address) after "), "\(failure)")
    }
  }

  @Test func wrongAnswersAreIgnored() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "a") }
    let resolver = try LoopbackDNS { question in
      let right = DNSMessage(to: question)
      guard question.kind == .a else { return [right.bytes] }
      return [
        [1, 2, 3], right.with(.address([192, 0, 2, 66])).with(id: question.id &+ 1).bytes,
        right.with(.address(Self.loopback)).bytes,
      ]
    }
    let response = try await probe("http://known.example:\(server.port)/", at: resolver.address)
    #expect(response.connection?.addresses.map(\.address) == [IPAddress(v4: 0x7F00_0001)])
  }

  @Test func everyTransportObeys() async throws {
    let resolver = try Self.resolver()
    let peer = try LoopbackServer { try $0.send("hello") }
    let tcp = try await probe("tcp://known.example:\(peer.port)", at: resolver.address)
    let echo = try LoopbackDatagrams { bytes, _ in [bytes] }
    let udp = try await probe("udp://known.example:\(echo.port)", at: resolver.address) {
      $0[Dialog.self] = try Dialog([.send("a"), .expect("a")])
    }
    let names = try LoopbackDNS { [DNSMessage(to: $0).with(.address(Self.loopback)).bytes] }
    let dns = try await probe("dns://known.example:\(names.address.port)/a.example", at: resolver.address)
    let secure = try SecureDNS.overTLS(hosts: ["known.example"]) {
      framed(DNSMessage(to: $0).with(.address(Self.loopback)).bytes)
    }
    let tls = try await probe("dns+tls://known.example:\(secure.server.port)/a.example", at: resolver.address)
    {
      $0.tls.additionalAuthorities = secure.authority.path
    }
    for response in [tcp, udp, dns, tls] {
      #expect(response.connection?.resolver == resolver.address, "\(response.url)")
      #expect(response.connection?.addresses.map(\.timeToLive) == [.seconds(77)], "\(response.url)")
    }
  }

  @Test func aQueryWithoutAServerGoesToTheResolver() async throws {
    let resolver = try Self.resolver()
    let response = try await probe("dns:///known.example", at: resolver.address)
    #expect(response.dns?.answer.count == 3 && response.remoteAddress == resolver.address)
    let failure = try await failure("dns:///known.example", at: resolver.address) { $0.family = .v6 }
    #expect(failure.detail == "the resolver is not of this address family")
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func rulesAboutAddressesApply(_ client: HTTPClient) async throws {
    let resolver = try Self.resolver()
    let server = try LoopbackServer.holding()
    let failure = try await failure("http://known.example:\(server.port)/", at: resolver.address) {
      $0.http.client = client
      $0.staysOffThisMachine = true
    }
    #expect(failure.reason == .addressRefused && server.connectionCount == 0)
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func connectToAnAddressNeedsNoLookup(_ client: HTTPClient) async throws {
    let resolver = try Self.resolver()
    let server = try LoopbackServer.http { _ in .response(body: "a") }
    let direct = try await probe("http://other.example/", at: resolver.address) {
      $0.http.client = client
      $0.connectTo = [try ConnectTo("::127.0.0.1:\(server.port)")]
    }
    #expect(direct.connection?.resolver == nil && resolver.questions.isEmpty)
    // A name that a rule names is looked up there.
    let named = try await probe("http://other.example/", at: resolver.address) {
      $0.http.client = client
      $0.connectTo = [try ConnectTo("::known.example:\(server.port)")]
    }
    #expect(named.connection?.resolver == resolver.address)
  }

  /// libcurl keeps addresses for later transfers unless it is prevented from that.
  @Test func aLookupHasNoEffectOnOtherProbes() async throws {
    let (first, second) = (try Self.resolver(), try LoopbackDNS { [DNSMessage(to: $0, code: 3).bytes] })
    let server = try LoopbackServer.http { _ in .response(body: "a") }
    let url = "http://known.example:\(server.port)/"
    for _ in 0..<3 {
      for client in [HTTPClient.own, .curl] {
        let response = try await probe(url, at: first.address) { $0.http.client = client }
        #expect(response.body == [0x61])
        let failure = try await failure(url, at: second.address) { $0.http.client = client }
        #expect(failure.reason == .noSuchHost)
      }
    }
    #expect(first.questions.count == 12)
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func aProxyThatLooksUpNamesIsRefused(_ client: HTTPClient) throws {
    var request = ProbeRequest(try ProbeURL("http://known.example/"))
    request.resolver = SocketAddress(IPAddress(v4: 0xC000_0235), port: 53)
    request.http.client = client
    let transport = try #require(try PluginRegistry.bundled.transports[.http])
    request.proxy = try ProbeProxy("socks5h://proxy.example:1080")
    let error = #expect(throws: InvalidInput.self) { try transport.check(request) }
    #expect(error?.message == "the proxy looks up the names itself, so a resolver has no effect")
    request.proxy = try ProbeProxy("socks5://proxy.example:1080")
    try transport.check(request)
  }

  @Test(arguments: [HTTPClient.own, .curl])
  func namesForAProxyAreLookedUpThere(_ client: HTTPClient) async throws {
    let resolver = try Self.resolver()
    let closed = try LoopbackServer.refusedPort()
    let failure = try await failure("http://known.example/", at: resolver.address) {
      $0.http.client = client
      $0.proxy = try ProbeProxy("socks5://known.example:\(closed)")
    }
    #expect(failure.reason == .proxyUnreachable, "\(failure)")
    // Both the host and the proxy.
    #expect(resolver.questions.count == 4)
  }

  @Test(arguments: [
    ("192.0.2.53", "192.0.2.53:53"), ("192.0.2.53:5353", "192.0.2.53:5353"),
    ("2001:db8::53", "[2001:db8::53]:53"), ("[2001:db8::53]", "[2001:db8::53]:53"),
    ("[2001:db8::53]:99", "[2001:db8::53]:99"),
  ])
  func addressesOfResolvers(_ text: String, _ expected: String) throws {
    #expect(try SocketAddress(resolver: text).description == expected)
  }

  @Test(arguments: [
    "", "dns.example", "dns.example:53", "192.0.2.53:", "192.0.2.53:0", "192.0.2.53:65536", "192.0.2.53:+5",
    "[192.0.2.53]:53", "[2001:db8::53", "[2001:db8::53]5", "2001:db8::53]:5", "[fe80::1%eth0]:53",
    "192.0.2.53 ",
    "udp://192.0.2.53", ":53", "[]:53", "192.0.2.53:5:3",
  ])
  func otherTextsAreRefused(_ text: String) {
    let error = #expect(throws: InvalidInput.self) { try SocketAddress(resolver: text) }
    #expect(error?.remedy?.isEmpty == false)
  }
}
