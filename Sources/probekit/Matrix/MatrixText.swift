import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting

/// A matrix for a terminal: letters in narrow columns, a legend, and the tallies of the profiles.
///
/// Everything from files or the network is escaped.
struct MatrixText {
  /// The maximum width of a line, if the columns leave enough room for paths.
  static let width = 100
  /// The minimum width of the column for paths.
  static let narrowestPath = 20
  /// The number of fixtures from which on the names of the columns are repeated below them.
  static let longTable = 30
  /// The width of a column: a letter and its mark.
  private static let column = 2

  private let matrix: VerdictMatrix
  private let duration: Duration
  private let showsEvidence: Bool
  private let style: TextStyle
  private let pathWidth: Int
  private let expectedWidth: Int

  /// Creates the text of a matrix.
  ///
  /// - Parameters:
  ///   - matrix: The matrix.
  ///   - duration: The total duration.
  ///   - showsEvidence: Whether to print the evidence for the answers below each row.
  ///   - usesColor: Whether the text is colored.
  init(_ matrix: VerdictMatrix, duration: Duration, showsEvidence: Bool = false, usesColor: Bool = false) {
    self.matrix = matrix
    self.duration = duration
    self.showsEvidence = showsEvidence
    style = TextStyle(usesColor: usesColor)
    expectedWidth = max("expected".count, matrix.rows.map(\.expectedLetters.count).max() ?? 0)
    let names = matrix.profiles.enumerated().map { $0.offset * Self.column + $0.element.count }.max() ?? 0
    let room = max(Self.narrowestPath, Self.width - names - expectedWidth - 4)
    pathWidth = min(room, max("fixture".count, matrix.rows.map(\.path.escapedForDisplay.count).max() ?? 0))
  }

  /// The whole text.
  var text: String {
    var lines = stairs(isHead: true)
    lines += matrix.rows.flatMap(self.lines)
    if matrix.rows.count >= Self.longTable { lines += stairs(isHead: false) }
    lines.append("")
    lines += legend + [""] + summary + [""]
    lines.append(matrix.size + style.apply(.faint, ", \(duration.forPerson)"))
    return lines.map { "\($0)\n" }.joined()
  }
}

extension MatrixText {
  /// The names of the columns, each on its own line, connected to its column below or above.
  private func stairs(isHead: Bool) -> [String] {
    let columns = matrix.profiles.indices
    let margin = String(repeating: " ", count: pathWidth + expectedWidth + 4)
    let steps = columns.map { index in
      margin + String(repeating: "│ ", count: index) + matrix.profiles[index]
    }
    let strokes = columns.map { _ in "│" }.joined(separator: " ")
    let titles = "fixture".padded(to: pathWidth) + "  " + "expected".padded(to: expectedWidth)
    let lines = isHead ? steps + ["\(titles)  \(strokes)"] : steps.reversed()
    return lines.map { style.apply(.faint, $0) }
  }

  private func lines(_ row: VerdictMatrix.Row) -> [String] {
    let path = row.path.escapedForDisplay.shortened(to: pathWidth, atStart: true).padded(to: pathWidth)
    let start = "\(path)  \(row.expectedLetters.padded(to: expectedWidth))  "
    guard row.cells.contains(where: { $0 != nil }) || row.remarks.isEmpty else {
      return [start + style.apply(.bad, "not replayed")] + row.remarks.map(Self.detail)
    }
    var line = start
    for (index, cell) in row.cells.enumerated() {
      let (text, emphasis) = self.cell(cell, in: row)
      line += emphasis.map { style.apply($0, text) } ?? text
      if index < row.cells.count - 1 { line += String(repeating: " ", count: Self.column - text.count) }
    }
    return [line] + row.remarks.map(Self.detail) + (showsEvidence ? evidence(row) : [])
  }

  private func cell(
    _ run: VerifiedRun?, in row: VerdictMatrix.Row
  ) -> (text: String, emphasis: TextStyle.Emphasis?) {
    guard let run else { return (VerdictMark.missing, .bad) }
    let mark = VerdictMark(run, in: row)
    let emphasis: TextStyle.Emphasis? =
      switch row.judgement(of: run) {
      case .asExpected: .good
      case .otherLoginURL: .warning
      case .otherVerdict: .bad
      case .notJudged: nil
      }
    return (mark.letter + mark.mark, emphasis)
  }

  private func evidence(_ row: VerdictMatrix.Row) -> [String] {
    row.cells.compactMap(\.self).flatMap { run in
      let url = run.loginURL.map { ", log in at \($0.string)" } ?? ""
      let more = run.evidence.count - VerifyReport.mostEvidence
      let facts = run.evidence.prefix(VerifyReport.mostEvidence).map { "  " + $0.summary }
      return
        (["\(run.pipeline): \(run.verdict.words)\(url)"] + facts
        + (more > 0 ? ["  and \(more) more of the kind"] : [])).map(Self.detail)
    }
  }

  /// A line below a row.
  private static func detail(_ text: String) -> String {
    let lines = text.split(separator: "\n").map {
      "    " + String($0).escapedForDisplay.shortened(to: VerifyReport.longestDetail)
    }
    return lines.joined(separator: "\n")
  }
}

extension MatrixText {
  private var legend: [String] {
    let letters = Verdict.allCases.map { "\($0.letter) \($0.words)" } + ["\(VerdictMark.missing) none"]
    let marks = VerdictMark.meanings.map { "\($0.mark) \($0.meaning)" }
    return [letters, marks].map { style.apply(.faint, $0.joined(separator: "   ")) }
  }

  /// The tallies of the profiles, a line each.
  private var summary: [String] {
    let tallies = matrix.tallies
    let name = max("profile".count, matrix.profiles.map(\.count).max() ?? 0)
    let widths = ProfileTally.titles.map(\.count)
    func line(_ first: String, _ columns: [String]) -> String {
      first.padded(to: name) + "  "
        + zip(columns, widths).map { $0.padded(to: $1, atStart: true) }.joined(separator: "  ")
    }
    return [style.apply(.faint, line("profile", ProfileTally.titles))]
      + tallies.map { line($0.profile, $0.columns) }
  }
}
