import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting

/// A matrix as a reproducible documentation page, without times or dates.
package struct MatrixMarkdown {
  private let matrix: VerdictMatrix
  private let program: String

  package init(_ matrix: VerdictMatrix, by program: String) {
    self.matrix = matrix
    self.program = program
  }

  package var text: String {
    var blocks = ["# What each profile says of each network", introduction, legend, summary]
    for group in matrix.groups {
      if !group.name.isEmpty { blocks.append("## \(group.name.escapedForMarkdown)") }
      blocks.append(table(group))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var introduction: String {
    """
    \(matrix.size). Each fixture is replayed for each profile, and its verdict is compared with what the
    fixture expects. Written by `\(program) verify --profile NAME --format markdown`.
    """
  }

  private var legend: String {
    let letters = matrix.verdicts.map { "`\($0.letter)` \($0.words)" } + ["`\(VerdictMark.missing)` none"]
    return """
      \(letters.joined(separator: ", ")).

      **Bold**: not the expected verdict. _Slanted_: the expected verdict, but not the expected login URL.
      """
  }

  /// The tallies of the profiles.
  private var summary: String {
    let head = Self.table(["profile"] + ProfileTally.titles, left: 1, right: ProfileTally.titles.count)
    let rows = matrix.tallies.map { Self.line([$0.profile.escapedForMarkdown] + $0.columns) }
    return ([head] + rows).joined(separator: "\n")
  }

  private func table(_ group: MatrixGroup) -> String {
    let head = Self.table(["fixture", "expected"] + matrix.profiles.map(\.escapedForMarkdown), left: 1)
    let rows = group.rows.map { path, row in
      Self.line([path.escapedForMarkdown, row.expectedLetters] + row.cells.map { Self.cell($0, in: row) })
    }
    return ([head] + rows).joined(separator: "\n")
  }

  private static func cell(_ run: VerifiedRun?, in row: VerdictMatrix.Row) -> String {
    guard let run else { return VerdictMark.missing }
    return switch row.judgement(of: run) {
    case .asExpected, .notJudged: run.verdict.letter
    case .otherLoginURL: "_\(run.verdict.letter)_"
    case .otherVerdict: "**\(run.verdict.letter)**"
    }
  }
}

extension MatrixMarkdown {
  /// The two lines that start a table; columns that are neither left-aligned nor right-aligned are centered.
  private static func table(_ titles: [String], left: Int, right: Int = 0) -> String {
    let rules = titles.indices.map { index in
      if index < left { return ":--" }
      return index >= titles.count - right ? "--:" : ":-:"
    }
    return line(titles) + "\n" + line(rules)
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }
}
