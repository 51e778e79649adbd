import PortalAnalysis
import ProbeCore
import ProbeBase
import Validators
import Testing
import TestTransports

@testable import ProbePipeline

/// Redirects as the only sign of a portal: the target is requested, within the rules of the security
/// contract.
@Suite struct OpenRedirectsTests {
  /// A network in which every probed host redirects, with a record of the requests.
  private final class Network: Sendable {
    let location: String
    let pages: [String: (status: Int, fields: HeaderFields, body: String)]
    let requests = Guarded<[ProbeRequest]>([])

    init(
      redirectingTo location: String, pages: [String: (status: Int, fields: HeaderFields, body: String)] = [:]
    ) {
      (self.location, self.pages) = (location, pages)
    }

    var transport: FakeTransport {
      FakeTransport { [self] request in
        requests.withLock { $0.append(request.withoutRun) }
        if let page = pages[request.url.host] {
          return ProbeResponse(
            url: request.url, head: HTTPResponseHead(status: page.status, fields: page.fields),
            body: Array(page.body.utf8))
        }
        guard request.url.host.hasPrefix("probe") else { throw ProbeFailure(.connectRefused, "refused") }
        return ProbeResponse(
          url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": location]),
          remoteAddress: SocketAddress(IPAddress(v4: 0xC000_0201), port: 80),
          timings: ProbeTimings(total: .seconds(1)))
      }
    }

    /// The requests other than those of probes.
    var followed: [ProbeRequest] { requests.withLock { $0.filter { !$0.url.host.hasPrefix("probe") } } }
  }

  private static let login = "<title>Hi</title><form action=/x><input type=password name=p></form>"
  private static let blockPage = "<title>Access denied</title><h1>This site is blocked</h1>Category: gambling"
  private static let admitted =
    "<title>You are logged in</title>You are logged in. <a href=/logout>Log out</a>"

  private func run(
    _ network: Network, urls: Int = 4, decide: [DecisionRule]? = nil,
    classify: [ClassifyRule]? = nil, _ adjust: (inout ProbeRequest) -> Void = { _ in },
    _ change: (inout ProbePlan) -> Void = { _ in }
  ) async throws -> RunResult {
    let word = try ContainsValidator("Success")
    let probes = try (0..<urls).map { index in
      var request = ProbeRequest(try ProbeURL("http://probe\(index).operator\(index).example/"))
      adjust(&request)
      return classify.map { PlannedProbe(url: request.url.string, request: request, classify: $0) }
        ?? PlannedProbe(url: request.url.string, request: request, validator: word)
    }
    var plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "http", probes: probes)],
      decide: decide)
    change(&plan)
    return await PipelineRunner(try network.transport.registry).run(plan)
  }

  @Test(
    arguments: [
      (login, .captivePortal, "is a portal's login page"), (blockPage, .intercepted, "is a block page"),
      (admitted, .intercepted, "a client that is logged in"), ("hello", .captivePortal, nil),
    ] as [(String, Verdict, String?)])
  func theTargetPageDeterminesTheVerdict(_ page: String, _ verdict: Verdict, _ words: String?) async throws {
    let network = Network(
      redirectingTo: "http://gate.example/p?x=1", pages: ["gate.example": (200, [:], page)])
    let result = try await run(network)
    #expect(result.verdict == verdict, "\(result.evidence)")
    #expect(result.portal?.loginURL.string == (verdict == .captivePortal ? "http://gate.example/p?x=1" : nil))
    let indications = result.evidence.filter { $0.summary.contains("the page at") }
    #expect(indications.isEmpty == (words == nil))
    if let words {
      #expect(indications.first?.kind == .sign)
      #expect(indications.first?.summary.contains(words) == true, "\(indications)")
      #expect(indications.first?.probes.count == 4)
    }
    #expect(network.followed.count == 1, "once per login URL and run")
  }

  @Test func anUnreachableTargetLeavesTheVerdictUnchanged() async throws {
    let result = try await run(Network(redirectingTo: "http://gate.example/p"))
    #expect(result.verdict == .captivePortal)
    #expect(result.portal?.loginURL.string == "http://gate.example/p")
  }

  @Test(arguments: ["http://gate.example/p", "http://elsewhere.example/"])
  func aSecondRedirectCountsAsNoPage(_ location: String) async throws {
    let network = Network(
      redirectingTo: "http://gate.example/p",
      pages: ["gate.example": (302, ["Location": location], Self.blockPage)])
    let result = try await run(network)
    #expect(result.verdict == .captivePortal)
    #expect(network.followed.map(\.url.host) == ["gate.example"], "one request")
  }

  @Test func theRequestIsAPlainGET() async throws {
    let network = Network(
      redirectingTo: "http://gate.example/p", pages: ["gate.example": (200, [:], Self.login)])
    _ = try await run(network) {
      $0.timeout = .seconds(9)
      $0.redirects = 0
      $0.retries = 0
      $0.http.method = "POST"
      $0.http.body = Array("secret".utf8)
      $0.http.headers = ["Cookie": "a=b", "X-Api-Key": "secret", "Authorization": "Bearer secret"]
      $0.tls.clientCertificate = ClientCertificate(certificateFile: "/c.pem")
      $0.http.userAgent = "Mine"
    }
    let request = try #require(network.followed.first)
    #expect(request.http.method == "GET")
    #expect(request.http.body == nil)
    #expect(request.http.headers.isEmpty)
    #expect(request.http.credentials == nil)
    #expect(request.tls.clientCertificate == nil)
    #expect(request.http.userAgent == "Mine")
    #expect(request.maxBody == 256 * 1024)
    #expect(request.redirects == 0)
    #expect(request.retries == 0)
    #expect(request.timeout == .seconds(8), "what is left of the probe's time")
    #expect(request.staysOffThisMachine)
    guard case .networkInUse(let peer) = request.addressRules.first else {
      Issue.record("no rule about private addresses")
      return
    }
    #expect(peer == IPAddress(v4: 0xC000_0201))
  }

  @Test(arguments: [
    "http://127.0.0.1/p", "http://localhost/p", "http://169.254.169.254/p", "http://[::1]/p",
    "ftp://gate.example/",
  ])
  func localTargetsAndOtherSchemesAreNotRequested(_ location: String) async throws {
    let network = Network(redirectingTo: location)
    _ = try await run(network)
    #expect(network.followed.isEmpty)
  }

  @Test(arguments: [
    "http://wifi.example/login", "http://gate.example/captive-portal", "http://192.168.1.1/hotspot",
    "http://gate.example/p?client_mac=00-00-5E-00-53-01", "http://gate.example/blocked",
  ])
  func unambiguousRedirectsAreNotRequested(_ location: String) async throws {
    let network = Network(redirectingTo: location)
    _ = try await run(network)
    #expect(network.followed.isEmpty)
  }

  @Test func targetsAreNotRequestedUnderRulesOrWhenDisabled() async throws {
    let pages = ["gate.example": (200, HeaderFields(), Self.blockPage)]
    let rules = [DecisionRule(when: .outcome(set: "http", .intercepted, .any), .captivePortal)]
    let decided = Network(redirectingTo: "http://gate.example/p", pages: pages)
    #expect(try await run(decided, decide: rules).verdict == .captivePortal)
    let classified = Network(redirectingTo: "http://gate.example/p", pages: pages)
    _ = try await run(classified, classify: [ClassifyRule(when: .redirect(.offHost), .intercepted)])
    let off = Network(redirectingTo: "http://gate.example/p", pages: pages)
    #expect(try await run(off, { _ in }, { $0.followsRedirects = false }).verdict == .captivePortal)
    for network in [decided, classified, off] { #expect(network.followed.isEmpty) }
  }

  @Test func atMostFourTargetsAreRequested() async throws {
    let network = Network(redirectingTo: "")
    let transport = FakeTransport { request in
      network.requests.withLock { $0.append(request.withoutRun) }
      guard request.url.host.hasPrefix("probe") else { throw ProbeFailure(.connectRefused, "refused") }
      let location = "http://gate-\(request.url.host)/"
      return ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": location]))
    }
    let word = try ContainsValidator("Success")
    let probes = try (0..<12).map { index in
      let request = ProbeRequest(try ProbeURL("http://probe\(index).operator\(index).example/"))
      return PlannedProbe(url: request.url.string, request: request, validator: word)
    }
    let plan = try ProbePlan(
      name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "http", probes: probes)],
      stopsEarly: false)
    _ = await PipelineRunner(try transport.registry).run(plan)
    #expect(network.followed.count == OpenRedirects.maximumTargets)
  }
}
