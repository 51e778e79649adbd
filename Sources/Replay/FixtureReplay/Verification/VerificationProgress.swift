internal import ProbePipeline

/// The results so far of verifying fixtures with several concurrent plans, which end in any order.
///
/// Each run is recorded when it ends; the last run of a fixture completes the fixture's verification.
struct VerificationProgress {
  /// One plan that runs in one fixture.
  struct Run {
    /// The index of the fixture.
    var fixture: Int
    /// The index of the fixture's plan.
    var position: Int
    var plan: ProbePlan
  }

  enum Outcome: Sendable {
    /// The run has findings.
    case found(VerifiedRun)
    /// The machine lacked this resource.
    case short(String)
  }

  private var verifications: [Int: FixtureVerification] = [:]
  private var outcomes: [Int: [Outcome?]] = [:]

  /// Adds a fixture with its number of plans, none of which has ended yet.
  mutating func add(_ verification: FixtureVerification, at fixture: Int, plans: Int) {
    verifications[fixture] = verification
    outcomes[fixture] = Array(repeating: nil, count: plans)
  }

  /// Records the outcome of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - outcome: The outcome.
  /// - Returns: If this was the fixture's last run, its verification with the runs in the order of the plans;
  ///   else nil.
  mutating func end(_ run: Run, with outcome: Outcome) -> FixtureVerification? {
    outcomes[run.fixture]?[run.position] = outcome
    guard let all = outcomes[run.fixture], all.allSatisfy({ $0 != nil }),
      var verification = verifications.removeValue(forKey: run.fixture)
    else { return nil }
    outcomes[run.fixture] = nil
    for outcome in all {
      switch outcome {
      case .found(let run): verification.runs.append(run)
      // The other plans most likely lacked the same resource: it is reported once.
      case .short(let words): verification.shortage = verification.shortage ?? words
      case nil: break
      }
    }
    return verification
  }
}

/// The number of concurrent runs of one plan in one fixture.
///
/// Runs in which the fixture makes its clients wait have their own, higher limit: they use hardly any CPU
/// time, and the total should take as long as one of them, not as all of them in turn. Both limits depend on
/// the number of descriptors, which a server and its clients share in one process.
struct VerificationWidth: Hashable, Sendable {
  /// The maximum number of waiting runs, even with enough descriptors: each server has a thread.
  static let maximumWaiting = 256
  /// The number of descriptors that the process needs for everything else.
  static let reservedDescriptors = 64

  /// The number of runs in which the fixture responds at once.
  let working: Int
  /// The number of runs in which the fixture makes its clients wait.
  let waiting: Int

  /// Computes the limits for pipelines.
  ///
  /// - Parameters:
  ///   - concurrency: The maximum number of runs that do not wait.
  ///   - plans: The plans of all runs.
  ///   - descriptorLimit: The maximum number of descriptors of this process.
  init(concurrency: Int, for plans: [ProbePlan], descriptorLimit: Int) {
    let connections = plans.map { min($0.run.concurrency, $0.probes.count) }.max() ?? 0
    // Both ends of each connection; three ports, the poller and its wake-up descriptor, and room for assigned
    // ports.
    let each = 2 * connections + 10
    let room = max(2, (descriptorLimit - Self.reservedDescriptors) / each)
    working = max(1, min(concurrency, room / 2))
    waiting = min(Self.maximumWaiting, room - working)
  }
}

extension Fixture {
  /// Whether a client of this network may wait until its own timeout, or as long as the fixture declares.
  ///
  /// Such a run takes time but hardly any CPU time. A fixture that makes its clients wait in another way, for
  /// instance by declaring more content than it sends, is not recognized.
  package var makesClientsWait: Bool {
    listeners.values.contains { $0 == .blackhole || $0 == .hold }
      || dns.rules.contains { $0.value == .timeout }
      || tls.rules.contains { $0.value == .stall }
      || routes.contains { $0.end == .hold || $0.fault?.kind.takesTime ?? false }
  }
}

extension ReplayFault.Kind {
  fileprivate var takesTime: Bool {
    switch self {
    case .delay, .slowHeaders, .slowBody, .stallHeaders, .stallBody, .continueForever, .endlessHeaders,
      .endlessBody:
      true
    default: false
    }
  }
}
