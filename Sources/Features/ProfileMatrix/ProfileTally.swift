import FixtureReplay
import ProbePipeline

/// The correct and wrong verdicts of a profile, over the fixtures with an expectation.
///
/// The counters of wrong verdicts overlap: a portal that is reported as online is also missed.
package struct ProfileTally: Hashable {
  /// The profile's name.
  var profile: String
  /// The number of results that could be compared with an expectation.
  var judged = 0
  /// The number of results that are as expected.
  var asExpected = 0
  /// The number of results with the expected verdict, but a different login URL or none.
  var otherLoginURL = 0
  /// The number of portals that it does not report as a portal.
  var portalsMissed = 0
  /// The number of networks without a portal that it reports as one.
  var takenForPortal = 0
  /// The number of networks that it wrongly reports as online.
  var takenForOnline = 0

  /// Creates an empty tally.
  init(_ profile: String) {
    self.profile = profile
  }

  /// Counts a result.
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

  /// The names of the counters, for table headers.
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
  /// The tallies of the profiles, in the order of the columns.
  package var tallies: [ProfileTally] {
    var tallies = profiles.map { ProfileTally($0) }
    for row in rows {
      for (index, cell) in row.cells.enumerated() {
        if let cell { tallies[index].add(cell, in: row) }
      }
    }
    return tallies
  }
}
