import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting

/// The table of a matrix in HTML, and the facts to which its cells refer by number.
struct MatrixPageTable {
  private let matrix: VerdictMatrix
  /// Evidence, login URLs and remarks, which are displayed for the selected cell.
  private(set) var facts = SharedTexts()
  /// Whether a cell is already in the tab order; the arrow keys select the others.
  private var hasEntrance = false

  /// Creates the table of a matrix.
  init(_ matrix: VerdictMatrix) {
    self.matrix = matrix
  }

  /// The headers of the columns for profiles.
  var heads: String {
    matrix.profiles.map { "<th scope=\"col\" class=\"profile\"><span>\($0.escapedForHTML)</span>" }.joined()
  }

  /// The rows, one per line; collects the facts.
  mutating func rows() -> String {
    var text = ""
    for row in matrix.rows {
      text +=
        "<tr\(Self.attributes(row))><th scope=\"row\">\(row.path.escapedForHTML)\(Self.expected(row))"
      for cell in row.cells { text += self.cell(cell, in: row) }
      text += "\n"
    }
    return text
  }

  private static func attributes(_ row: VerdictMatrix.Row) -> String {
    let isUnexpected = row.cells.contains { cell in
      guard let cell else { return true }
      return [.otherVerdict, .otherLoginURL].contains(row.judgement(of: cell))
    }
    return (row.isDisputed ? " data-disputed" : "") + (isUnexpected ? " data-unexpected" : "")
  }

  private static func expected(_ row: VerdictMatrix.Row) -> String {
    let words = row.expectation?.verdicts.map(\.words).joined(separator: " or ") ?? "nothing"
    return "<td aria-label=\"\(words)\">\(row.expectedLetters.escapedForHTML)"
  }

  private mutating func cell(_ run: VerifiedRun?, in row: VerdictMatrix.Row) -> String {
    let entrance = hasEntrance ? "" : " tabindex=\"0\""
    hasEntrance = true
    guard let run else {
      let numbers = list(row.remarks)
      return "<td class=\"c none\" aria-label=\"not replayed\" data-facts=\"\(numbers)\"\(entrance)>"
        + VerdictMark.missing
    }
    let mark = VerdictMark(run, in: row)
    var attributes = "class=\"c \(run.verdict.rawValue)\(mark.mark.isEmpty ? "" : " w")\""
    attributes += " aria-label=\"\(Self.words(run, in: row))\""
    if let url = run.loginURL {
      attributes += " data-url=\"\(number(of: url.string))\""
    }
    return
      "<td \(attributes) data-facts=\"\(list(Self.evidence(run)))\"\(entrance)>\(mark.letter)\(mark.mark)"
  }

  /// A result in words, including whether it is as expected.
  private static func words(_ run: VerifiedRun, in row: VerdictMatrix.Row) -> String {
    switch row.judgement(of: run) {
    case .asExpected: "\(run.verdict.words), as expected"
    case .otherVerdict: "\(run.verdict.words), not the expected verdict"
    case .otherLoginURL: "\(run.verdict.words), as expected, but not the expected login URL"
    case .notJudged: run.verdict.words
    }
  }

  private static func evidence(_ run: VerifiedRun) -> [String] {
    let more = run.evidence.count - MatrixText.maximumEvidence
    return run.evidence.prefix(MatrixText.maximumEvidence).map(\.summary)
      + (more > 0 ? ["and \(more) more"] : [])
  }

  /// The numbers of facts, separated by spaces.
  private mutating func list(_ texts: [String]) -> String {
    var numbers: [String] = []
    for text in texts { numbers.append("\(number(of: text))") }
    return numbers.joined(separator: " ")
  }

  private mutating func number(of text: String) -> Int {
    facts.number(of: text.shortened(to: MatrixPage.maximumTextLength))
  }
}
