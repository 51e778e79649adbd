import ConnectivityMonitor
import ProbeBase
import Validators
import ProbeCore
import ProbePipeline
import TestRequirements
import Testing

/// Configured requests; each relevant defect of the library Connectivity has a test.
@Suite(.patience(minutes: 1)) struct ConfigurationTests {
  /// The responses of a server, by URL.
  typealias Site = @Sendable (ProbeRequest) -> (status: Int, body: String)

  private static func connectivity(
    _ configuration: ConnectivityConfiguration = ConnectivityConfiguration(), _ site: @escaping Site
  ) throws -> Connectivity {
    var plugins = PluginRegistry()
    try plugins.register(
      MadeUpTransport { request throws(ProbeFailure) in
        let response = site(request)
        return .madeUp(request.url, status: response.status, body: response.body)
      })
    return try Connectivity(configuration, plugins: plugins, paths: MadeUpPaths())
  }

  private static func isConnected(
    _ configuration: ConnectivityConfiguration = ConnectivityConfiguration(), _ site: @escaping Site
  ) async throws -> Bool {
    try await connectivity(configuration, site).check().isConnected
  }

  @Test func halfOfApplesTwoPagesMustSucceedByDefault() async throws {
    let requested = Guarded<Set<String>>([])
    let state = try await Self.connectivity { request in
      requested.withLock { _ = $0.insert(request.url.string) }
      return request.url.host == "www.apple.com" ? (200, "<BODY>Success</BODY>") : (200, "no")
    }.check()
    #expect(state.isConnected)
    #expect(
      requested.withLock(\.self).isSubset(of: [
        "https://www.apple.com/library/test/success.html", "https://captive.apple.com/hotspot-detect.html",
      ]))
    #expect(state.result?.sets.first?.threshold.needed(of: 2) == 1)
    #expect(try await !Self.isConnected { _ in (200, "login") })
  }

  // Defect 1: an error page that contains the word counts as online.
  @Test(arguments: [500, 404, 511, 302])
  func anErrorPageWithTheWordIsNotASuccess(_ status: Int) async throws {
    #expect(try await !Self.isConnected { _ in (status, "Success") })
  }

  // Defect 2: endpoints that respond with 204 can never pass.
  @Test func aServerThatResponds204NeedsNoConfiguration() async throws {
    let configuration = ConnectivityConfiguration()
      .configureConnectivity(urls: ["https://a.example/generate_204"])
    #expect(try await Self.isConnected(configuration) { _ in (204, "") })
    #expect(try await !Self.isConnected(configuration) { _ in (302, "") })
  }

  // Defect 3: the range of the regular expression is counted in the wrong unit, and the end of a page cut off.
  @Test(arguments: ["\r\n\r\n\r\n<BODY>\r\nSuccess</BODY>\r\n", "🎉🎉🎉🎉<BODY>Success</BODY>"])
  func noPageIsCutShort(_ page: String) async throws {
    let validator = try MatchesValidator(
      ".*?<BODY>.*?Success.*?</BODY>\\s*$", options: [.caseless, .dotall])
    let configuration = ConnectivityConfiguration().configureResponseValidator(validator)
    #expect(try await Self.isConnected(configuration) { _ in (200, page) })
  }

  // Defect 4: a bad pattern silently means an invalid response.
  @Test func aBadPatternIsReportedAtOnce() {
    #expect(throws: InvalidInput.self) { try MatchesValidator("(unclosed") }
  }

  // Defect 5: http URLs are dropped silently, and the flag leaks between instances.
  @Test func unencryptedURLsAreRefusedRatherThanDropped() async throws {
    let plain = ConnectivityConfiguration()
      .configureConnectivity(urls: ["http://a.example/", "https://b.example/"])
    let error = #expect(throws: InvalidPlan.self) { try Self.connectivity(plain) { _ in (200, "") } }
    #expect(error?.problems.map(\.target) == [0], "\(error?.description ?? "")")
    #expect(try await Self.isConnected(plain.configureHTTPSOnly(false)) { _ in (200, "") })
    // The setting does not affect another instance.
    #expect(throws: InvalidPlan.self) { try Self.connectivity(plain) { _ in (200, "") } }
    #expect(throws: InvalidPlan.self) {
      try Self.connectivity(ConnectivityConfiguration().configureConnectivity(urls: [])) { _ in (200, "") }
    }
  }

  // Defect 6: a custom validator is ignored unless a second property is set.
  @Test func aValidatorIsUsedRegardlessOfTheOtherSettings() async throws {
    struct Odd: ResponseValidator {
      func validate(_ response: ProbeResponse) -> Validation {
        response.body == Array("odd".utf8)
          ? .accepted : .rejected(.bodyMismatch, expected: "odd", found: "something else")
      }
    }
    let configurations = [
      ConnectivityConfiguration().configureResponseValidator(Odd()),
      ConnectivityConfiguration().configureResponseValidator(Odd())
        .configureConnectivity(urls: ["https://a.example/"]),
      ConnectivityConfiguration(Pipeline("own", sets: [ProbeSet("a", "https://a.example/")]))
        .configureResponseValidator(Odd()),
    ]
    for configuration in configurations {
      #expect(try await Self.isConnected(configuration) { _ in (200, "odd") })
      #expect(try await !Self.isConnected(configuration) { _ in (200, "Success") })
    }
  }

  // Defect 7: the documentation says that the bearer token wins, but in the code the header wins.
  @Test func theLastAuthorizationApplies() async throws {
    let shown = Guarded<String?>(nil)
    let note: Site = { request in
      shown.withLock { $0 = request.http.credentials?.fieldValue.withText(\.self) }
      return (200, "Success")
    }
    let base = ConnectivityConfiguration()
    let both = base.configureAuthorizationHeader(Secret("ApiKey 1")).configureBearerToken(Secret("t"))
    _ = try await Self.isConnected(both, note)
    #expect(shown.withLock(\.self) == "Bearer t")
    _ = try await Self.isConnected(both.configureAuthorizationHeader(Secret("ApiKey 1")), note)
    #expect(shown.withLock(\.self) == "ApiKey 1")
  }

  // Defect 9: no reason for a failure, and no separate expectation for each URL.
  @Test func everyURLHasItsOwnExpectationAndReason() async throws {
    let configuration = ConnectivityConfiguration().configureConnectivity(targets: [
      try ProbeTarget("https://a.example/").validate(ContainsValidator("alpha")),
      try ProbeTarget("https://b.example/").validate(EqualsValidator("beta")),
      ProbeTarget("https://c.example/"),
    ]).configureSuccessThreshold(100)
    let state = try await Self.connectivity(configuration) { request in
      switch request.url.host {
      case "a.example": (200, "the alpha page")
      case "b.example": (200, "gamma")
      default: (204, "")
      }
    }.check()
    #expect(!state.isConnected)
    let probes = state.result?.sets.first?.probes ?? []
    #expect(probes.first { $0.url == "https://b.example/" }?.reason == .bodyMismatch)
    #expect(probes.first { $0.url == "https://b.example/" }?.detail?.contains("beta") == true)
  }

  // Defect 11: the first error of a URL ends the check before slower URLs have responded.
  @Test func oneErrorDoesNotEndTheCheck() async throws {
    let failed = Guarded(false)
    let configuration = ConnectivityConfiguration()
      .configureConnectivity(urls: ["https://bad.example/", "https://slow.example/"])
    var plugins = PluginRegistry()
    try plugins.register(
      MadeUpTransport { request throws(ProbeFailure) in
        guard request.url.host == "slow.example" else {
          failed.withLock { $0 = true }
          throw ProbeFailure(.connectRefused, "refused")
        }
        while !failed.withLock(\.self) { await Task.yield() }
        return .madeUp(request.url)
      })
    let connectivity = try Connectivity(configuration, plugins: plugins, paths: MadeUpPaths())
    let state = await connectivity.check()
    #expect(state.isConnected)
    #expect(state.result?.sets.first?.accepted == 1)
  }

  @Test func anInvalidChangeLeavesTheConfigurationUnchanged() async throws {
    let connectivity = try Self.connectivity { _ in (200, "Success") }
    #expect(throws: InvalidPlan.self) {
      try connectivity.configure {
        $0 = $0.configureConnectivity(urls: ["http://a.example/"])
        $0.polling.interval = .seconds(99)
      }
    }
    #expect(connectivity.configuration.polling.interval == .seconds(10))
    #expect(await connectivity.check().isConnected)
    try connectivity.configure { $0.validator = try? ContainsValidator("else") }
    #expect(await !connectivity.check().isConnected)
  }

  @Test func theThresholdDecidesHowManyURLsMustSucceed() async throws {
    let configuration = ConnectivityConfiguration()
      .configureConnectivity(urls: (1...4).map { "https://\($0).example/" })
    let site: Site = { $0.url.host == "1.example" ? (200, "") : (500, "") }
    #expect(try await !Self.isConnected(configuration, site))
    #expect(try await Self.isConnected(configuration.configureSuccessThreshold(25), site))
    #expect(throws: InvalidInput.self) {
      try Self.connectivity(configuration.configureSuccessThreshold(-1), site)
    }
  }

  @Test func pendingProbesAreCancelledOnceTheThresholdIsMet() async throws {
    let configuration = ConnectivityConfiguration()
      .configureConnectivity(urls: ["https://quick.example/", "https://never.example/"])
    var plugins = PluginRegistry()
    try plugins.register(
      MadeUpTransport { request throws(ProbeFailure) in
        if request.url.host == "quick.example" { return .madeUp(request.url) }
        // Only cancellation ends it.
        try? await Task.sleep(for: .seconds(3600))
        throw ProbeFailure(.cancelled, "cancelled")
      })
    let state = try await Connectivity(configuration, plugins: plugins, paths: MadeUpPaths()).check()
    #expect(state.isConnected)
    #expect(state.result?.sets.first?.probes.map(\.outcome) == [.accepted, .skipped])
  }

  @Test func theDefaultTimeoutIsFiveSeconds() async throws {
    let timeouts = Guarded<Set<Duration>>([])
    _ = try await Self.isConnected { request in
      timeouts.withLock { _ = $0.insert(request.timeout) }
      return (200, "Success")
    }
    #expect(timeouts.withLock(\.self) == [.seconds(5)])
  }

  @Test func requestsAreChangedInOrder() async throws {
    let timeouts = Guarded<[Duration]>([])
    let configuration = ConnectivityConfiguration()
      .configureRequests { $0.timeout = .seconds(3) }.configureRequests { $0.timeout = $0.timeout * 2 }
    _ = try await Self.isConnected(configuration) { request in
      timeouts.withLock { $0.append(request.timeout) }
      return (200, "Success")
    }
    #expect(Set(timeouts.withLock(\.self)) == [.seconds(6)])
  }
}
