internal import ProbePipeline

/// What has been found so far in fixtures that are asked by several plans at a time, in whichever order they answer.
///
/// A value that is told of each run as it ends, and gives a fixture's verification once its last run has ended.
struct VerificationsUnderWay {
  /// One plan asking one fixture: the unit of work.
  struct Run {
    /// Which of the fixtures, from 0.
    var fixture: Int
    /// Which of the fixture's plans, from 0.
    var position: Int
    /// The plan.
    var plan: ProbePlan
  }

  /// What came of a run.
  enum Outcome: Sendable {
    /// It was answered.
    case found(VerifiedRun)
    /// The machine lacked something to run it, in words.
    case short(String)
  }

  private var verifications: [Int: FixtureVerification] = [:]
  private var outcomes: [Int: [Outcome?]] = [:]

  /// Notes that a fixture is asked by a number of plans; not one of them has ended yet.
  mutating func add(_ verification: FixtureVerification, at fixture: Int, plans: Int) {
    verifications[fixture] = verification
    outcomes[fixture] = Array(repeating: nil, count: plans)
  }

  /// Notes what came of a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - outcome: What came of it.
  /// - Returns: The fixture's verification when this was its last run, with the runs in the order of the plans; else nil.
  mutating func end(_ run: Run, with outcome: Outcome) -> FixtureVerification? {
    outcomes[run.fixture]?[run.position] = outcome
    guard let all = outcomes[run.fixture], all.allSatisfy({ $0 != nil }),
      var verification = verifications.removeValue(forKey: run.fixture)
    else { return nil }
    outcomes[run.fixture] = nil
    for outcome in all {
      switch outcome {
      case .found(let run): verification.runs.append(run)
      // What one plan lacked, the others most likely did too: it is told once.
      case .short(let words): verification.shortage = verification.shortage ?? words
      case nil: break
      }
    }
    return verification
  }
}

/// How many runs, a fixture asked by a plan each, go on at a time.
///
/// Those in which the fixture makes its clients wait have places of their own, and many: they cost no work, and the
/// whole is to take as long as one of them waits, not as all of them do one after another. What bounds both are
/// descriptors, which a server and its clients need from the same process.
struct VerificationWidth: Hashable, Sendable {
  /// The most that wait at a time, whatever there is of descriptors: each server has a thread.
  static let mostWaiting = 256
  /// What the process needs besides.
  static let reservedDescriptors = 64

  /// How many of those in which the fixture answers at once.
  let working: Int
  /// How many of those in which the fixture makes its clients wait.
  let waiting: Int

  /// The width for pipelines.
  ///
  /// - Parameters:
  ///   - concurrency: How many may work at a time.
  ///   - plans: What fixtures are asked; each run is one of them.
  ///   - descriptorLimit: How many descriptors this process may have.
  init(concurrency: Int, for plans: [ProbePlan], descriptorLimit: Int) {
    let connections = plans.map { min($0.run.concurrency, $0.probes.count) }.max() ?? 0
    // Both ends of each connection; three ports, the poller and what wakes it, and room for ports of single hosts.
    let each = 2 * connections + 10
    let room = max(2, (descriptorLimit - Self.reservedDescriptors) / each)
    working = max(1, min(concurrency, room / 2))
    waiting = min(Self.mostWaiting, room - working)
  }
}

extension Fixture {
  /// Whether a client of this network may have to wait until its own patience ends, or for as long as the fixture says.
  ///
  /// Such a run costs time and next to no work. A fixture that makes its clients wait in another way, as by announcing
  /// more content than it sends, is not recognised.
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
