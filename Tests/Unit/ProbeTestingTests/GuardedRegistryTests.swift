import BundledPlugins
import LoopbackServer
import ProbeCore
import Transports
import Testing

/// Rules for targets apply to every bundled transport.
@Suite struct GuardedRegistryTests {
  /// A URL for each scheme, with a host instead of `HOST` and the port of a server.
  private static let urls: [URLScheme: String] = [
    .http: "http://HOST:PORT/", .https: "https://HOST:PORT/", .tcp: "tcp://HOST:PORT",
    .tls: "tls://HOST:PORT", .udp: "udp://HOST:PORT",
    .dns: "dns://HOST:PORT/a.example", .dnsTLS: "dns+tls://HOST:PORT/a.example",
    .dnsHTTPS: "dns+https://HOST:PORT/a.example", .icmp: "icmp://HOST",
  ]

  private static var schemes: [URLScheme] { (try? PluginRegistry.bundled.transports.schemesOfURLs) ?? [] }

  private func request(
    _ scheme: URLScheme, _ host: String, _ port: UInt16, client: HTTPClient = .automatic
  ) throws -> ProbeRequest {
    let url = try #require(Self.urls[scheme], "a new scheme needs a row")
    var request = ProbeRequest(
      try ProbeURL(url.replacing("HOST", with: host).replacing("PORT", with: "\(port)")))
    request.timeout = .seconds(600)
    request.http.client = client
    if scheme == .udp { request[Dialog.self] = try Dialog([.send("a"), .expect("b")]) }
    return request
  }

  private func failure(_ request: ProbeRequest, _ rules: TargetRules?) async throws -> ProbeFailure? {
    let all = try PluginRegistry.bundled.transports
    let transports = rules.map { all.guarded(by: $0) } ?? all
    do throws(ProbeFailure) {
      _ = try await Prober(transports, policy: .plaintextAllowed).probe(request)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: schemes, ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"])
  func noTransportConnectsToThisMachine(_ scheme: URLScheme, _ host: String) async throws {
    let server = try LoopbackServer.holding()
    for client in [HTTPClient.own, .curl] {
      let failure = try await failure(try request(scheme, host, server.port, client: client), TargetRules())
      #expect(failure?.reason == .addressRefused, "\(failure as Any)")
    }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: schemes) func guardedAddressesBehindNamesAreRefused(_ scheme: URLScheme) async throws {
    let server = try LoopbackServer.holding()
    for client in [HTTPClient.own, .curl] {
      var request = try request(scheme, "localhost", server.port, client: client)
      // Like a name that is unknown before the lookup.
      request.addressRules = [.targets(TargetRules())]
      let failure = try await failure(request, nil)
      #expect(failure?.reason == .addressRefused)
      let words = "which is an address of this machine: not connected"
      #expect(failure?.detail.hasSuffix(words) == true, "\(failure as Any)")
    }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: schemes) func anExcludedHostIsNotLookedUp(_ scheme: URLScheme) async throws {
    let exclusions = try ExclusionList(Array("*.example".utf8))
    let failure = try await failure(
      try request(scheme, "a.example", 1), TargetRules(allowsPrivate: true, exclusions: exclusions))
    #expect(failure?.detail == "a.example is excluded by *.example: not connected")
    #expect(failure?.partial == nil)
  }
}
