import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import SourceDocuments

/// What profiles say of networks, each answer held against what the fixture expects: a row a fixture, a column a profile.
struct VerdictMatrix {
  /// A fixture, and what each profile says of it.
  struct Row {
    /// The fixture's folder, as it was named; not escaped.
    var path: String
    /// What a check of the network should find, or nil when the fixture does not say.
    var expectation: FixtureExpectation?
    /// What the profiles found, in their order; nil where one could not be run.
    var cells: [VerifiedRun?]
    /// Why there are no answers, or not all: what is wrong with the fixture, or what the machine lacked; not escaped.
    var remarks: [String]

    /// Whether the profiles do not all say the same of it.
    var isDisputed: Bool { Set(cells.compactMap { $0?.verdict }).count > 1 }
  }

  /// The profiles' names, in the order of the columns.
  let profiles: [String]
  /// The fixtures, in their order.
  let rows: [Row]

  /// The matrix of fixtures that were verified.
  ///
  /// - Parameters:
  ///   - verifications: What came of each fixture; runs are told apart by the names of their pipelines.
  ///   - profiles: The names of the profiles that were asked, in the order of the columns.
  init(_ verifications: [FixtureVerification], profiles: [String]) {
    self.profiles = profiles
    rows = verifications.map { verification in
      Row(
        path: verification.path, expectation: verification.expectation,
        cells: profiles.map { name in verification.runs.first { $0.pipeline == name } },
        // The line itself and its caret are for the diagnostics.
        remarks: verification.findings.map { String($0.description.prefix { $0 != "\n" }) }
          + [verification.shortage].compactMap(\.self))
    }
  }

  /// How many fixtures could not be replayed, or not by all profiles.
  var incomplete: Int { rows.count { !$0.remarks.isEmpty } }

  /// How many fixtures and profiles there are, in words.
  var size: String {
    func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    let lacking = incomplete == 0 ? "" : " (\(incomplete) not replayed)"
    return "\(counted(rows.count, "fixture"))\(lacking), \(counted(profiles.count, "profile"))"
  }
}

/// How an answer compares with what is expected.
enum CellJudgement: Hashable {
  /// It is what is expected.
  case asExpected
  /// The verdict is what is expected, the login URL is not.
  case otherLoginURL
  /// The verdict is another one.
  case otherVerdict
  /// Nothing is expected.
  case notJudged
}

extension VerdictMatrix.Row {
  /// How an answer compares with what this fixture expects.
  func judgement(of run: VerifiedRun) -> CellJudgement {
    guard expectation != nil else { return .notJudged }
    if run.hasPassed { return .asExpected }
    return run.mismatches.contains { $0.subject == .verdict } ? .otherVerdict : .otherLoginURL
  }
}
