package import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import SourceDocuments
import ProbeBase

/// The verdicts of profiles on fixtures, compared with the expectations: a row for each fixture, a column for
/// each profile.
package struct VerdictMatrix {
  /// A fixture, and the results of the profiles.
  package struct Row {
    /// The path of the fixture's folder as given; not escaped.
    var path: String
    /// The expected result of a check of the network, or nil if the fixture has none.
    var expectation: FixtureExpectation?
    /// The results of the profiles, in order; nil for a profile that could not be run.
    package var cells: [VerifiedRun?]
    /// The reason for missing results: errors in the fixture, or a shortage on this machine; not escaped.
    var remarks: [String]

    /// Whether the verdicts of the profiles differ.
    var isDisputed: Bool { Set(cells.compactMap { $0?.verdict }).count > 1 }
  }

  /// The profiles' names, in the order of the columns.
  let profiles: [String]
  /// The fixtures in order.
  package let rows: [Row]

  /// Creates the matrix of verified fixtures.
  ///
  /// - Parameters:
  ///   - verifications: The results; their runs are identified by the names of their pipelines.
  ///   - profiles: The names of the profiles, in the order of the columns.
  package init(_ verifications: [FixtureVerification], profiles: [String]) {
    self.profiles = profiles
    rows = verifications.map { verification in
      Row(
        path: verification.path, expectation: verification.expectation,
        cells: profiles.map { name in verification.runs.first { $0.pipeline == name } },
        // The quoted line and its caret are only for the diagnostics.
        remarks: verification.findings.map { String($0.description.prefix { $0 != "\n" }) }
          + [verification.shortage].compactMap(\.self))
    }
  }

  /// The verdicts to explain: those about networks, and the others that occur.
  var verdicts: [Verdict] {
    let found = Set(rows.flatMap { $0.cells.compactMap { $0?.verdict } + ($0.expectation?.verdicts ?? []) })
    return Verdict.allCases.filter { $0.question == .internet || found.contains($0) }
  }

  /// The number of fixtures that could not be replayed for all profiles.
  var incomplete: Int { rows.count { !$0.remarks.isEmpty } }

  /// The number of fixtures and profiles, in words.
  package var size: String {
    let lacking = incomplete == 0 ? "" : " (\(incomplete) not replayed)"
    return "\(rows.count.counted("fixture"))\(lacking), \(profiles.count.counted("profile"))"
  }
}

/// The comparison of a result with an expectation.
package enum CellJudgement: Hashable {
  /// The result is as expected.
  case asExpected
  /// The verdict is as expected, but the login URL is not.
  case otherLoginURL
  /// The verdict differs.
  case otherVerdict
  /// The fixture has no expectation.
  case notJudged
}

extension VerdictMatrix.Row {
  /// Compares a result with this fixture's expectation.
  package func judgement(of run: VerifiedRun) -> CellJudgement {
    guard expectation != nil else { return .notJudged }
    if run.hasPassed { return .asExpected }
    return run.mismatches.contains { $0.subject == .verdict } ? .otherVerdict : .otherLoginURL
  }
}
