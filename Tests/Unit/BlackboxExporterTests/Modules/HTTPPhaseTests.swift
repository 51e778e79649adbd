import LoopbackServer
import ProbeCore
import ProbeBase
import Testing

@testable import BlackboxExporter

/// The phases of an HTTP probe, and the effect of a proxy on them.
@Suite struct HTTPPhaseTests {
  private static let phases: Set<String> = ["resolve", "connect", "tls", "processing", "transfer"]

  private static func phases(of report: ProbeReport) -> Set<String> {
    report.samples.values(of: "phase", in: "probe_http_duration_seconds")
  }

  @Test func aProbeWithTLSHasFivePhases() async throws {
    let server = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in .response() }
    let report = try await probeHTTP(server.secureURL) {
      $0.addresses = .ipv4
      $0.tls.checks.observesCertificates = true
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(Self.phases(of: report) == Self.phases)
    let times = report.samples.all.filter { $0.name == "probe_http_duration_seconds" }
    #expect(times.allSatisfy { $0.value >= 0 })
    let handshake = times.first { $0.labels["phase"] == "tls" }?.value ?? 0
    #expect(handshake > 0)
    let (sum, whole) = (times.map(\.value).reduce(0, +), report.samples["probe_duration_seconds"] ?? 0)
    #expect(sum <= whole)
  }

  @Test func anUnknownNameHasOnlyTheResolvePhase() async throws {
    let report = try await probeHTTP("http://name.invalid/")
    #expect(report.failure != nil)
    #expect(Self.phases(of: report) == ["resolve"], "\(report.text)")
    #expect(report.samples["probe_dns_lookup_time_seconds"] != nil)
    #expect(report.samples["probe_ip_protocol"] == 0)
  }

  /// The settings for a proxy, and whether the name is looked up locally.
  struct ProxyCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hasProxy = false
    var skips = false
    var noProxy: [String] = []
    let looksUp: Bool
  }

  @Test(arguments: [
    ProxyCase(testDescription: "no proxy, to be skipped", skips: true, looksUp: true),
    ProxyCase(testDescription: "no proxy", looksUp: true),
    ProxyCase(testDescription: "a proxy", hasProxy: true, looksUp: true),
    ProxyCase(testDescription: "a proxy, to be skipped", hasProxy: true, skips: true, looksUp: false),
    ProxyCase(
      testDescription: "a proxy for others", hasProxy: true, noProxy: ["127.0.0.0/8"], looksUp: true),
    ProxyCase(
      testDescription: "a proxy for others, to be skipped", hasProxy: true, skips: true,
      noProxy: ["localhost", "127.0.0.1"], looksUp: true),
  ])
  func theLookupIsLeftToTheProxyIfConfigured(_ given: ProxyCase) async throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    let proxy = try LoopbackServer.http { _ in .response(204) }
    let report = try await probeHTTP(server.url()) { module in
      if given.hasProxy { module.proxy = try ProbeProxy("http://\(proxy.hostAndPort)") }
      module.leavesLookupToProxy = given.skips
      module.noProxy = given.noProxy
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(Self.phases(of: report) == (given.looksUp ? Self.phases : Self.phases.subtracting(["resolve"])))
    for name in ["probe_dns_lookup_time_seconds", "probe_ip_protocol", "probe_ip_addr_hash"] {
      #expect((report.samples[name] != nil) == given.looksUp, "\(name)")
    }
    let usesProxy = given.hasProxy && given.noProxy.isEmpty
    #expect(proxy.requests.count == (usesProxy ? 1 : 0))
    #expect(server.requests.count == (usesProxy ? 0 : 1))
    if usesProxy { #expect(proxy.firstRequest?.target == server.url()) }
  }

  @Test func aNameThatOnlyTheProxyKnowsIsSentToTheProxy() async throws {
    let proxy = try LoopbackServer.http { _ in .response() }
    let report = try await probeHTTP("http://name.invalid/a") { module in
      module.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
      module.leavesLookupToProxy = true
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(proxy.firstRequest?.target == "http://name.invalid/a")
  }

  /// The target, and what an HTTP proxy receives with and without a local lookup.
  @Test(arguments: [
    ("http://localhost:81/a%2Fb?c", "GET http://localhost:81/a%2Fb?c", "GET http://localhost:81/a%2Fb?c"),
    ("localhost:81", "GET http://localhost:81/", "GET http://localhost:81/"),
    ("http://127.0.0.1:81/", "GET http://127.0.0.1:81/", "GET http://127.0.0.1:81/"),
    ("http://[::1]:81/", "GET http://[::1]:81/", "GET http://[::1]:81/"),
    // A tunnel leads to the address that was looked up, as in blackbox_exporter.
    ("https://localhost:81/", "CONNECT 127.0.0.1:81", "CONNECT localhost:81"),
    ("https://[::1]:81/", "CONNECT [::1]:81", "CONNECT [::1]:81"),
  ])
  func aProxyReceivesTheNameOfATarget(_ target: String, _ looksUp: String, _ skips: String) async throws {
    let name = ["127.0.0.1", "[::1]"].first { target.contains($0) } ?? "localhost"
    for (skip, expected) in [(false, looksUp), (true, skips)] {
      // No proxy permits a tunnel here.
      let proxy = try LoopbackServer.http { $0.method == "CONNECT" ? .response(403) : .response() }
      _ = try await probeHTTP(target) { module in
        module.addresses = .ipv4
        module.proxy = try ProbeProxy("http://\(proxy.hostAndPort)", user: "user", password: Secret("pass"))
        module.leavesLookupToProxy = skip
      }
      let request = try #require(proxy.firstRequest)
      #expect("\(request.method) \(request.target)" == expected)
      #expect(request.header("Proxy-Authorization") == "Basic dXNlcjpwYXNz")
      if request.method == "GET" {
        #expect(request.header("Host") == (target.contains("81") ? "\(name):81" : name))
      }
    }
  }

  @Test func anHTTPSProxyReceivesTheNameOfATarget() async throws {
    let proxy = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in .response() }
    let report = try await probeHTTP("http://localhost:81/a") { module in
      module.proxy = try ProbeProxy("https://localhost:\(proxy.port)")
      module.tls.authorities = try TestAuthority.pem
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(proxy.firstRequest?.target == "http://localhost:81/a")
  }

  @Test func aSOCKSProxyReceivesTheAddressUnlessItLooksUp() async throws {
    for (skips, expected) in [(false, "127.0.0.1:81"), (true, "localhost:81")] {
      let destinations = Guarded<[String]>([])
      let proxy = try ScriptedProxy.socks(record: { host, port in
        destinations.withLock { $0.append("\(host):\(port)") }
      })
      let report = try await probeHTTP("http://localhost:81/") { module in
        module.addresses = .ipv4
        module.proxy = try ProbeProxy("socks5h://\(proxy.hostAndPort)")
        module.leavesLookupToProxy = skips
      }
      #expect(destinations.withLock(\.self) == [expected], "\(report.story)")
    }
  }

  @Test func theHostFieldOfAModuleDoesNotChangeWhereAProxyConnects() async throws {
    let proxy = try LoopbackServer.http { _ in .response() }
    for hostname in [nil, "shop.example"] {
      _ = try await probeHTTP("http://localhost:81/", hostname: hostname) { module in
        module.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
        if hostname == nil { module.headers = ["Host": "shop.example"] }
      }
    }
    let requests = proxy.requests.map { LoopbackRequest($0) }
    #expect(requests.map(\.target) == ["http://localhost:81/", "http://localhost:81/"])
    #expect(requests.map { $0.header("Host") } == ["shop.example", "shop.example"])
  }
}
