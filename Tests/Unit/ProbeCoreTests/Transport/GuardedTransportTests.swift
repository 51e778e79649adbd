import ProbeCore
import Testing

/// Rules for targets, applied to every exchange of any transport.
@Suite struct GuardedTransportTests {
  private func registry(_ transport: any ProbeTransport) throws -> TransportRegistry {
    var transports = TransportRegistry()
    try transports.register(transport)
    return transports
  }

  private func failure(
    _ url: String, over transport: RecordingTransport, _ rules: TargetRules,
    change: (inout ProbeRequest) throws -> Void = { _ in }
  ) async throws -> ProbeFailure? {
    var request = ProbeRequest(try ProbeURL(url))
    request.redirects = 5
    try change(&request)
    let transports = try registry(transport).guarded(by: rules)
    do throws(ProbeFailure) {
      _ = try await Prober(transports, policy: .plaintextAllowed).probe(request)
      return nil
    } catch {
      return error
    }
  }

  private static let exclusions = """
    excluded.example
    *.below.example
    203.0.113.0/24
    """

  private var rules: TargetRules {
    get throws { TargetRules(exclusions: try ExclusionList(Array(Self.exclusions.utf8))) }
  }

  @Test(arguments: [
    ("http://10.0.0.1/", "10.0.0.1 is a private or reserved address: not connected"),
    (
      "http://[::ffff:10.0.0.1]/",
      "::ffff:10.0.0.1 is a private or reserved address: not connected"
    ),
    ("http://localhost/", "localhost is a name of this machine: not connected"),
    ("http://excluded.example/", "excluded.example is excluded by excluded.example: not connected"),
    ("http://a.below.example/", "a.below.example is excluded by *.below.example: not connected"),
    ("https://203.0.113.9/", "203.0.113.9 is excluded by 203.0.113.0/24: not connected"),
  ])
  func refusedHostsAreNotProbedAndNotRedirectedTo(_ url: String, _ words: String) async throws {
    let transport = RecordingTransport(redirects: ["http://open.example/": url])
    let direct = try await failure(url, over: transport, try rules)
    #expect(direct?.reason == .addressRefused && direct?.detail == words)
    #expect(transport.seen.isEmpty)
    let redirected = try await failure("http://open.example/", over: transport, try rules)
    #expect(redirected?.reason == .addressRefused && redirected?.detail == words)
    #expect(redirected?.partial?.redirects.count == 1, "what was learned before it is kept")
    #expect(transport.urls == ["http://open.example/"])
  }

  @Test func otherRequestsCarryTheAddressRules() async throws {
    let transport = RecordingTransport(redirects: ["http://one.example/": "http://two.example/"])
    #expect(try await failure("http://one.example/", over: transport, try rules) == nil)
    #expect(transport.urls == ["http://one.example/", "http://two.example/"])
    for request in transport.seen {
      #expect(request.addressRules.count == 1)
      guard case .targets(let rules) = request.addressRules.first else { throw Missing() }
      #expect(rules.refusal(of: IPAddress(v4: 0xCB00_7109)) != nil)
      #expect(request.staysOffThisMachine, "for transports that know only this")
    }
  }

  private struct Missing: Error {}

  @Test func aRuleOfTheRequestStays() async throws {
    let transport = RecordingTransport(redirects: [:])
    let rules = TargetRules(allowsPrivate: true)
    _ = try await failure("http://one.example/", over: transport, rules) {
      $0.addressRules = [.offThisMachine]
    }
    #expect(transport.seen.first?.addressRules.count == 2)
    #expect(transport.seen.first?.staysOffThisMachine == false)
    #expect(try await failure("http://10.0.0.1/", over: transport, rules) == nil)
  }

  @Test func connectToIsExemptFromAddressRules() async throws {
    let transport = RecordingTransport(redirects: [:])
    let change = { (request: inout ProbeRequest) in
      request.connectTo = [try ConnectTo("::127.0.0.1:80")]
    }
    #expect(try await failure("http://one.example/", over: transport, try rules, change: change) == nil)
    // But an excluded host stays excluded.
    let refused = try await failure("http://excluded.example/", over: transport, try rules, change: change)
    #expect(refused?.reason == .addressRefused)
  }

  @Test func everythingElseIsForwardedToTheTransport() async throws {
    /// A transport with its own implementation of every requirement.
    struct Opinionated: CheckedTransport {
      let schemes: [URLScheme: Encryption] = [.https: .encrypted]
      var executors: [any TaskExecutor] { [globalConcurrentExecutor] }

      func check(_ request: ProbeRequest) throws(InvalidInput) { throw InvalidInput("checked") }

      func checkFiles(of request: ProbeRequest) throws(InvalidInput) { throw InvalidInput("files") }

      func requestKeys(for scheme: URLScheme) -> [RequestKey] { [] }

      func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
        throw ProbeFailure(.transportFailure, "checked again")
      }

      func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
        ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
      }
    }
    let transports = try registry(Opinionated()).guarded(by: TargetRules())
    let transport = try #require(transports[.https])
    let request = ProbeRequest(try ProbeURL("https://a.example/"))
    #expect(transports.encryption(of: .https) == .encrypted)
    #expect(transport.executors.count == 1)
    #expect(transport.requestKeys(for: .https).isEmpty)
    #expect(throws: InvalidInput("checked")) { try transport.check(request) }
    #expect(throws: InvalidInput("files")) { try transport.checkFiles(of: request) }
    // The prober has checked the request, so the transport does not check it again.
    let checked = try #require(transport as? any CheckedTransport)
    #expect(try await checked.probe(checked: request).status == 204)
    // A transport that always checks requests still does.
    let plain = try registry(RecordingTransport(redirects: [:])).guarded(by: TargetRules())
    let direct = try #require(plain[.https] as? any CheckedTransport)
    #expect(try await direct.probe(checked: request).status == 200)
  }

  @Test func aTransportWithoutLookupsFindsNoAddresses() async throws {
    let transports = try registry(RecordingTransport(redirects: [:])).guarded(by: try rules)
    let finding = try #require(transports[.https] as? any AddressFinding)
    #expect(try await finding.addresses(for: ProbeRequest(try ProbeURL("https://a.example/"))) == nil)
    await #expect(throws: ProbeFailure.self, "before a lookup") {
      try await finding.addresses(for: ProbeRequest(try ProbeURL("https://excluded.example/")))
    }
  }

  /// The URL of a check has the name of a program, to whose connections no rule applies.
  @Test func checksAreNotRefused() async throws {
    let transport = RecordingTransport([.check: .unknown]) { ProbeResponse(url: $0.url) }
    let transports = try registry(transport).guarded(by: try rules)
    let response = try await Prober(transports).probe(ProbeRequest(try ProbeURL("check://localhost")))
    #expect(response.url.host == "localhost")
    #expect(transport.seen[0].addressRules.isEmpty)
  }

  @Test func exemptServersAreNotRefused() async throws {
    let transport = RecordingTransport(redirects: ["http://127.0.0.1/": "http://127.0.0.2/"])
    let own = try ProbeURL("http://127.0.0.1/")
    let transports = try registry(transport).guarded(by: .offThisMachine) { $0.host == own.host }
    var request = ProbeRequest(own)
    request.redirects = 1
    await #expect {
      try await Prober(transports, policy: .plaintextAllowed).probe(request)
    } throws: {
      let failure = $0 as? ProbeFailure
      return failure?.detail == "127.0.0.2 is an address of this machine or of its link: not connected"
    }
    #expect(transport.urls == ["http://127.0.0.1/"])
    #expect(transport.seen.first?.staysOffThisMachine == false)
  }

  @Test func theTimeOfALookupCountsOnce() async throws {
    let transport = RecordingTransport(redirects: ["https://a.example/": "https://a.example/b"])
    let known = FoundAddresses(host: "a.example", addresses: [], lookupTime: .seconds(1))
    _ = try await transport.probe("https://a.example/") {
      $0.redirects = 1
      $0.knownAddresses = known
    }
    #expect(transport.seen.map { $0.knownAddresses?.lookupTime } == [.seconds(1), .zero])
    let failing = RecordingTransport { _ in throw ProbeFailure(.connectReset, "reset") }
    _ = try await failing.failure("https://a.example/") {
      $0.retries = 2
      $0.backoff = RetryBackoff(initial: .zero, maximum: .zero)
      $0.knownAddresses = known
    }
    #expect(failing.seen.map { $0.knownAddresses?.lookupTime } == [.seconds(1), .zero, .zero])
  }
}
