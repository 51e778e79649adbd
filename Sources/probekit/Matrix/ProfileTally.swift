import FixtureReplay
import ProbePipeline

/// How often a profile is right, and in which ways it is not, over the fixtures that expect something.
///
/// The ways overlap: a portal that is taken for the open Internet is one that is missed, too.
struct ProfileTally: Hashable {
  /// The profile's name.
  var profile: String
  /// How many of its answers could be held against something.
  var judged = 0
  /// How many are what is expected.
  var asExpected = 0
  /// How many have the verdict that is expected, and another login URL or none.
  var otherLoginURL = 0
  /// How many portals it says something else of.
  var portalsMissed = 0
  /// How many networks it says are portals that are none.
  var takenForPortal = 0
  /// How many networks it says are open that are not.
  var takenForOnline = 0

  /// A tally with nothing in it.
  init(_ profile: String) {
    self.profile = profile
  }

  /// Counts an answer.
  mutating func add(_ run: VerifiedRun, in row: VerdictMatrix.Row) {
    guard let expected = row.expectation?.verdicts else { return }
    judged += 1
    switch row.judgement(of: run) {
    case .asExpected: asExpected += 1
    case .otherLoginURL: otherLoginURL += 1
    case .otherVerdict:
      if expected.contains(.captivePortal) { portalsMissed += 1 }
      if run.verdict == .captivePortal { takenForPortal += 1 }
      if run.verdict == .online { takenForOnline += 1 }
    case .notJudged: break
    }
  }

  /// What is counted beside ``asExpected``, for heads of tables.
  static let titles = [
    "as expected", "other login URL", "portals missed", "taken for a portal", "taken for online",
  ]

  /// The numbers in the order of ``titles``.
  var columns: [String] {
    ["\(asExpected)/\(judged)"]
      + [otherLoginURL, portalsMissed, takenForPortal, takenForOnline].map { "\($0)" }
  }
}

extension VerdictMatrix {
  /// How often each profile is right, in the order of the columns.
  var tallies: [ProfileTally] {
    var tallies = profiles.map { ProfileTally($0) }
    for row in rows {
      for (index, cell) in row.cells.enumerated() {
        if let cell { tallies[index].add(cell, in: row) }
      }
    }
    return tallies
  }
}
