package import ProbeCore
internal import ProbeSystem
package import ProbePipeline

/// Replays fixtures, runs pipelines in each, and compares what they find with what the fixture expects.
///
/// ```swift
/// let verifier = try FixtureVerifier([plan], over: plugins.transports)
/// for verification in await verifier.verify(FixtureLoader().load(["fixtures"])) where !verification.hasPassed {
///   print(verification.path, verification.runs.flatMap(\.mismatches))
/// }
/// ```
/// Each run of one pipeline in one fixture has its own replay server, so that it does not find a state that
/// another run has changed. Runs are concurrent, including those of one fixture, so that the total time is
/// about that of the slowest run. The servers share their certificates, which are expensive to create, and a
/// client reads their one authority once.
package struct FixtureVerifier: Sendable {
  private let plans: [ProbePlan]
  private let ownPlans: [String: ProbePlan]
  private let transports: TransportRegistry
  private let comparesQueries: Bool
  private let width: VerificationWidth
  private let options: ReplayOptions

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - plans: The pipelines to run in each fixture, each in its own network.
  ///   - own: The pipeline of a fixture that contains one, by ``LoadedFixture/path``; it replaces the others.
  ///   - transports: The transports for the probes; they are routed to the replay servers.
  ///   - comparesQueries: Whether the queries of login URLs must match too.
  ///   - concurrency: The maximum number of concurrent runs, not counting those in which the fixture makes
  ///     its clients wait.
  /// - Throws: ``ReplayError`` if the certificates cannot be created.
  package init(
    _ plans: [ProbePlan], own: [String: ProbePlan] = [:], over transports: TransportRegistry,
    comparesQueries: Bool = false, concurrency: Int = 16
  ) throws(ReplayError) {
    self.plans = plans
    ownPlans = own
    self.transports = transports
    self.comparesQueries = comparesQueries
    width = VerificationWidth(
      concurrency: concurrency, for: plans + own.values, descriptorLimit: descriptorLimit)
    var options = ReplayOptions()
    options.certificates = try ReplayCertificates(signedBy: nil)
    self.options = options
  }

  /// Verifies fixtures with several concurrent runs; those in which a fixture makes its clients wait run in
  /// addition.
  ///
  /// - Parameters:
  ///   - fixtures: The loaded fixtures; one with errors is reported as it is, and does not prevent the
  ///     others.
  ///   - finished: Called with each result as soon as its last run has ended, on any thread.
  /// - Returns: The results in the order given; if the task is cancelled, those that were finished.
  @concurrent
  package func verify(
    _ fixtures: [LoadedFixture], finished: @escaping @Sendable (FixtureVerification) -> Void = { _ in }
  ) async -> [FixtureVerification] {
    let waits = fixtures.map { $0.fixture?.makesClientsWait ?? false }
    // Longest first: if such a run started last, it would still run when all others are over.
    async let waiting = verify(
      fixtures, at: fixtures.indices.filter { waits[$0] }, width: width.waiting, isLongestFirst: true,
      finished)
    let working = await verify(
      fixtures, at: fixtures.indices.filter { !waits[$0] }, width: width.working, finished)
    return (await waiting + working).sorted { $0.index < $1.index }.map(\.verification)
  }
}

extension FixtureVerifier {
  private typealias Numbered = (index: Int, verification: FixtureVerification)
  private typealias Run = VerificationProgress.Run
  private typealias Outcome = VerificationProgress.Outcome

  private func verify(
    _ fixtures: [LoadedFixture], at indices: [Int], width: Int, isLongestFirst: Bool = false,
    _ finished: @escaping @Sendable (FixtureVerification) -> Void
  ) async -> [Numbered] {
    var done: [Numbered] = []
    var runs: [Run] = []
    var progress = VerificationProgress()
    for index in indices {
      let verification = Self.start(fixtures[index])
      let plans = self.plans(for: fixtures[index])
      if plans.isEmpty {
        finished(verification)
        done.append((index, verification))
      }
      progress.add(verification, at: index, plans: plans.count)
      runs += plans.enumerated().map { Run(fixture: index, position: $0.offset, plan: $0.element) }
    }
    if isLongestFirst { runs.sort { $0.precedes($1) } }
    await withTaskGroup(of: (Run, Outcome?).self) { group in
      func takeNext() async -> Bool {
        guard let (run, outcome) = await group.next() else { return false }
        if let outcome, let verification = progress.end(run, with: outcome) {
          finished(verification)
          done.append((run.fixture, verification))
        }
        return true
      }
      for (position, run) in runs.enumerated() {
        if position >= width { _ = await takeNext() }
        if Task.isCancelled { break }
        group.addTask { (run, await outcome(of: run, in: fixtures[run.fixture])) }
      }
      while await takeNext() {}
    }
    return done
  }

  /// The verification of a fixture before its first run.
  private static func start(_ loaded: LoadedFixture) -> FixtureVerification {
    guard let fixture = loaded.fixture, loaded.findings.isEmpty else {
      return FixtureVerification(path: loaded.folder, findings: loaded.findings)
    }
    return FixtureVerification(
      path: loaded.folder, name: fixture.name, expectation: fixture.expectation)
  }

  /// The plans to run in a fixture; none if it has errors.
  private func plans(for loaded: LoadedFixture) -> [ProbePlan] {
    guard loaded.fixture != nil, loaded.findings.isEmpty else { return [] }
    return ownPlans[loaded.path].map { [$0] } ?? plans
  }

  /// The outcome of a run, or nil if it was cancelled.
  private func outcome(of run: Run, in loaded: LoadedFixture) async -> Outcome? {
    guard let fixture = loaded.fixture else { return nil }
    do throws(ReplayError) {
      let result = try await self.result(of: run.plan, in: fixture)
      if Task.isCancelled { return nil }
      // If the machine lacks a resource, the result reports nothing about the network.
      if let shortage = result.shortage { return .short(shortage) }
      return .found(
        VerifiedRun(result, against: fixture.expectation, comparesQueries: comparesQueries))
    } catch {
      return .short(error.message)
    }
  }

  private func result(of plan: ProbePlan, in fixture: Fixture) async throws(ReplayError) -> RunResult {
    let server = try ReplayServer([fixture], options: options)
    defer { server.stop() }
    return await PipelineRunner(transports.routed(to: server)).run(plan.announced(by: fixture))
  }
}

extension ProbePlan {
  /// The plan with the network's announcement of its captive-portal API, unless it already has one.
  func announced(by fixture: Fixture) -> ProbePlan {
    guard announcedCapport == nil, let capport = fixture.capport else { return self }
    var plan = self
    plan.announcedCapport = capport
    return plan
  }
}

extension RunResult {
  /// The resource that this machine lacked for a probe, in words, or nil.
  var shortage: String? { localFailure.flatMap { $0.detail ?? $0.reason?.rawValue } }
}

extension VerificationProgress.Run {
  /// Whether its plan takes longer in a silent network, or it comes first among equals.
  fileprivate func precedes(_ other: Self) -> Bool {
    (other.plan.patience, fixture, position) < (plan.patience, other.fixture, other.position)
  }
}

extension ProbePlan {
  /// How long it takes in a network without any response: its longest probe with all attempts, plus the
  /// fallbacks one after another.
  fileprivate var patience: Duration {
    func patience(of set: PlannedSet) -> Duration {
      set.probes.compactMap { probe in
        (try? probe.request.get()).map { $0.timeout * ($0.retries + 1) }
      }.max() ?? .zero
    }
    let together = sets.filter { $0.start == .always }.map(patience).max() ?? .zero
    return sets.filter { $0.start == .undecided }.map(patience).reduce(together, +)
  }
}
