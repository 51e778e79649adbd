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
