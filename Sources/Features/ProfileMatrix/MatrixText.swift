import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting
package import ProbeBase

/// A matrix for a terminal: letters in narrow columns, a legend, and the tallies of the profiles.
///
/// All data from files and the network is escaped.
package struct MatrixText {
  /// The number of findings of a fixture that are shown.
  package static let maximumEvidence = 20
  /// The number of characters of a detail that are shown.
  package static let maximumDetail = 2000

  /// The width of a line without a terminal.
  package static let usualWidth = 100
  /// The minimum width of the path column; with it, the table of all built-in profiles fits in 60 characters.
  static let narrowestPath = 20
  /// The minimum number of fixtures for which the names of the columns are repeated below them.
  static let longTable = 30
  /// The width of a column: a letter and its mark.
  private static let column = 2

  private let matrix: VerdictMatrix
  private let duration: Duration
  private let showsEvidence: Bool
  private let style: TextStyle
  private let width: Int
  private let pathWidth: Int
  private let expectedWidth: Int

  /// Creates the text of a matrix.
  ///
  /// - Parameters:
  ///   - matrix: The matrix.
  ///   - duration: The duration of all runs.
  ///   - showsEvidence: Whether to show the evidence for each result below its row.
  ///   - style: The style of the text.
  ///   - width: The width of a line, as long as the columns leave space for the end of a path.
  package init(
    _ matrix: VerdictMatrix, duration: Duration, showsEvidence: Bool = false,
    style: TextStyle = TextStyle(usesColor: false), width: Int = usualWidth
  ) {
    self.matrix = matrix
    self.duration = duration
    self.showsEvidence = showsEvidence
    self.style = style
    self.width = width
    expectedWidth = max("expected".count, matrix.rows.map(\.expectedLetters.count).max() ?? 0)
    let room = max(Self.narrowestPath, width - matrix.profiles.count * Self.column - expectedWidth - 4)
    let maximumPathLength = max("fixture".count, matrix.rows.map { style.shown($0.path).count }.max() ?? 0)
    // The names extend to the left of their columns.
    let names = matrix.profiles.enumerated().map { $0.element.count + 1 - $0.offset * Self.column }.max() ?? 0
    pathWidth = max(min(room, maximumPathLength), names - expectedWidth - 4)
  }

  package var text: String {
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
  /// The names of the columns, each on a separate line with a stroke that leads down or up to the column.
  private func stairs(isHead: Bool) -> [String] {
    let count = matrix.profiles.count
    let margin = pathWidth + expectedWidth + 4
    func strokes(from index: Int) -> String {
      Array(repeating: style.marks.stroke, count: count - index).joined(separator: " ")
    }
    let steps = matrix.profiles.enumerated().map { index, name in
      "\(name) ".padded(to: margin + index * Self.column, atStart: true) + strokes(from: index)
    }
    let titles = "fixture".padded(to: pathWidth) + "  " + "expected".padded(to: expectedWidth)
    let lines = isHead ? steps.reversed() + ["\(titles)  \(strokes(from: 0))"] : steps
    return lines.map { style.apply(.faint, $0) }
  }

  private func lines(_ row: VerdictMatrix.Row) -> [String] {
    let path = style.shown(row.path).shortened(to: pathWidth, atStart: true, style.marks).padded(
      to: pathWidth)
    let start = "\(path)  \(row.expectedLetters.padded(to: expectedWidth))  "
    guard row.cells.contains(where: { $0 != nil }) || row.remarks.isEmpty else {
      return [start + style.apply(.bad, "not replayed")] + row.remarks.map(detail)
    }
    var line = start
    for (index, cell) in row.cells.enumerated() {
      let (text, emphasis) = self.cell(cell, in: row)
      line += emphasis.map { style.apply($0, text) } ?? text
      if index < row.cells.count - 1 { line += String(repeating: " ", count: Self.column - text.count) }
    }
    return [line] + row.remarks.map(detail) + (showsEvidence ? evidence(row) : [])
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
      let more = run.evidence.count - Self.maximumEvidence
      let facts = run.evidence.prefix(Self.maximumEvidence).map { "  " + $0.summary }
      return
        (["\(run.pipeline): \(run.verdict.words)\(url)"] + facts
        + (more > 0 ? ["  and \(more) more"] : [])).map(detail)
    }
  }

  /// A line below a row.
  private func detail(_ text: String) -> String {
    let lines = text.split(separator: "\n").map {
      "    " + style.shown(String($0)).shortened(to: Self.maximumDetail, style.marks)
    }
    return lines.joined(separator: "\n")
  }
}

extension MatrixText {
  private var legend: [String] {
    let letters = matrix.verdicts.map { "\($0.letter) \($0.words)" } + ["\(VerdictMark.missing) none"]
    let marks = VerdictMark.meanings.map { "\($0.mark) \($0.meaning)" }
    return (wrapped(letters) + wrapped(marks)).map { style.apply(.faint, $0) }
  }

  /// The items, wrapped to the width of the text.
  private func wrapped(_ items: [String]) -> [String] {
    var lines: [String] = []
    for item in items {
      if let last = lines.last, last.count + 3 + item.count <= width {
        lines[lines.count - 1] = last + "   " + item
      } else {
        lines.append(item)
      }
    }
    return lines
  }

  /// The tally of each profile, one per line; titles that are too wide are wrapped.
  private var summary: [String] {
    let tallies = matrix.tallies
    let name = max("profile".count, matrix.profiles.map(\.count).max() ?? 0)
    let whole = ProfileTally.titles.map { [$0] }
    let isNarrow = name + whole.reduce(0) { $0 + 2 + $1[0].count } > width
    let titles = isNarrow ? ProfileTally.titles.map { $0.split(separator: " ").map(String.init) } : whole
    let height = titles.map(\.count).max() ?? 1
    let widths = titles.map { $0.map(\.count).max() ?? 0 }
    func line(_ first: String, _ columns: [String]) -> String {
      first.padded(to: name) + "  "
        + zip(columns, widths).map { $0.padded(to: $1, atStart: true) }.joined(separator: "  ")
    }
    let head = (0..<height).map { row in
      line(
        row == height - 1 ? "profile" : "",
        titles.map { $0.count > height - 1 - row ? $0[$0.count - height + row] : "" })
    }
    return head.map { style.apply(.faint, $0.withoutTrailingSpaces) }
      + tallies.map { line($0.profile, $0.columns) }
  }
}
