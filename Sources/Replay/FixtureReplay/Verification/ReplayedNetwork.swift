internal import SourceDocuments
public import ProbeCore
public import ProbePipeline

/// A replayed network for tests: one line of code for each portal.
///
/// ```swift
/// let portal = try ReplayedNetwork("fixtures/portals/mikrotik", with: .bundled)
/// #expect(try await portal.run(pipeline).verdict == .captivePortal)
/// ```
/// Every request is routed to the network's own replay server, with host names, ports and certificates as in
/// the real network; none leaves this machine, see ``ProbeCore/TransportRegistry/routed(to:clock:)``. Copies
/// share the network: a request to one may change the state that another finds. The server stops when the
/// last copy is gone.
public struct ReplayedNetwork: Sendable {
  /// The replayed fixture.
  public let fixture: Fixture
  /// The server that replays it.
  public let server: ReplayServer
  /// The plugins, with transports that route everything to the server.
  public let plugins: PluginRegistry

  /// Creates a network in the fixture's initial state.
  ///
  /// - Parameters:
  ///   - fixture: The fixture to replay.
  ///   - plugins: The plugins for the probes; their transports are routed to the server.
  ///   - options: The server's settings.
  /// - Throws: ``ReplayError`` if the server cannot run.
  public init(
    _ fixture: Fixture, with plugins: PluginRegistry, options: ReplayOptions = ReplayOptions()
  ) throws(ReplayError) {
    self.fixture = fixture
    server = try ReplayServer([fixture], options: options)
    var plugins = plugins
    plugins.transports = plugins.transports.routed(to: server)
    self.plugins = plugins
  }

  /// Creates the network of the fixture in a folder, in its initial state.
  ///
  /// - Parameters:
  ///   - folder: The folder's path, or that of its `fixture.yaml`.
  ///   - plugins: The plugins for the probes.
  /// - Throws: ``InvalidFixture`` with all errors in the fixture, ``ReplayError`` if the server cannot run.
  public init(_ folder: String, with plugins: PluginRegistry) throws {
    try self.init(Fixture(folder: folder), with: plugins)
  }

  /// Creates the network of a loaded fixture, in its initial state.
  ///
  /// - Parameters:
  ///   - loaded: The loaded fixture.
  ///   - plugins: The plugins for the probes.
  /// - Throws: ``InvalidFixture`` with all errors in the fixture, ``ReplayError`` if the server cannot run.
  public init(_ loaded: LoadedFixture, with plugins: PluginRegistry) throws {
    guard let fixture = loaded.fixture else { throw InvalidFixture(loaded.findings) }
    try self.init(fixture, with: plugins)
  }

  /// The requests to the server, and their outcomes.
  public var journal: ReplayJournal { server.journal }
}

extension ReplayedNetwork {
  /// Runs a pipeline in this network.
  ///
  /// - Parameter pipeline: The pipeline.
  /// - Returns: The verdict, the evidence, and every probe.
  /// - Throws: `InvalidPlan` with all errors in the pipeline, before any probe starts.
  public func run(_ pipeline: Pipeline) async throws(InvalidPlan) -> RunResult {
    await run(try pipeline.plan(over: plugins.transports))
  }

  /// Runs a plan in this network, for instance that of a pipeline file.
  ///
  /// - Parameter plan: The plan.
  /// - Returns: The verdict, the evidence, and every probe.
  public func run(_ plan: ProbePlan) async -> RunResult {
    await PipelineRunner(plugins.transports).run(plan.announced(by: fixture))
  }

  /// Requests a URL in this network, like a user who opens the portal's page or logs in.
  ///
  /// Unencrypted URLs are allowed. Redirects are reported and not followed. The timeout is 20 s, so that a
  /// test does not depend on how busy its machine is, unless `change` sets another one.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - change: Changes the request, for instance its method.
  /// - Returns: The response, whatever its status.
  /// - Throws: `InvalidInput` if the URL is invalid, `ProbeFailure` if there was no response.
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
  /// Runs a pipeline, and requires that it finds what the fixture expects: the verdict and the login URL.
  ///
  /// The expectation applies to the fixture's initial state. A fixture without one passes if it is replayed.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - comparesQueries: Whether the queries of login URLs must match too.
  /// - Returns: The findings.
  /// - Throws: `InvalidPlan` with all errors in the pipeline, ``UnexpectedFindings`` if it finds something
  ///   else.
  @discardableResult
  public func verify(_ pipeline: Pipeline, comparesQueries: Bool = false) async throws -> RunResult {
    try held(try await run(pipeline), comparesQueries)
  }

  /// Runs a plan, and requires that it finds what the fixture expects: the verdict and the login URL.
  ///
  /// The expectation applies to the fixture's initial state. A fixture without one passes if it is replayed.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - comparesQueries: Whether the queries of login URLs must match too.
  /// - Returns: The findings.
  /// - Throws: ``UnexpectedFindings`` if it finds something else.
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

/// A pipeline found something other than what the fixture expects.
public struct UnexpectedFindings: Error, Sendable {
  /// The expected and actual findings, or the resource that the machine lacked.
  public let verification: FixtureVerification

  init(_ verification: FixtureVerification) {
    self.verification = verification
  }
}

extension UnexpectedFindings: CustomStringConvertible {
  /// The expected and actual findings, followed by the evidence; safe to print.
  public var description: String {
    let name = (verification.name ?? verification.path).escapedForDisplay
    if let shortage = verification.shortage { return "\(name) could not be replayed: \(shortage)" }
    return verification.runs.flatMap { run in
      run.mismatches.map { "\(name), probed by \(run.pipeline.escapedForDisplay): \($0)" }
        + run.evidence.map { "  \($0.summary)" }
    }.joined(separator: "\n")
  }
}

extension ProbePlan {
  /// Loads the plan of a pipeline file, with its secrets and files.
  ///
  /// - Parameters:
  ///   - path: The file's path, YAML or JSON; relative paths in it are relative to its folder.
  ///   - plugins: The plugins that the file can name.
  ///   - context: The source of secrets.
  /// - Throws: `UnusablePipeline` with all errors.
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

/// The expectations and changes of a test, in one line each.
extension ReplayedNetwork {
  /// Requires that this number of requests reached the network.
  ///
  /// ```swift
  /// try portal.expect(.once, "GET http://shop.example/health")
  /// ```
  /// - Parameters:
  ///   - count: The expected number.
  ///   - request: The request, as in ``RouteCondition/init(request:)``.
  ///   - route: The name of the route that responded, or nil for any or none.
  /// - Returns: The entries of the journal.
  /// - Throws: ``JournalMismatch``, which describes what was received instead, or `InvalidInput` if the text is
  ///   not a request.
  @discardableResult
  public func expect(
    _ count: RequestCount, _ request: String, route: String? = nil
  ) throws -> [JournalEntry] {
    try journal.expect(count, request, route: route)
  }

  /// Requires that every request matched a route.
  ///
  /// - Throws: ``JournalMismatch`` with those that did not, and their nearest routes.
  public func expectNoUnmatched() throws(JournalMismatch) {
    let unmatched = journal.unmatched
    guard unmatched.isEmpty else { throw JournalMismatch(unmatched: unmatched) }
  }

  /// The fixture's current state, or nil if it has no states.
  ///
  /// - Throws: ``ReplayError`` if the server was stopped.
  public func state() throws(ReplayError) -> String? { try server.state(of: fixture.name) }

  /// Changes the fixture's state, for instance to end a session.
  ///
  /// - Parameter state: The state: the initial one, or one that a route names.
  /// - Throws: ``ReplayError`` if there is no such state, or the server was stopped.
  public func setState(_ state: String) throws(ReplayError) { try server.setState(state, of: fixture.name) }

  /// Sets or removes the fault of a route.
  ///
  /// - Parameters:
  ///   - fault: The fault, or nil for none.
  ///   - route: The name of the route.
  /// - Throws: ``ReplayError`` if there is no such route, or the fault does not fit its response.
  public func setFault(_ fault: ReplayFault?, of route: String) throws(ReplayError) {
    try server.setFault(fault, of: route, in: fixture.name)
  }

  /// Changes how a listener treats connections.
  ///
  /// - Parameters:
  ///   - mode: The mode, or nil for that of the fixture.
  ///   - listener: The listener.
  /// - Throws: ``ReplayError`` if the machine lacks a resource, or the server was stopped.
  public func setMode(_ mode: ListenerMode?, of listener: ReplayListener) throws(ReplayError) {
    try server.setMode(mode, of: listener)
  }
}
