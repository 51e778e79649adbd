public import ProbeCore
public import ProbePipeline

/// A network that a fixture replays, asked the way a test asks it: a line for a portal.
///
/// ```swift
/// let portal = try ReplayedNetwork("fixtures/portals/mikrotik", with: .bundled)
/// #expect(try await portal.run(pipeline).verdict == .captivePortal)
/// ```
/// Whatever is asked is routed to a replay server of its own, with host names, ports and certificates as in real life;
/// nothing leaves this machine, see ``ProbeCore/TransportRegistry/routed(to:clock:)``. Copies are the same network: what one
/// asks may change the state that another finds. The server stops when nobody holds it any more.
public struct ReplayedNetwork: Sendable {
  /// What is replayed.
  public let fixture: Fixture
  /// What replays it.
  public let server: ReplayServer
  /// The plugins, with transports that route everything to the server.
  public let plugins: PluginRegistry

  /// A network, from its initial state.
  ///
  /// - Parameters:
  ///   - fixture: What to replay.
  ///   - plugins: What to ask it with; their transports are routed to the server.
  ///   - options: How to replay it.
  /// - Throws: ``ReplayError`` when the server cannot run.
  public init(
    _ fixture: Fixture, with plugins: PluginRegistry, options: ReplayOptions = ReplayOptions()
  ) throws(ReplayError) {
    self.fixture = fixture
    server = try ReplayServer([fixture], options: options)
    var plugins = plugins
    plugins.transports = plugins.transports.routed(to: server)
    self.plugins = plugins
  }

  /// The network of a fixture's folder, from its initial state.
  ///
  /// - Parameters:
  ///   - folder: The folder's path, or that of its `fixture.yaml`.
  ///   - plugins: What to ask it with.
  /// - Throws: ``InvalidFixture`` with everything that is wrong with it, ``ReplayError`` when the server cannot run.
  public init(_ folder: String, with plugins: PluginRegistry) throws {
    try self.init(Fixture(folder: folder), with: plugins)
  }

  /// The network of a fixture that was loaded with others, from its initial state.
  ///
  /// - Parameters:
  ///   - loaded: What came of loading it.
  ///   - plugins: What to ask it with.
  /// - Throws: ``InvalidFixture`` with everything that is wrong with it, ``ReplayError`` when the server cannot run.
  public init(_ loaded: LoadedFixture, with plugins: PluginRegistry) throws {
    guard let fixture = loaded.fixture else { throw InvalidFixture(loaded.findings) }
    try self.init(fixture, with: plugins)
  }

  /// What the server was asked, and what came of it.
  public var journal: ReplayJournal { server.journal }
}

extension ReplayedNetwork {
  /// Runs a pipeline in this network.
  ///
  /// - Parameter pipeline: What to ask.
  /// - Returns: The verdict, what it rests on, and every probe.
  /// - Throws: `InvalidPlan` with everything that is wrong with it, before anything is asked.
  public func run(_ pipeline: Pipeline) async throws(InvalidPlan) -> RunResult {
    try await pipeline.run(with: plugins)
  }

  /// Runs a plan in this network, such as that of a pipeline's file.
  ///
  /// - Parameter plan: What to ask.
  /// - Returns: The verdict, what it rests on, and every probe.
  public func run(_ plan: ProbePlan) async -> RunResult {
    await PipelineRunner(plugins.transports).run(plan)
  }

  /// Opens a URL in this network, as somebody does who reads the portal's page or logs in.
  ///
  /// Unencrypted URLs are allowed. Redirects are told and not followed, and the answer has 20 s to come, because a test
  /// is not about how busy its machine is, unless the request is changed to say otherwise.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - change: What to change of the request, such as its method.
  /// - Returns: The answer, whatever its status is.
  /// - Throws: `InvalidInput` when the URL is none, `ProbeFailure` when no answer came.
  @discardableResult
  public func open(
    _ url: String, _ change: (inout ProbeRequest) -> Void = { _ in }
  ) async throws -> ProbeResponse {
    var request = ProbeRequest(try ProbeURL(url))
    request.timeout = .seconds(20)
    change(&request)
    return try await Prober(plugins.transports, policy: .plaintextAllowed).probe(request)
  }
}

extension ReplayedNetwork: CustomStringConvertible {
  /// The fixture's name.
  public var description: String { fixture.name.escapedForDisplay }
}
