import ProbeCore
import TestSupport
import Testing

@testable import FixtureReplay

/// Requests on their way to a replay server, over a transport in memory.
@Suite struct ReplayRoutingTransportTests {
  @Test func everyHopIsRouted() async throws {
    let hops = [
      "http://www.example/": "https://192.0.2.9/", "https://192.0.2.9/": "http://10.0.0.1:8080/x",
      "http://10.0.0.1:8080/x": "https://live.example:8443/",
    ]
    let transport = NotingTransport { request in
      .ok(request, status: hops[request.url.string] == nil ? 200 : 302, location: hops[request.url.string])
    }
    let target = StubTarget(dns: ["live.example": .address(IPAddress(v4: 0xC633_6401))])
    let response = try await transport.prober(to: target).probe(
      try request("http://www.example/") { $0.redirects = 5 })
    #expect(response.url.string == "https://live.example:8443/")
    #expect(response.remoteAddress?.description == "198.51.100.1:8443")
    #expect(
      transport.seen.map { $0.connectTarget?.description } == [
        "127.0.0.1:4080", "127.0.0.1:5001", "127.0.0.1:4080", "127.0.0.1:4443",
      ])
    #expect(target.portRequests == [.init(listener: .https, host: "192.0.2.9", port: 443)])
    #expect(target.names == ["www.example", "live.example"])
  }

  @Test func aTLSConnectionHasItsOwnPort() async throws {
    let target = StubTarget()
    let prober = try NotingTransport().prober(to: target)
    _ = try await prober.probe(try request("tcp://mail.example:993"))
    _ = try await prober.probe(try request("tls://mail.example:993"))
    #expect(
      target.portRequests == [
        .init(listener: .tcp, host: "mail.example", port: 993),
        .init(listener: .tcp, host: "mail.example", port: 993, startsTLS: true),
      ])
  }

  @Test func aSchemeThatCannotBeReplayedIsNotSent() async throws {
    let transport = NotingTransport()
    let failure = await ending(try transport.prober(to: StubTarget()), try request("memory://shop/"))
    #expect(failure?.reason == .invalidRequest)
    #expect(
      failure?.detail
        == "the replay server does not support memory, and nothing is sent to a real network: use http, https, tcp or tls URLs"
    )
    #expect(transport.seen.isEmpty)
  }

  @Test func aRedirectToSuchASchemeIsNotFollowed() async throws {
    let transport = NotingTransport { .ok($0, status: 302, location: "memory://shop/") }
    let failure = await ending(
      try transport.prober(to: StubTarget()), try request("http://www.example/") { $0.redirects = 5 })
    #expect(failure?.reason == .invalidRequest)
    #expect(transport.seen.count == 1)
  }

  @Test func aZeroTimeoutIsRefused() async throws {
    let transport = NotingTransport()
    let failure = await ending(
      try transport.prober(to: StubTarget()), try request("http://www.example/") { $0.timeout = .zero })
    #expect(failure?.detail == "the timeout is not positive")
    #expect(transport.seen.isEmpty)
  }

  private static let lookups: [(DNSAnswer, ReasonCode)] = [
    (.nxdomain, .noSuchHost), (.servfail, .dnsFailure),
  ]

  @Test(arguments: lookups)
  func unresolvedNamesAreNotConnectedTo(_ dnsAnswer: DNSAnswer, _ reason: ReasonCode) async throws {
    let transport = NotingTransport()
    let target = StubTarget(dns: ["*": dnsAnswer])
    let failure = await ending(try transport.prober(to: target), try request("http://www.example/"))
    #expect(failure?.reason == reason)
    #expect(failure?.partial?.url.string == "http://www.example/")
    #expect(failure?.partial?.remoteAddress == nil)
    #expect(transport.seen.isEmpty)
  }

  @Test func aSilentDNSServerTakesTheEntireTimeout() async throws {
    let transport = NotingTransport()
    let clock = ManualClock()
    let prober = try transport.prober(to: StubTarget(dns: ["*": .timeout]), clock: clock)
    let request = try request("http://www.example/") { $0.timeout = .milliseconds(2500) }
    let probe = Task { await ending(prober, request) }
    await clock.waitForSleeper()
    clock.advance(by: .milliseconds(2499))
    clock.advance(by: .milliseconds(1))
    let failure = await probe.value
    #expect(failure?.reason == .resolveTimeout)
    #expect(failure?.detail == "no DNS response after 2.5 s")
    #expect(failure?.partial?.timings.total == .milliseconds(2500))
    #expect(transport.seen.isEmpty)
  }

  @Test func cancellingEndsTheWaitForDNS() async throws {
    let clock = ManualClock()
    let prober = try NotingTransport().prober(to: StubTarget(dns: ["*": .timeout]), clock: clock)
    let request = try request("http://www.example/")
    let probe = Task { await ending(prober, request) }
    await clock.waitForSleeper()
    probe.cancel()
    #expect(await probe.value?.reason == .cancelled)
  }

  @Test func aFullServerIsReportedAsSuch() async throws {
    let transport = NotingTransport()
    let prober = try transport.prober(to: StubTarget(hasRoom: false))
    let failure = await ending(prober, try request("https://192.0.2.9/"))
    #expect(failure?.reason == .transportFailure)
    #expect(
      failure?.detail == "the replay server cannot serve 192.0.2.9, port 443: too many open files")
    #expect(transport.seen.isEmpty)
  }

  private static let servers: [(IPAddress, String)] = [
    (IPAddress(v4: 0), "127.0.0.1:4080"), (IPAddress(v6: 0), "[::1]:4080"), (IPAddress(v6: 1), "[::1]:4080"),
    (IPAddress(v4: 0x7F00_0009), "127.0.0.9:4080"),
  ]

  @Test(arguments: servers)
  func theServerIsReachedAtItsAddress(_ address: IPAddress, _ destination: String) async throws {
    let transport = NotingTransport()
    _ = try await transport.prober(to: StubTarget(address: address)).probe(try request("http://www.example/"))
    #expect(transport.seen.first?.connectTarget?.description == destination)
  }

  @Test func aTransportThatIgnoresTheRouteIsDetected() async throws {
    let transport = NotingTransport { request in
      ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: 200),
        remoteAddress: SocketAddress(IPAddress(v4: 0xC633_6401), port: 80))
    }
    let failure = await ending(
      try transport.prober(to: StubTarget()), try request("http://www.example/"))
    #expect(failure?.reason == .transportFailure)
    #expect(failure?.detail.contains("must use connectTo") == true)
  }

  @Test func routingKeepsTheEncryptionOfSchemes() throws {
    var registry = TransportRegistry()
    try registry.register(NotingTransport())
    let routed = registry.routed(to: StubTarget(), clock: ContinuousClock())
    #expect(routed.schemes == registry.schemes)
    for scheme in routed.schemes { #expect(routed.encryption(of: scheme) == registry.encryption(of: scheme)) }
  }
}
