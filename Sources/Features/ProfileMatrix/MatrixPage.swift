import FixtureReplay
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeTLS

/// A matrix as one self-contained HTML page.
///
/// Its content security policy allows only this style and this script, by their digests (CSP Level 3
/// §6.7.3.2), and no external resources. All data from fixtures, networks and profiles is inserted as text.
/// Facts that support several results are included once.
package struct MatrixPage {
  /// The maximum length of a fact, a login URL or a remark.
  static let maximumTextLength = 600

  package let text: String

  package init(_ matrix: VerdictMatrix) {
    var table = MatrixPageTable(matrix)
    let rows = table.rows()
    let facts = table.facts.texts.map { "<li>\($0.escapedForHTML)\n" }.joined()
    text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width">
      <meta name="referrer" content="no-referrer">
      <title>What each profile says of each network</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>What each profile says of each network</h1>
      <p>\(matrix.size). Each fixture is replayed for each profile, and its verdict is compared with what the
      fixture expects. Point at a cell, or go there with the arrow keys, to see what the answer rests on.</p>
      <noscript><p>Without scripts this page shows the letters alone.</p></noscript>
      \(Self.legend(matrix))
      \(Self.summary(matrix))
      \(Self.filters(rows: matrix.rows.count))
      <table id="matrix" role="grid" aria-label="What each profile says of each network">
      <thead><tr><th scope="col">fixture<th scope="col">expected\(table.heads)</thead>
      <tbody>
      \(rows)</tbody>
      </table>
      <div id="detail" role="tooltip" hidden></div>
      <ul id="facts" hidden>
      \(facts)</ul>
      <script>\(Self.script)</script>
      </body>
      </html>

      """
  }

  private static var policy: String {
    "default-src 'none'; style-src \(style.digestForPolicy); script-src \(script.digestForPolicy); "
      + "base-uri 'none'; form-action 'none'"
  }
}

extension MatrixPage {
  private static func legend(_ matrix: VerdictMatrix) -> String {
    let verdicts = matrix.verdicts.map {
      "<li><span class=\"\($0.rawValue)\">\($0.letter.escapedForHTML)</span> \($0.words)"
    }
    let missing = "<li><span class=\"none\">\(VerdictMark.missing)</span> none"
    let marks = VerdictMark.meanings.map { "<li><span>\($0.mark)</span> \($0.meaning)" }
    return "<ul class=\"legend\" aria-label=\"Legend\">\n"
      + (verdicts + [missing] + marks).joined(separator: "\n") + "\n</ul>"
  }

  /// The tallies of the profiles.
  private static func summary(_ matrix: VerdictMatrix) -> String {
    let heads = ProfileTally.titles.map { "<th scope=\"col\">\($0)" }.joined()
    let rows = matrix.tallies.map { tally in
      "<tr><th scope=\"row\">\(tally.profile.escapedForHTML)" + tally.columns.map { "<td>\($0)" }.joined()
    }
    return """
      <details open>
      <summary>How often each profile is right</summary>
      <table class="tallies">
      <thead><tr><th scope="col">profile\(heads)</thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      </details>
      """
  }

  private static func filters(rows: Int) -> String {
    """
    <div class="filters" role="search" aria-label="Fixtures to show">
    <label>Fixtures with <input type="search" id="filter" autocomplete="off" spellcheck="false"> in their path</label>
    <label><input type="checkbox" id="disputed"> only where profiles differ</label>
    <label><input type="checkbox" id="unexpected"> only where an answer is not the expected one</label>
    <output id="shown" for="filter disputed unexpected">\(rows) of \(rows) shown</output>
    </div>
    """
  }
}

/// The table of a matrix in HTML, and the facts to which its cells refer by number.
struct MatrixPageTable {
  private let matrix: VerdictMatrix
  /// Evidence, login URLs and remarks, which are displayed for the selected cell.
  private(set) var facts = SharedTexts()
  /// Whether a cell is already in the tab order; the arrow keys select the others.
  private var hasEntrance = false

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

/// Recurring texts, each stored once and referenced by its number.
struct SharedTexts {
  /// The texts, by number.
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// The number of a text, counted from 0.
  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }
}
