import BundledPlugins
import EngineProfiles
import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import Testing

/// A simulated network for an engine: the result of each URL that the engine requests.
struct SimulatedNetwork {
  /// The result of one URL.
  enum Ending: Sendable {
    /// A response.
    case response(Int, headers: [String] = [], body: String = "")
    /// These bytes, followed by the end of the connection.
    case bytes(String)
    /// The handshake fails: the certificate is signed by an untrusted authority.
    case tlsError
    /// No response arrives.
    case silence
    /// The connection is reset.
    case reset

    /// The empty response of Google's hosts.
    static let noContent = response(204)
    /// A redirect to a portal.
    static let redirect = response(302, headers: ["Location: http://portal.example/login"])

    /// A response with content of this length.
    static func content(_ count: Int) -> Ending { response(200, body: String(repeating: "x", count: count)) }
  }

  private var routes: [ReplayRoute] = []
  private var tls: [(host: String, value: TLSMode)] = []
  /// The URLs without a response; only the timeout ends a probe of such a URL.
  fileprivate private(set) var silent: Set<ProbeURL> = []
  /// The results of DNS lookups; none are given by default.
  var dns: HostRules<DNSAnswer> = [:]

  /// Creates a network in which no other URL has a response.
  init(_ endings: [String: Ending] = [:]) throws {
    for (url, ending) in endings.sorted(by: { $0.key < $1.key }) { try add(url, ending) }
  }

  /// Adds a URL and its result.
  mutating func add(_ text: String, _ ending: Ending) throws {
    let url = try ProbeURL(text)
    var route = ReplayRoute(
      text,
      when: RouteCondition(
        listener: url.scheme == .https ? .https : .http, host: url.host,
        path: url.path.isEmpty ? "/" : url.path))
    switch ending {
    case .response(let status, let headers, let body):
      route.response = .respond(
        ComposedResponse(
          status: status, reason: status < 200 ? "" : nil, headers: headers, body: Array(body.utf8)))
    case .bytes(let bytes):
      route.response = .send(Array(bytes.utf8))
      route.end = .fin
    case .tlsError: tls.append((url.host, .untrusted))
    case .silence:
      route.end = .hold
      silent.insert(url)
    case .reset: route.end = .rst
    }
    if case .tlsError = ending { return }
    routes.append(route)
  }

  /// The fixture that replays the network; other requests are refused without a response.
  var fixture: Fixture {
    Fixture(
      name: "asked", routes: routes + [ReplayRoute("nothing", end: .rst)],
      tls: HostRules(tls), dns: dns)
  }
}

/// An engine's verdict on a network, and its requests.
struct Judgement {
  /// The result of the run.
  let result: RunResult
  /// The requested URLs, as the network names them, in the order in which they were received.
  let requests: [String]

  /// Runs a profile in a network.
  ///
  /// - Parameters:
  ///   - name: The profile.
  ///   - network: The network.
  ///   - announced: The captive-portal API that the network announces.
  ///   - silence: The timeout for silent URLs, so that tests need not wait for the engines' own timeouts.
  ///     The timeout for other URLs is long enough for a heavily loaded machine.
  /// - Throws: ``UnusablePipeline`` if there is no such profile.
  init(
    of name: String, in network: SimulatedNetwork, announced: String? = nil, silence: Duration = .seconds(2)
  ) async throws {
    let profile = try #require(EngineProfile.named(name), "there is no profile \(name)")
    try await self.init(
      running: profile.read, in: network, at: ReplayedNetwork(network.fixture, with: .bundled),
      announced: announced, silence: silence)
  }

  /// Runs the pipeline in a text in a network.
  ///
  /// - Throws: ``UnusablePipeline`` if the text is not a pipeline.
  init(
    running pipeline: String, called name: String = "test", in network: SimulatedNetwork,
    announced: String? = nil,
    silence: Duration = .seconds(2), plugins: PluginRegistry? = nil
  ) async throws {
    let replayed = try ReplayedNetwork(network.fixture, with: plugins ?? .bundled)
    let loaded = PipelineLoader(replayed.plugins).load(path: "\(name).yaml", bytes: Array(pipeline.utf8))
    try await self.init(running: loaded, in: network, at: replayed, announced: announced, silence: silence)
  }

  private init(
    running pipeline: LoadedPipeline, in network: SimulatedNetwork, at replayed: ReplayedNetwork,
    announced: String?,
    silence: Duration
  ) async throws {
    let timeouts = RequestSetting { [silent = network.silent] request, _ in
      request.timeout = silent.contains(request.url) ? silence : .seconds(60)
    }
    var loaded = pipeline
    loaded.change { $0.overrides = [timeouts] }
    var plan = try loaded.plan()
    plan.announcedCapport = announced
    result = await replayed.run(plan)
    requests = replayed.journal.entries.compactMap { $0.hit?.route }
  }

  /// The verdict.
  var verdict: Verdict { result.verdict }

  /// The login URL.
  var loginURL: String? { result.portal?.loginURL.string }
}
