import PortalAnalysis
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// Responses from this machine itself, to names that resolve to its own addresses: they say nothing about the network.
@Suite struct OwnMachineTests {
  /// What a host does.
  private enum Host: Sendable {
    /// The expected response, from the Internet.
    case open
    /// A page with a login, from this address.
    case page(String)
    /// The expected response, from this address.
    case expected(String)
    /// A redirect to a login, from this address.
    case redirect(String)
    /// A certificate that is not trusted, from this address.
    case certificate(String)
    /// The first address of this machine that is not loopback.
    case ownPage
    /// The connection to this address is refused.
    case refused(String)
    /// The connection to an address of an interface of this machine fails for this reason.
    case ownFailure(ReasonCode)
    /// Nothing responds.
    case silent
  }

  private static let login = "<title>Home</title><form action=/login><input type=password name=p></form>"

  private static func respond(_ host: Host, to url: String) throws -> ProbeResponse {
    switch host {
    case .open: return try fakeResponse(url, body: "ok", from: "192.0.2.1")
    case .page(let address): return try fakeResponse(url, body: login, from: address)
    case .expected(let address): return try fakeResponse(url, body: "ok", from: address)
    case .redirect(let address):
      return try fakeResponse(url, 302, fields: ["Location": "http://login.example/"], from: address)
    case .ownPage:
      var response = try fakeResponse(url, body: login, from: "203.0.113.7")
      response.connectsToItself = true
      return response
    case .certificate(let address):
      var partial = try fakeResponse(url, nil, from: address)
      partial.tls = TLSFacts(version: "TLSv1.3")
      throw ProbeFailure(.certificateSelfSigned, "self-signed", partial: partial)
    case .refused(let address):
      throw ProbeFailure(.connectRefused, "refused", partial: try fakeResponse(url, nil, from: address))
    case .ownFailure(let reason):
      var partial = try fakeResponse(url, nil, from: "203.0.113.7")
      partial.connectsToItself = true
      throw ProbeFailure(reason, "failed", partial: partial)
    case .silent: throw ProbeFailure(.connectTimeout, "silent")
    }
  }

  /// Probes one URL of each host, over HTTP unless it has a certificate.
  private func run(
    _ hosts: [Host], _ question: Question = .internet, threshold: Threshold = .all,
    named only: String? = nil, _ adjust: (inout ProbeRequest) -> Void = { _ in }
  ) async throws -> RunResult {
    let names = hosts.indices.map { only ?? "probe.operator\($0).example" }
    let transport = FakeTransport { request in
      guard let index = names.firstIndex(of: request.url.host) else {
        throw ProbeFailure(.connectRefused, "refused")
      }
      return try Self.respond(hosts[index], to: request.url.string)
    }
    let probes = try zip(hosts, names).map { host, name in
      let isSecure = if case .certificate = host { true } else { false }
      let bracketed = name.contains(":") ? "[\(name)]" : name
      var request = ProbeRequest(try ProbeURL("\(isSecure ? "https" : "http")://\(bracketed)/"))
      adjust(&request)
      return PlannedProbe(url: request.url.string, request: request, validator: BodyIs(text: "ok"))
    }
    let plan = try ProbePlan(
      name: "test", question: question, policy: .plaintextAllowed,
      sets: [PlannedSet(name: "http", threshold: threshold, probes: probes)])
    return await PipelineRunner(try transport.registry).run(plan)
  }

  private static let own = ["127.0.0.1", "127.0.1.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1"]

  @Test(arguments: own) func aPageOfThisMachineIsNoPortal(_ address: String) async throws {
    for host in [Host.page(address), .redirect(address), .expected(address), .ownPage] {
      let result = try await run([host, host])
      #expect(result.verdict == .inconclusive && result.portal == nil, "\(host)")
      let probe = result.sets[0].probes[0]
      #expect(probe.outcome == .failed && probe.reason == .ownAddress, "\(host)")
      #expect(result.evidence.contains { $0.kind == .responseOfThisMachine && $0.probes.count == 2 })
      #expect(!result.evidence.contains { [.portal, .intercepted, .address].contains($0.kind) }, "\(host)")
    }
  }

  @Test func theOtherProbesDecide() async throws {
    let half = try Threshold("50%")
    let online = try await run([.page("127.0.0.1"), .open, .ownPage, .open], threshold: half)
    #expect(online.verdict == .online)
    #expect(
      online.evidence.first { $0.kind == .responseOfThisMachine }?.summary
        == "2 probes reached this machine itself, and so say nothing about the network: "
        + "probe.operator0.example resolves to 127.0.0.1, probe.operator2.example resolves to 203.0.113.7")
    #expect(try await run([.page("::1"), .silent, .silent]).verdict == .offline)
    #expect(
      try await run([.expected("::1"), .page("192.0.2.1"), .page("192.0.2.1")]).verdict == .captivePortal)
    #expect(try await run([.expected("127.0.0.1"), .silent], threshold: half).verdict == .offline)
  }

  @Test func aCertificateOfThisMachineShowsNoInterception() async throws {
    let result = try await run([.certificate("127.0.0.1"), .certificate("127.0.0.1"), .silent])
    #expect(result.verdict == .offline)
    #expect(!result.evidence.contains { [.certificates, .serverCertificate].contains($0.kind) })
  }

  /// That nothing responds is the statement of this machine, too.
  @Test func anUnusedAddressOfThisMachineShowsNothing() async throws {
    for host in [
      Host.refused("0.0.0.0"), .refused("127.0.0.1"), .refused("::"), .ownFailure(.connectRefused),
      .ownFailure(.connectTimeout), .ownFailure(.httpNoResponse), .ownFailure(.cancelled),
    ] {
      for hosts in [[host], [host, host], [host, .page("127.0.0.1")], [.ownPage, host]] {
        let result = try await run(hosts)
        #expect(result.verdict == .inconclusive && result.interception == nil, "\(hosts)")
        #expect(result.sets[0].probes.allSatisfy { $0.reason == .ownAddress }, "\(hosts)")
        #expect(result.evidence.map(\.kind) == [.accepted, .responseOfThisMachine], "\(hosts)")
      }
      #expect(try await run([host, host, .silent]).verdict == .offline, "\(host)")
      #expect(try await run([host, .open], threshold: Threshold("50%")).verdict == .online, "\(host)")
    }
    let result = try await run([.ownFailure(.connectRefused)])
    #expect(
      result.sets[0].probes[0].detail
        == "probe.operator0.example resolves to 203.0.113.7, an address of this machine itself: failed")
  }

  /// Neither a rule about addresses nor what this machine lacks is what the address does.
  @Test(arguments: [ReasonCode.addressRefused, .noDescriptors])
  func theReasonOfAnAddressThatWasNotConnectedToIsKept(_ reason: ReasonCode) async throws {
    let result = try await run([.ownFailure(reason), .ownFailure(reason)])
    #expect(result.verdict == .inconclusive && result.sets[0].probes[0].reason == reason)
    let hasEvidence = result.evidence.contains { $0.kind == .responseOfThisMachine }
    #expect(hasEvidence == (reason == .addressRefused))
  }

  /// A user who names this machine wants its servers, and a route to them is no lookup.
  @Test func namedServersOfThisMachineCount() async throws {
    for name in ["127.0.0.1", "::1", "localhost", "printer.lan", "nas"] {
      let result = try await run([.expected("127.0.0.1")], named: name)
      #expect(result.verdict == .online, "\(name)")
    }
    let routed = try await run([.page("127.0.0.1"), .page("127.0.0.1")]) { request in
      request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: 8080)]
    }
    #expect(routed.verdict == .captivePortal)
    let proxied = try await run([.expected("127.0.0.1")]) {
      $0.proxy = try? ProbeProxy("socks5h://127.0.0.1:1080")
    }
    #expect(proxied.verdict == .online)
  }

  @Test func aServiceOfThisMachineCanBeHealthy() async throws {
    #expect(try await run([.expected("127.0.0.1")], .services).verdict == .healthy)
    let result = try await run([.page("127.0.0.1"), .page("127.0.0.1")], .services)
    #expect(result.verdict == .unhealthy && result.portal == nil)
    #expect(result.sets[0].probes[0].reason == .bodyMismatch)
    #expect(!result.evidence.contains { $0.kind == .responseOfThisMachine })
  }

  /// The response to the URL of the probe counts, not that to the target of its redirect.
  @Test func redirectsFromThisMachineAreItsOwn() async throws {
    let result = try await run([.redirect("127.0.0.1")]) { $0.redirects = 1 }
    #expect(result.verdict == .inconclusive && result.portal == nil)
    let portal = try await run([.redirect("192.0.2.1"), .redirect("192.0.2.1")]) { $0.redirects = 1 }
    #expect(portal.verdict == .captivePortal)
  }
}
