internal import OpenSSL
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
/// Each run has a replay server of its own, so that none finds a state another left behind. They share their
/// certificates, which are dear to make, and a client reads the one authority once.
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
  ///   - plans: The pipelines that each fixture is asked by, one after another.
  ///   - own: The pipeline of a fixture that brings its own along, by ``LoadedFixture/path``; it takes the place of the
  ///     others.
  ///   - transports: What probes travel by; they are led to the replay servers.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  ///   - concurrency: How many fixtures are verified at a time, those not counted that make their clients wait.
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
    do throws(TLSError) {
      options.certificates = ReplayCertificates(
        authority: try CertificateAuthority(name: "ProbeKit Replay Authority"))
    } catch {
      throw ReplayError(.noCertificates, "cannot make certificates: \(error.message)")
    }
    self.options = options
  }

  /// Verifies fixtures, several at a time, those first that make their clients wait.
  ///
  /// - Parameters:
  ///   - fixtures: What came of loading them; one that is wrong is told as it is, and keeps no other from being verified.
  ///   - finished: Told each as soon as it has finished, from any thread.
  /// - Returns: What came of each, in the order given. When the task is cancelled, those that had finished.
  @concurrent
  public func verify(
    _ fixtures: [LoadedFixture], finished: @escaping @Sendable (FixtureVerification) -> Void = { _ in }
  ) async -> [FixtureVerification] {
    let waits = fixtures.map { $0.fixture?.makesClientsWait ?? false }
    async let waiting = verify(
      fixtures, at: fixtures.indices.filter { waits[$0] }, width: width.waiting, finished)
    let working = await verify(
      fixtures, at: fixtures.indices.filter { !waits[$0] }, width: width.working, finished)
    return (await waiting + working).sorted { $0.index < $1.index }.map(\.verification)
  }
}

extension FixtureVerifier {
  private typealias Numbered = (index: Int, verification: FixtureVerification)

  private func verify(
    _ fixtures: [LoadedFixture], at indices: [Int], width: Int,
    _ finished: @escaping @Sendable (FixtureVerification) -> Void
  ) async -> [Numbered] {
    await withTaskGroup(of: Numbered?.self) { group in
      var done: [Numbered] = []
      for (position, index) in indices.enumerated() {
        if position >= width, let result = await group.next() ?? nil { done.append(result) }
        if Task.isCancelled { break }
        group.addTask {
          guard let verification = await verify(fixtures[index]) else { return nil }
          finished(verification)
          return (index, verification)
        }
      }
      for await result in group { if let result { done.append(result) } }
      return done
    }
  }

  /// What came of one, or nil when it was cancelled.
  private func verify(_ loaded: LoadedFixture) async -> FixtureVerification? {
    var verification = FixtureVerification(path: loaded.folder, findings: loaded.findings)
    guard let fixture = loaded.fixture, loaded.findings.isEmpty else { return verification }
    verification.name = fixture.name
    verification.expectation = fixture.expectation
    for plan in ownPlans[loaded.path].map({ [$0] }) ?? plans {
      do throws(ReplayError) {
        let result = try await run(plan, in: fixture)
        if Task.isCancelled { return nil }
        // What a machine finds that is short of something says nothing of the network.
        if let probe = result.localFailure {
          verification.shortage = probe.detail ?? probe.reason?.rawValue
          return verification
        }
        verification.runs.append(
          VerifiedRun(result, against: fixture.expectation, comparesQueries: comparesQueries))
      } catch {
        verification.shortage = error.message
        return verification
      }
    }
    return verification
  }

  private func run(_ plan: ProbePlan, in fixture: Fixture) async throws(ReplayError) -> RunResult {
    let server = try ReplayServer([fixture], options: options)
    defer { server.stop() }
    return await PipelineRunner(transports.led(to: server)).run(plan)
  }
}

extension RunResult {
  /// A probe that failed for want of something on this machine.
  var localFailure: ProbeResult? {
    let reasons: Set<ReasonCode> = [.noDescriptors, .noMemory, .noTrustStore, .noSource]
    return sets.lazy.flatMap(\.probes).first { $0.reason.map(reasons.contains) ?? false }
  }
}
