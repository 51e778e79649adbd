import FixtureReplay
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

  /// The whole page.
  package let text: String

  /// Creates the page of a matrix.
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
