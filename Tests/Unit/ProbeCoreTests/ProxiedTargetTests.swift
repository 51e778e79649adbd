import ProbeCore
import ProbeBase
import Testing

/// Rules for the hosts that a proxy looks up.
@Suite struct ProxiedTargetTests {
  /// A transport that knows the addresses of some names, and counts its lookups.
  private struct Naming: AddressFinding {
    let base: RecordingTransport
    let names: [String: [String]]
    let lookups = Lookups()

    final class Lookups: Sendable {
      private let all = Guarded<[ProbeRequest]>([])
      var requests: [ProbeRequest] { all.withLock(\.self) }
      func add(_ request: ProbeRequest) { all.withLock { $0.append(request) } }
    }

    var schemes: [URLScheme: Encryption] { base.schemes }

    func check(_ request: ProbeRequest) throws(InvalidInput) { try base.check(request) }

    func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await base.probe(request) }

    func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
      lookups.add(request)
      guard let found = names[request.url.host] else {
        throw ProbeFailure(.noSuchHost, "\(request.url.host) does not exist")
      }
      let addresses = found.compactMap { IPAddress($0) }.map { NamedAddress(address: $0, timeToLive: nil) }
      return FoundAddresses(host: request.url.host, addresses: addresses)
    }
  }

  private static let names = [
    "open.example": ["192.0.2.1", "2001:db8::1"], "metadata.example": ["169.254.169.254"],
    "both.example": ["192.0.2.1", "fd20:ce::254"], "excluded.example": ["203.0.113.9"],
  ]

  /// The rules of `serve` without options.
  private static let served: TargetRules = {
    var rules = TargetRules(allowsPrivate: true, remedy: "see --allow-link-local")
    rules.refusesLinkLocal = true
    return rules
  }()

  private static func list(_ text: String) throws -> ExclusionList { try ExclusionList(Array(text.utf8)) }

  private func failure(
    _ url: String, over transport: Naming, _ rules: TargetRules,
    change: (inout ProbeRequest) throws -> Void = { _ in }
  ) async throws -> ProbeFailure? {
    var transports = TransportRegistry()
    try transports.register(transport)
    var request = ProbeRequest(try ProbeURL(url))
    request.redirects = 5
    request.timeout = .seconds(600)
    request.proxy = try ProbeProxy("http://127.0.0.1:3128")
    try change(&request)
    do throws(ProbeFailure) {
      _ = try await Prober(transports.guarded(by: rules), policy: .plaintextAllowed).probe(request)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (
      "metadata.example",
      "metadata.example resolves to 169.254.169.254, which is a link-local address, "
        + "or that of a cloud's metadata: see --allow-link-local"
    ),
    (
      "both.example",
      "both.example resolves to fd20:ce::254, which is a link-local address, "
        + "or that of a cloud's metadata: see --allow-link-local"
    ),
    (
      "unknown.example",
      "unknown.example is a name that only the proxy can look up, so that its addresses "
        + "are unknown: see --allow-link-local"
    ),
    (
      "[64:ff9b:1::a9fe:a9fe]",
      "64:ff9b:1::a9fe:a9fe is a link-local address, or that of a cloud's metadata: see --allow-link-local"
    ),
  ])
  func theProxyIsNotAskedForARefusedHost(_ host: String, _ words: String) async throws {
    for scheme in ["http", "https"] {
      let direct = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
      let failure = try await failure("\(scheme)://\(host)/", over: direct, Self.served)
      #expect(failure?.reason == .addressRefused && failure?.detail == words)
      #expect(direct.base.seen.isEmpty)
      // A host that a response names is judged in the same way.
      let redirected = Naming(
        base: RecordingTransport(redirects: ["\(scheme)://open.example/": "\(scheme)://\(host)/"]),
        names: Self.names)
      let second = try await self.failure("\(scheme)://open.example/", over: redirected, Self.served)
      #expect(second?.reason == .addressRefused && second?.detail == words)
      #expect(redirected.base.urls == ["\(scheme)://open.example/"])
    }
  }

  @Test func allAddressesOfBothFamiliesMustBeAllowed() async throws {
    let transport = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
    let onlyV4 = { (request: inout ProbeRequest) in request.family = .v4 }
    #expect(try await failure("http://open.example/", over: transport, Self.served, change: onlyV4) == nil)
    #expect(try await failure("http://both.example/", over: transport, Self.served, change: onlyV4) != nil)
    for request in transport.lookups.requests { #expect(request.family == nil && request.proxy == nil) }
    // The proxy itself is connected to as the request says.
    #expect(transport.base.seen.map(\.family) == [.v4])
    #expect(transport.base.seen.first?.proxy != nil)
  }

  @Test func aHostIsLookedUpOnce() async throws {
    let transport = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
    var transports = TransportRegistry()
    try transports.register(transport)
    // As a pipeline of `serve` that has targets of its own.
    var targets = TargetRules(allowsPrivate: true)
    targets.only = try Self.list("*.example")
    let guarded = transports.guarded(by: Self.served).guarded(by: targets)
    var request = ProbeRequest(try ProbeURL("http://open.example/"))
    request.proxy = try ProbeProxy("http://127.0.0.1:3128")
    _ = try await Prober(guarded, policy: .plaintextAllowed).probe(request)
    #expect(transport.lookups.requests.count == 1)
    request.knownAddresses = FoundAddresses(
      host: "open.example",
      addresses: [NamedAddress(address: IPAddress(v4: 0xA9FE_A9FE), timeToLive: nil)])
    let failure = await #expect(throws: ProbeFailure.self) {
      _ = try await Prober(guarded, policy: .plaintextAllowed).probe(request)
    }
    #expect(failure?.reason == .addressRefused)
    #expect(transport.lookups.requests.count == 1, "what is known is used")
  }

  @Test func withoutRulesForAddressesTheProxyDecides() async throws {
    let transport = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
    let rules = TargetRules(allowsPrivate: true, exclusions: try Self.list("*.below.example"))
    for host in ["unknown.example", "metadata.example", "10.0.0.1"] {
      #expect(try await failure("http://\(host)/", over: transport, rules) == nil)
    }
    #expect(transport.lookups.requests.isEmpty)
    let excluded = try await failure("http://a.below.example/", over: transport, rules)
    #expect(excluded?.detail == "a.below.example is excluded by *.below.example: not connected")
  }

  @Test func excludedAddressesAreNotRequestedOfTheProxy() async throws {
    let transport = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
    let rules = TargetRules(
      allowsPrivate: true, exclusions: try Self.list("203.0.113.0/24"), remedy: "add --allow-private")
    let excluded = try await failure("http://excluded.example/", over: transport, rules)
    #expect(
      excluded?.detail
        == "excluded.example resolves to 203.0.113.9, which is excluded by 203.0.113.0/24: not connected")
    // Private addresses are allowed, so that this is no remedy.
    let unknown = try await failure("http://unknown.example/", over: transport, rules)
    #expect(unknown?.detail.hasSuffix("so that its addresses are unknown: not connected") == true)
    #expect(try await failure("http://open.example/", over: transport, rules) == nil)
  }

  @Test func aHostThatIsAllowedByNameNeedsNoAddress() async throws {
    let transport = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
    var rules = Self.served
    rules.only = try Self.list("unknown.example\nmetadata.example\n192.0.2.0/24\n")
    #expect(try await failure("http://unknown.example/", over: transport, rules) == nil)
    #expect(try await failure("http://other.example/", over: transport, rules)?.reason == .addressRefused)
    #expect(try await failure("http://metadata.example/", over: transport, rules)?.reason == .addressRefused)
    // One of its addresses is not in the list.
    let open = try await failure("http://open.example/", over: transport, rules)
    #expect(open?.detail.contains("2001:db8::1, which is not an allowed target") == true)
  }

  @Test func aTransportWithoutLookupsIsRefused() async throws {
    let transport = RecordingTransport(redirects: [:])
    var transports = TransportRegistry()
    try transports.register(transport)
    var request = ProbeRequest(try ProbeURL("http://open.example/"))
    request.proxy = try ProbeProxy("http://127.0.0.1:3128")
    let prober = Prober(transports.guarded(by: Self.served), policy: .plaintextAllowed)
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(request) }
    #expect(failure?.reason == .addressRefused)
    #expect(transport.seen.isEmpty)
  }

  @Test func aUsersConnectToRuleIsExempt() async throws {
    let transport = Naming(base: RecordingTransport(redirects: [:]), names: Self.names)
    let failure = try await failure("http://unknown.example/", over: transport, Self.served) {
      $0.connectTo = [try ConnectTo("::inside.example:80")]
    }
    #expect(failure == nil && transport.lookups.requests.isEmpty)
  }

  @Test func aFailureThatSaysNothingAboutTheHostIsReported() async throws {
    struct Failing: AddressFinding {
      let schemes: [URLScheme: Encryption] = [.http: .plaintext]
      func check(_ request: ProbeRequest) throws(InvalidInput) {}
      func probe(_ request: ProbeRequest) async throws -> ProbeResponse { ProbeResponse(url: request.url) }
      func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
        throw ProbeFailure(.cancelled, "the probe was cancelled")
      }
    }
    var transports = TransportRegistry()
    try transports.register(Failing())
    var request = ProbeRequest(try ProbeURL("http://open.example/"))
    request.proxy = try ProbeProxy("http://127.0.0.1:3128")
    let prober = Prober(transports.guarded(by: Self.served), policy: .plaintextAllowed)
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await prober.probe(request) }
    #expect(failure?.reason == .cancelled)
  }

  /// A request chooses its proxy again for each target, there and back.
  @Test func theProxyIsChosenForEachRedirect() async throws {
    let transport = RecordingTransport(redirects: [
      "http://direct.example/": "http://proxied.example/",
      "http://proxied.example/": "http://direct.example/b",
      "http://direct.example/b": "http://proxied.example/b",
    ])
    let proxy = try ProbeProxy("http://127.0.0.1:3128")
    _ = try await transport.probe("http://direct.example/") {
      $0.redirects = 5
      $0.proxyAfterRedirect = { $0.host == "direct.example" ? nil : proxy }
    }
    #expect(transport.seen.map { $0.proxy == nil } == [true, false, true, false])
  }
}
