internal import PortalAnalysis
internal import ProbeBase
internal import ProbeCore
internal import ProbePipeline
internal import SourceDocuments
package import FixtureReplay

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
  case asExpected
  /// The verdict is as expected, but the login URL is not.
  case otherLoginURL
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

/// The fixtures of a matrix in one folder.
struct MatrixGroup {
  /// The folder's name; empty if all fixtures are in one folder.
  var name: String
  /// The fixtures, each with its path inside the folder.
  var rows: [(path: String, row: VerdictMatrix.Row)]
}

extension VerdictMatrix {
  /// The fixtures grouped by the folders below their common folder, in order of first appearance.
  var groups: [MatrixGroup] {
    let paths = rows.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }
    let depth = Self.commonDepth(paths)
    var groups: [MatrixGroup] = []
    for (path, row) in zip(paths, rows) {
      let rest = path.dropFirst(depth)
      let name = rest.count > 1 ? rest.first ?? "" : ""
      let entry = (path: rest.dropFirst(rest.count > 1 ? 1 : 0).joined(separator: "/"), row: row)
      if let index = groups.firstIndex(where: { $0.name == name }) {
        groups[index].rows.append(entry)
      } else {
        groups.append(MatrixGroup(name: name, rows: [entry]))
      }
    }
    return groups
  }

  /// The number of leading folders that all paths share; the last component of a path is not a folder.
  private static func commonDepth(_ paths: [[String]]) -> Int {
    guard var common = paths.first.map({ Array($0.dropLast()) }) else { return 0 }
    for path in paths {
      let shared = zip(common, path.dropLast()).prefix { $0 == $1 }.count
      common.removeLast(common.count - shared)
    }
    return common.count
  }
}

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

/// The content of a narrow cell: a letter for the verdict, and a mark if it is not as expected.
struct VerdictMark {
  /// The letter for a missing result.
  static let missing = "-"
  /// The meanings of the marks, in the order of the legend.
  static let meanings: [(mark: String, meaning: String)] = [
    (mark(.otherVerdict), "not the expected verdict"),
    (mark(.otherLoginURL), "the expected verdict, but not the expected login URL"),
  ]

  /// The letter of the verdict.
  let letter: String
  /// The mark after the letter, or an empty string.
  let mark: String

  init(_ run: VerifiedRun, in row: VerdictMatrix.Row) {
    letter = run.verdict.letter
    mark = Self.mark(row.judgement(of: run))
  }

  private static func mark(_ judgement: CellJudgement) -> String {
    switch judgement {
    case .asExpected, .notJudged: ""
    case .otherLoginURL: "*"
    case .otherVerdict: "!"
    }
  }
}

extension Verdict {
  /// The letter for the verdict in a matrix.
  package var letter: String {
    switch self {
    case .online: "O"
    case .captivePortal: "P"
    case .intercepted: "I"
    case .partial: "~"
    case .offline: "X"
    case .inconclusive: "?"
    case .healthy: "H"
    case .degraded: "D"
    case .unhealthy: "U"
    }
  }
}

extension VerdictMatrix.Row {
  /// The letters of the expected verdicts, or the letter for a missing one.
  var expectedLetters: String {
    expectation.map { $0.verdicts.map(\.letter).joined(separator: "/") } ?? VerdictMark.missing
  }
}
