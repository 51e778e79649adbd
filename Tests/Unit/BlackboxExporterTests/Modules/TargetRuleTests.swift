import LoopbackServer
import ProbeCore
import ProbeBase
import Testing

@testable import BlackboxExporter

/// The targets that an exporter refuses.
@Suite struct TargetRuleTests {
  /// The rules of `probekit serve` without options.
  private static var usual: TargetRules {
    var rules = TargetRules(allowsPrivate: true, remedy: "see --allow-target and --allow-link-local")
    rules.refusesLinkLocal = true
    return rules
  }

  private static func list(_ text: String) throws -> ExclusionList { try ExclusionList(Array(text.utf8)) }

  // All targets have port 9, so that an error in the rules cannot make these tests contact a real metadata
  // service.
  private static let names = [
    "metadata.example": ["169.254.169.254"], "neighbour.example": ["fe80::1"], "here.example": ["127.0.0.1"],
    "both.example": ["fe80::1", "127.0.0.1"],
  ]

  @Test(arguments: [
    "http://169.254.169.254:9/latest", "http://[fe80::1]:9/", "http://[::ffff:169.254.169.254]:9/",
    "https://metadata.example:9/", "http://neighbour.example:9/", "169.254.1.2:9",
  ])
  func linkLocalTargetsAreRefused(_ target: String) async throws {
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    let report = try await probeHTTP(target, by: prober)
    #expect(report.failure?.reason == .addressRefused, "\(report.story)")
    #expect(report.failure?.detail.contains("see --allow-target and --allow-link-local") == true)
    #expect(report.samples.values(of: "reason", in: "probe_failure_info") == ["policy.address"])
  }

  @Test(arguments: ["metadata.example:9", "169.254.169.254:9", "[fe80::1]:9"])
  func linkLocalTargetsOfEachProberAreRefused(_ target: String) async throws {
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    let host = target.hasPrefix("[") ? "fe80::1" : String(target.prefix { $0 != ":" })
    var query = DNSModule()
    query.name = "name.example"
    let modules: [(String, String, ExporterModule.Probe)] = [
      (target, "tcp", .tcp(TCPModule())), (host, "icmp", .icmp(ICMPModule())), (target, "dns", .dns(query)),
    ]
    for (target, name, probe) in modules {
      let module = ExporterModule(name: name, prober: name, probe: probe)
      let report = await prober.probe(target, with: module, timeout: plenty)
      #expect(report.failure?.reason == .addressRefused, "\(name): \(report.story)")
    }
  }

  @Test(arguments: [
    "http://169.254.169.254:9/", "http://metadata.example:9/", "http://[fe80::1]:9/",
    "//neighbour.example:9/a",
  ])
  func linkLocalTargetsOfRedirectsAreRefused(_ location: String) async throws {
    let server = try LoopbackServer.http { _ in
      .response(302, headers: [(name: "Location", value: location)])
    }
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    let report = try await probeHTTP(server.url(), by: prober)
    #expect(report.failure?.reason == .addressRefused, "\(report.story)")
    #expect(!report.succeeded)
  }

  @Test func anAcceptedStatusDoesNotHideARefusedRedirect() async throws {
    let server = try LoopbackServer.http { _ in
      .response(302, headers: [(name: "Location", value: "http://169.254.169.254:9/")])
    }
    let prober = try ExporterProber.forTests(rules: Self.usual)
    let report = try await probeHTTP(server.url(), by: prober) { $0.statusCodes = [302] }
    #expect(report.failure?.reason == .addressRefused, "\(report.story)")
  }

  @Test func linkLocalTargetsBehindAProxyAreRefused() async throws {
    let proxy = try LoopbackServer.http { _ in .response() }
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    var onlyV4 = AddressChoice.ipv4
    onlyV4.fallsBack = false
    for (target, skips, choice) in [
      ("http://169.254.169.254:9/", true, .init()), ("http://169.254.169.254:9/", false, .init()),
      ("http://[fe80::1]:9/", true, .init()), ("https://169.254.169.254:9/", true, .init()),
      ("http://metadata.example:9/", false, .init()), ("https://metadata.example:9/", false, .init()),
      // The proxy may choose the address that this machine would not.
      ("http://both.example:9/", false, .ipv4), ("http://both.example:9/", false, onlyV4),
      // A lookup that is left to the proxy.
      ("http://metadata.example:9/", true, .init()), ("https://metadata.example:9/", true, .init()),
      ("http://both.example:9/", true, onlyV4), ("http://unknown.invalid:9/", true, .init()),
      ("https://unknown.invalid:9/", true, .init()),
    ] as [(String, Bool, AddressChoice)] {
      let report = try await probeHTTP(target, by: prober) { module in
        module.addresses = choice
        module.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
        module.leavesLookupToProxy = skips
      }
      #expect(report.failure?.reason == .addressRefused, "\(target): \(report.story)")
    }
    #expect(proxy.connectionCount == 0)
  }

  @Test func theHostnameParameterDoesNotHideATargetBehindAProxy() async throws {
    let proxy = try LoopbackServer.http { _ in .response() }
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    for target in ["https://metadata.example:9/", "http://metadata.example:9/", "https://unknown.invalid:9/"]
    {
      let report = try await probeHTTP(target, hostname: "here.example", by: prober) {
        $0.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
        $0.leavesLookupToProxy = true
      }
      #expect(report.failure?.reason == .addressRefused, "\(target): \(report.story)")
    }
    #expect(proxy.connectionCount == 0)
  }

  /// Behind a proxy, a redirect could lead it to an address that this machine never sees.
  @Test(arguments: ["http://metadata.example:9/", "http://both.example:9/", "http://unknown.invalid:9/"])
  func redirectsBehindAProxyAreJudged(_ location: String) async throws {
    let proxy = try LoopbackServer.http { _ in
      .response(302, headers: [(name: "Location", value: location)])
    }
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    for skips in [false, true] {
      let report = try await probeHTTP("http://here.example:9/", by: prober) {
        $0.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
        $0.leavesLookupToProxy = skips
      }
      #expect(report.failure?.reason == .addressRefused, "\(report.story)")
    }
    #expect(
      proxy.requests.map { LoopbackRequest($0).target } == [
        "http://here.example:9/", "http://here.example:9/",
      ])
  }

  /// A name that this machine does not find is left to the proxy if its addresses do not matter, or the operator
  /// has named it.
  @Test func unknownNamesBehindAProxyNeedPermission() async throws {
    let proxy = try LoopbackServer.http { _ in .response() }
    var free = Self.usual
    free.refusesLinkLocal = false
    var named = Self.usual
    named.only = try Self.list("*.invalid")
    for rules in [free, named] {
      let prober = try ExporterProber.forTests(names: Self.names, rules: rules)
      let report = try await probeHTTP("http://unknown.invalid:9/", by: prober) {
        $0.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
        $0.leavesLookupToProxy = true
      }
      #expect(report.succeeded, "\(report.story)")
    }
    #expect(proxy.requests.count == 2)
  }

  /// `no_proxy` is a list of hosts, not of targets: it applies to each request.
  @Test func noProxyAppliesToRedirects() async throws {
    let proxy = try LoopbackServer.http { request in
      request.target == "http://first.example/"
        ? .response(
          302, headers: [(name: "Location", value: "http://\(Self.serverAddress.withLock(\.self))/inside")])
        : .response(body: "proxy")
    }
    let server = try LoopbackServer.http { request in
      request.target == "/start"
        ? .response(302, headers: [(name: "Location", value: "http://outside.example/")]) : .response()
    }
    Self.serverAddress.withLock { $0 = server.hostAndPort }
    let targets = [("http://first.example/", "first"), ("http://\(server.hostAndPort)/start", "start")]
    for (target, name) in targets {
      let report = try await probeHTTP(target) {
        $0.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
        $0.leavesLookupToProxy = true
        $0.noProxy = ["127.0.0.1"]
      }
      #expect(report.succeeded, "\(name): \(report.story)")
    }
    #expect(
      proxy.requests.map { LoopbackRequest($0).target } == [
        "http://first.example/", "http://outside.example/",
      ])
    #expect(server.requests.map { LoopbackRequest($0).target } == ["/inside", "/start"])
  }

  private static let serverAddress = Guarded("")

  /// The allowed targets, and whether a target behind a proxy is one of them.
  @Test(arguments: [
    ("127.0.0.0/8", true), ("here.example", true), ("10.0.0.0/8", false), ("other.example", false),
  ])
  func allowedTargetsApplyBehindAProxy(_ allowed: String, isAllowed: Bool) async throws {
    let proxy = try LoopbackServer.http { _ in .response() }
    var rules = Self.usual
    rules.only = try Self.list(allowed)
    let prober = try ExporterProber.forTests(names: Self.names, rules: rules)
    let report = try await probeHTTP("http://here.example:9/", by: prober) {
      $0.proxy = try ProbeProxy("http://\(proxy.hostAndPort)")
    }
    #expect(report.failure?.reason == (isAllowed ? nil : .addressRefused), "\(report.story)")
    #expect(
      proxy.requests.map { LoopbackRequest($0).target } == (isAllowed ? ["http://here.example:9/"] : []))
  }

  @Test func theHostnameParameterDoesNotHideTheTarget() async throws {
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    for target in ["https://169.254.169.254:9/", "http://169.254.169.254:9/", "https://metadata.example:9/"] {
      let report = try await probeHTTP(target, hostname: "here.example", by: prober)
      #expect(report.failure?.reason == .addressRefused, "\(report.story)")
    }
    let tcp = try await probeTCP("169.254.169.254:9", hostname: "here.example", by: prober) {
      $0.usesTLS = true
    }
    #expect(tcp.failure?.reason == .addressRefused, "\(tcp.story)")
  }

  @Test func linkLocalTargetsCanBeAllowed() throws {
    let address = try #require(IPAddress("169.254.169.254"))
    var rules = Self.usual
    #expect(rules.refusal(of: address) != nil)
    rules.refusesLinkLocal = false
    #expect(rules.refusal(of: address) == nil)
  }

  @Test func loopbackAndPrivateAddressesAreAllowed() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    for host in ["127.0.0.1", "here.example"] {
      let report = try await probeHTTP("http://\(host):\(server.port)/", by: prober)
      #expect(report.succeeded, "\(report.story)")
    }
  }

  /// Lists of targets, a host, and whether it may be probed.
  struct ListCase: Sendable, CustomTestStringConvertible {
    var allowed: String?
    var denied = ""
    let host: String
    let isAllowed: Bool

    var testDescription: String { "\(allowed ?? "any") but \(denied), \(host)" }
  }

  @Test(arguments: [
    ListCase(denied: "here.example", host: "here.example", isAllowed: false),
    ListCase(denied: "here.example", host: "HERE.example.", isAllowed: false),
    ListCase(denied: "*.example", host: "here.example", isAllowed: false),
    ListCase(denied: "other.example", host: "here.example", isAllowed: true),
    ListCase(denied: "127.0.0.0/8", host: "127.0.0.1", isAllowed: false),
    ListCase(denied: "127.0.0.0/8", host: "here.example", isAllowed: false),
    ListCase(denied: "127.0.0.2", host: "127.0.0.1", isAllowed: true),
    ListCase(allowed: "here.example", host: "here.example", isAllowed: true),
    ListCase(allowed: "other.example", host: "here.example", isAllowed: false),
    ListCase(allowed: "here.example", host: "127.0.0.1", isAllowed: false),
    ListCase(allowed: "127.0.0.0/8", host: "here.example", isAllowed: true),
    ListCase(allowed: "192.0.2.0/24", host: "127.0.0.1", isAllowed: false),
    ListCase(allowed: "*.example", denied: "127.0.0.1", host: "here.example", isAllowed: false),
  ])
  func allowAndDenyListsAreApplied(_ given: ListCase) async throws {
    let server = try LoopbackServer.http { _ in .response() }
    var rules = Self.usual
    rules.exclusions = try Self.list(given.denied)
    rules.only = try given.allowed.map { try Self.list($0) }
    let prober = try ExporterProber.forTests(names: Self.names, rules: rules)
    let redirecting = try LoopbackServer.http { _ in
      .response(302, headers: [(name: "Location", value: "http://\(given.host):\(server.port)/")])
    }
    let direct = try await probeHTTP("http://\(given.host):\(server.port)/", by: prober)
    #expect(direct.succeeded == given.isAllowed, "\(direct.story)")
    if !given.isAllowed { #expect(direct.failure?.reason == .addressRefused) }
    let tcp = try await probeTCP("\(given.host):\(server.port)", by: prober)
    #expect(tcp.succeeded == given.isAllowed, "\(tcp.story)")
    // The first server has to be allowed too.
    if given.allowed == nil, given.denied.contains("example") {
      let redirected = try await probeHTTP(redirecting.url(), by: prober)
      #expect(redirected.succeeded == given.isAllowed, "\(redirected.story)")
    }
  }

  @Test func aRefusedNameIsNotLookedUp() async throws {
    var rules = Self.usual
    rules.exclusions = try Self.list("*.invalid")
    let report = try await probeHTTP("http://name.invalid/", by: try .forTests(rules: rules))
    #expect(report.failure?.reason == .addressRefused, "\(report.story)")
    #expect(report.samples["probe_dns_lookup_time_seconds"] == 0)
  }

  @Test func aRefusedAddressOfANameIsNotContacted() async throws {
    let server = try LoopbackServer { $0.close() }
    let prober = try ExporterProber.forTests(names: Self.names, rules: Self.usual)
    // The preferred address is refused, and the permitted one is used, as in a scan and after a redirect.
    for choice in [AddressChoice(), .ipv4] {
      let other = try await probeTCP("both.example:\(server.port)", by: prober) { $0.addresses = choice }
      #expect(other.succeeded, "\(other.story)")
    }
    let none = try await probeTCP("neighbour.example:\(server.port)", by: prober)
    #expect(none.failure?.reason == .addressRefused, "\(none.story)")
  }
}
