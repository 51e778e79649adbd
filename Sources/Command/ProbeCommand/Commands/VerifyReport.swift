import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProfileMatrix

/// The report on verified fixtures: a line for each, and the number that passed.
struct VerifyReport {
  /// The maximum width of the columns for paths and login URLs, in characters.
  static let widest = 60
  /// The maximum width of the column for expectations.
  static let widestExpectation = 28

  let verifications: [FixtureVerification]
  private let duration: Duration
  private let showsAllEvidence: Bool
  private let style: TextStyle

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - verifications: The result of each verification, in output order.
  ///   - duration: The total time.
  ///   - showsAllEvidence: Whether to include the evidence of results that are as expected.
  ///   - style: The style of the text for people.
  init(
    _ verifications: [FixtureVerification], duration: Duration, showsAllEvidence: Bool = false,
    style: TextStyle = TextStyle(usesColor: false)
  ) {
    self.verifications = verifications
    self.duration = duration
    self.showsAllEvidence = showsAllEvidence
    self.style = style
  }

  /// The report for people: a table with the evidence below each mismatch, and a summary at the end.
  ///
  /// Everything from files or the network is escaped.
  var text: String {
    let rows = verifications.flatMap(rows)
    let titles = Row(path: "fixture", expected: "expected", found: "found", loginURL: "login URL")
    let columns = ([titles] + rows).map(\.columns)
    let widths = (0..<3).map { index in columns.map { $0[index].count }.max() ?? 0 }
    var text = rows.isEmpty ? "" : "  " + style.apply(.faint, line(titles, widths)) + "\n"
    for row in rows {
      let mark = style.apply(row.isPassed ? .good : .bad, row.isPassed ? style.marks.good : style.marks.bad)
      text += "\(mark) \(line(row, widths))\n"
      for detail in row.details { text += "    \(detail)\n" }
    }
    return text + summary + "\n"
  }

  private func line(_ row: Row, _ widths: [Int]) -> String {
    var columns = zip(row.columns, widths).map { $0.padded(to: $1) } + [row.loginURL]
    while columns.last?.allSatisfy({ $0 == " " }) ?? false { columns.removeLast() }
    let last = columns.removeLast()
    return (columns + [String(last.reversed().drop { $0 == " " }.reversed())]).joined(separator: "  ")
  }

  private var summary: String {
    let (total, passed) = (verifications.count, passed)
    let text = "\(total) \(total == 1 ? "fixture" : "fixtures"), \(passed) passed, \(total - passed) failed"
    return style.apply(passed == total ? .good : .bad, text) + style.apply(.faint, ", \(duration.forPerson)")
  }

  /// The number of fixtures that passed.
  var passed: Int { verifications.count(where: \.hasPassed) }
}

extension VerifyReport {
  /// A line of the table, with the lines below it.
  private struct Row {
    var path: String
    var expected: String
    var found: String
    var loginURL = ""
    var isPassed = true
    var details: [String] = []

    /// All columns except the last, whose width does not matter.
    var columns: [String] { [path, expected, found] }
  }

  /// A line for each run of a fixture, or a single line if it was not replayed.
  private func rows(_ verification: FixtureVerification) -> [Row] {
    let path = style.shown(verification.path).shortened(to: Self.widest, atStart: true, style.marks)
    let verdicts = verification.expectation.map { $0.verdicts.map(\.rawValue).joined(separator: " or ") }
    let expected = (verdicts ?? "-").shortened(to: Self.widestExpectation, style.marks)
    guard verification.findings.isEmpty, verification.shortage == nil else {
      let why = verification.findings.isEmpty ? "not replayed" : "wrong"
      return [Row(path: path, expected: expected, found: why, isPassed: false)]
    }
    return verification.runs.map { run in
      Row(
        path: path, expected: expected, found: run.verdict.rawValue,
        loginURL: run.loginURL.map { style.shown($0.string).shortened(to: Self.widest, style.marks) } ?? "",
        isPassed: run.hasPassed, details: details(run))
    }
  }

  private func details(_ run: VerifiedRun) -> [String] {
    let mismatches = run.mismatches.map {
      style.apply(.bad, style.shown($0.description).shortened(to: MatrixText.maximumDetail, style.marks))
    }
    guard !run.hasPassed || showsAllEvidence else { return [] }
    let more = run.evidence.count - MatrixText.maximumEvidence
    let evidence = run.evidence.prefix(MatrixText.maximumEvidence).map {
      style.shown($0.summary).shortened(to: MatrixText.maximumDetail, style.marks)
    }
    return mismatches + evidence
      + (more > 0 ? ["and \(more) more"] : [])
  }
}

extension VerifyReport {
  /// The report for programs: one line; the names are part of the format.
  ///
  /// A fixture that could not be replayed has no results; one that could not be read has no name and no
  /// expectation.
  ///
  /// - Parameter withEvidence: Whether to include the evidence of each result.
  /// - Returns: The line.
  /// - Throws: An error of `JSONEncoder`, which no finding is known to cause.
  func json(withEvidence: Bool = false) throws -> String {
    let record = VerifyRecord(
      total: verifications.count, passed: passed, failed: verifications.count - passed,
      fixtures: verifications.map { VerifyRecord.Fixture(verification: $0, includesEvidence: withEvidence) })
    return try JSONLine.text(record)
  }
}

/// The JSON form of the results.
private struct VerifyRecord: Encodable {
  let schema = 1
  let total: Int
  let passed: Int
  let failed: Int
  let fixtures: [Fixture]

  struct Fixture: Encodable {
    private enum Key: CodingKey {
      case path, name, expected, results
    }

    let verification: FixtureVerification
    let includesEvidence: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(verification.path, forKey: .path)
      try container.encode(verification.name, forKey: .name)
      try container.encode(verification.expectation.map(Expectation.init), forKey: .expected)
      try container.encode(
        verification.runs.map { Run(run: $0, includesEvidence: includesEvidence) }, forKey: .results)
    }
  }

  struct Expectation: Encodable {
    private enum Key: CodingKey {
      case verdict, loginURL
    }

    let expectation: FixtureExpectation

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      let verdicts = expectation.verdicts
      // As in the fixture: one, or a list.
      if let only = verdicts.first, verdicts.count == 1 {
        try container.encode(only, forKey: .verdict)
      } else {
        try container.encode(verdicts, forKey: .verdict)
      }
      try container.encode(expectation.loginURL, forKey: .loginURL)
    }
  }

  struct Run: Encodable {
    private enum Key: CodingKey {
      case profile, verdict, loginURL, pass, evidence
    }

    let run: VerifiedRun
    let includesEvidence: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(run.pipeline, forKey: .profile)
      try container.encode(run.verdict, forKey: .verdict)
      try container.encode(run.loginURL?.string, forKey: .loginURL)
      try container.encode(run.hasPassed, forKey: .pass)
      if includesEvidence { try container.encode(run.evidence.map(\.summary), forKey: .evidence) }
    }
  }
}
