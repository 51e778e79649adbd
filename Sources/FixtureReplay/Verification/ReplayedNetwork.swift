public import ProbeCore
public import ProbePipeline
internal import SourceDocuments

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

extension ReplayedNetwork {
  /// Runs a pipeline, and demands that it finds what the fixture expects: the verdict, and where to log in.
  ///
  /// What a fixture expects holds for its initial state. One that expects nothing passes when it replays.
  ///
  /// - Parameters:
  ///   - pipeline: What to ask.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  /// - Returns: What was found.
  /// - Throws: `InvalidPlan` with everything that is wrong with the pipeline, ``UnexpectedFindings`` when it finds
  ///   something else.
  @discardableResult
  public func verify(_ pipeline: Pipeline, comparesQueries: Bool = false) async throws -> RunResult {
    try held(try await run(pipeline), comparesQueries)
  }

  /// Runs a plan, and demands that it finds what the fixture expects: the verdict, and where to log in.
  ///
  /// What a fixture expects holds for its initial state. One that expects nothing passes when it replays.
  ///
  /// - Parameters:
  ///   - plan: What to ask.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  /// - Returns: What was found.
  /// - Throws: ``UnexpectedFindings`` when it finds something else.
  @discardableResult
  public func verify(
    _ plan: ProbePlan, comparesQueries: Bool = false
  ) async throws(UnexpectedFindings) -> RunResult {
    try held(await run(plan), comparesQueries)
  }

  private func held(_ result: RunResult, _ comparesQueries: Bool) throws(UnexpectedFindings) -> RunResult {
    var verification = FixtureVerification(
      path: fixture.name, name: fixture.name, expectation: fixture.expectation)
    verification.shortage = result.shortage
    if verification.shortage == nil {
      verification.runs = [
        VerifiedRun(result, against: fixture.expectation, comparesQueries: comparesQueries)
      ]
    }
    guard verification.hasPassed else { throw UnexpectedFindings(verification) }
    return result
  }
}

/// A pipeline found something else in a network than its fixture expects.
public struct UnexpectedFindings: Error, Sendable {
  /// What was expected and what was found, or what the machine lacked to find out.
  public let verification: FixtureVerification

  init(_ verification: FixtureVerification) {
    self.verification = verification
  }
}

extension UnexpectedFindings: CustomStringConvertible {
  /// What was expected and what was found, and below it what that rests on; safe to print.
  public var description: String {
    let name = (verification.name ?? verification.path).escapedForDisplay
    if let shortage = verification.shortage { return "\(name) could not be asked: \(shortage)" }
    return verification.runs.flatMap { run in
      run.mismatches.map { "\(name), asked by \(run.pipeline.escapedForDisplay): \($0)" }
        + run.evidence.map { "  \($0.summary)" }
    }.joined(separator: "\n")
  }
}

extension ProbePlan {
  /// The plan of a pipeline file, with its secrets and files read.
  ///
  /// - Parameters:
  ///   - path: The file's path, YAML or JSON; relative paths in it start at its folder.
  ///   - plugins: What the file can name.
  ///   - context: Where secrets come from.
  /// - Throws: `UnusablePipeline` with everything that is wrong.
  public init(
    file path: String, with plugins: PluginRegistry, in context: RequestContext = .process
  ) throws(UnusablePipeline) {
    let bytes: [UInt8]
    do throws(InvalidInput) {
      bytes = try DiskFiles().read(path, limit: SourceDocument.Limits().bytes)
    } catch {
      throw UnusablePipeline(findings: [SourceFinding(path: path, error)])
    }
    self = try PipelineLoader(plugins).load(path: path, bytes: bytes).plan(in: context)
  }
}
