public import ProbeCore
public import ProbePipeline

/// Replays fixtures, asks each what pipelines ask, and compares what they find with what the fixture expects.
///
/// ```swift
/// let verifier = try FixtureVerifier([plan], over: plugins.transports)
/// for verification in await verifier.verify(FixtureLoader().load(["fixtures"])) where !verification.hasPassed {
///   print(verification.path, verification.runs.flatMap(\.mismatches))
/// }
/// ```
/// Each run, which is one pipeline asking one fixture, has a replay server of its own, so that none finds a state another
/// left behind. They go on side by side, those of one fixture too, so that the whole takes about as long as the slowest
/// of them. They share their certificates, which are dear to make, and a client reads the one authority once.
public struct FixtureVerifier: Sendable {
  private let plans: [ProbePlan]
  private let ownPlans: [String: ProbePlan]
  private let transports: TransportRegistry
  private let comparesQueries: Bool
  private let width: VerificationWidth
  private let options: ReplayOptions

  /// A verifier.
  ///
  /// - Parameters:
  ///   - plans: The pipelines that each fixture is asked by, each in a network of its own.
  ///   - own: The pipeline of a fixture that brings its own along, by ``LoadedFixture/path``; it takes the place of the
  ///     others.
  ///   - transports: What probes travel by; they are routed to the replay servers.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  ///   - concurrency: How many runs, a fixture asked by a pipeline each, go on at a time, those not counted in which the
  ///     fixture makes its clients wait.
  /// - Throws: ``ReplayError`` when certificates cannot be made.
  public init(
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

  /// Verifies fixtures, several runs at a time, those beside the others in which a fixture makes its clients wait.
  ///
  /// - Parameters:
  ///   - fixtures: What came of loading them; one that is wrong is told as it is, and keeps no other from being verified.
  ///   - finished: Told each as soon as its last run has ended, from any thread.
  /// - Returns: What came of each, in the order given. When the task is cancelled, those that had finished.
  @concurrent
  public func verify(
    _ fixtures: [LoadedFixture], finished: @escaping @Sendable (FixtureVerification) -> Void = { _ in }
  ) async -> [FixtureVerification] {
    let waits = fixtures.map { $0.fixture?.makesClientsWait ?? false }
    // The most patient plans first: one that starts last would be waited for when all others are over.
    async let waiting = verify(
      fixtures, at: fixtures.indices.filter { waits[$0] }, width: width.waiting, mostPatientFirst: true,
      finished)
    let working = await verify(
      fixtures, at: fixtures.indices.filter { !waits[$0] }, width: width.working, finished)
    return (await waiting + working).sorted { $0.index < $1.index }.map(\.verification)
  }
}

extension FixtureVerifier {
  private typealias Numbered = (index: Int, verification: FixtureVerification)
  private typealias Run = VerificationsUnderWay.Run
  private typealias Outcome = VerificationsUnderWay.Outcome

  private func verify(
    _ fixtures: [LoadedFixture], at indices: [Int], width: Int, mostPatientFirst: Bool = false,
    _ finished: @escaping @Sendable (FixtureVerification) -> Void
  ) async -> [Numbered] {
    var done: [Numbered] = []
    var runs: [Run] = []
    var underWay = VerificationsUnderWay()
    for index in indices {
      let verification = Self.start(fixtures[index])
      let plans = self.plans(for: fixtures[index])
      if plans.isEmpty {
        finished(verification)
        done.append((index, verification))
      }
      underWay.add(verification, at: index, plans: plans.count)
      runs += plans.enumerated().map { Run(fixture: index, position: $0.offset, plan: $0.element) }
    }
    if mostPatientFirst { runs.sort { $0.precedes($1) } }
    await withTaskGroup(of: (Run, Outcome?).self) { group in
      func takeNext() async -> Bool {
        guard let (run, outcome) = await group.next() else { return false }
        if let outcome, let verification = underWay.end(run, with: outcome) {
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

  /// What is known of a fixture before it is asked.
  private static func start(_ loaded: LoadedFixture) -> FixtureVerification {
    guard let fixture = loaded.fixture, loaded.findings.isEmpty else {
      return FixtureVerification(path: loaded.folder, findings: loaded.findings)
    }
    return FixtureVerification(
      path: loaded.folder, name: fixture.name, expectation: fixture.expectation)
  }

  /// What a fixture is asked by: nothing when something is wrong with it.
  private func plans(for loaded: LoadedFixture) -> [ProbePlan] {
    guard loaded.fixture != nil, loaded.findings.isEmpty else { return [] }
    return ownPlans[loaded.path].map { [$0] } ?? plans
  }

  /// What came of a run, or nil when it was cancelled.
  private func outcome(of run: Run, in loaded: LoadedFixture) async -> Outcome? {
    guard let fixture = loaded.fixture else { return nil }
    do throws(ReplayError) {
      let result = try await self.result(of: run.plan, in: fixture)
      if Task.isCancelled { return nil }
      // What a machine finds that is short of something says nothing of the network.
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
    return await PipelineRunner(transports.routed(to: server)).run(plan)
  }
}

extension RunResult {
  /// What this machine lacked for a probe, in words; nil when it lacked nothing.
  var shortage: String? { localFailure.flatMap { $0.detail ?? $0.reason?.rawValue } }
}

extension VerificationsUnderWay.Run {
  /// Whether its plan is the more patient one, or it stands first among equals.
  fileprivate func precedes(_ other: Self) -> Bool {
    (other.plan.patience, fixture, position) < (plan.patience, other.fixture, other.position)
  }
}

extension ProbePlan {
  /// How long it waits for a network that does not answer: its most patient probe, attempts and all, and the fallbacks
  /// one after another.
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
