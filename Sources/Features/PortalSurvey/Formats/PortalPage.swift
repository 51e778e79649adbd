import ProbeTLS
import FoundationEssentials
import ProbeCore
import ProbePipeline

/// A portal report as one self-contained HTML page, for the screen and for print.
///
/// It has no scripts, and its content security policy allows only its style, by digest. All data from a
/// network is inserted as text.
package struct PortalPage {
  private let report: PortalReport

  package init(_ report: PortalReport) {
    self.report = report
  }

  package var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width">
    <meta name="referrer" content="no-referrer">
    <title>\(PortalReport.title)</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <h1>\(PortalReport.title)</h1>
    \(report.stages.map(section).joined(separator: "\n"))
    \(section("Findings", report.findings))
    \(report.advice.isEmpty ? "" : section("Advice", report.advice))
    \(lists)
    \(requirements)
    </body>
    </html>

    """
  }

  private static var policy: String {
    "default-src 'none'; style-src \(style.digestForPolicy); base-uri 'none'; form-action 'none'"
  }

  private func section(_ stage: PortalReport.Stage) -> String {
    let rows = stage.engines.map { engine in
      let isRight = engine.isRight(in: stage)
      return "<tr class=\"\(isRight ? "good" : "bad")\"><th scope=\"row\">\(engine.system.escapedForHTML)"
        + "<td>\(isRight ? "✓" : "✗")<td>\(engine.words.escapedForHTML)"
    }
    return """
      <section>
      <h2>\(stage.kind.words.capitalizedFirst)</h2>
      <p class="verdict \(stage.verdict.rawValue)">\(stage.summary.escapedForHTML)</p>
      <p class="time">\(stage.time.inUTC)</p>
      <table>
      <thead><tr><th scope="col">System<th scope="col"><th scope="col">Shows</thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      </section>
      """
  }

  private func section(_ title: String, _ findings: [PortalFinding]) -> String {
    let items = findings.map { finding in
      let check = finding.check
      let evidence = finding.shownEvidence.map { "<li>\($0.escapedForHTML)" }.joined(separator: "\n")
      return """
        <article class="\(finding.severity.rawValue)" id="\(check.id.escapedForHTML)">
        <h3><span class="severity">\(finding.severity.rawValue)</span> \(finding.summary.escapedForHTML)</h3>
        \(evidence.isEmpty ? "" : "<ul>\n\(evidence)\n</ul>")
        <p>\(check.harm.escapedForHTML)</p>
        <p><strong>Fix:</strong> \(check.fix.escapedForHTML)</p>
        <p class="source"><code>\(finding.label(in: report).escapedForHTML)</code>, \(check.sourceDescription.escapedForHTML)</p>
        </article>
        """
    }
    return "<section>\n<h2>\(title)</h2>\n" + (items.isEmpty ? "<p>None.</p>" : items.joined(separator: "\n"))
      + "\n</section>"
  }

  private var lists: String {
    (report.stages.first?.facts.lists ?? []).map { title, lines in
      "<section>\n<h2>\(title)</h2>\n<ul>\n"
        + lines.map { "<li>\($0.escapedForHTML)" }.joined(separator: "\n") + "\n</ul>\n</section>"
    }.joined(separator: "\n")
  }

  private var requirements: String {
    let rows = report.requirements.map { requirement in
      let check = requirement.check
      return
        "<tr class=\"\(requirement.result.name)\"><th scope=\"row\"><code>\(check.id.escapedForHTML)</code>"
        + "<td>\(check.requirement.escapedForHTML)<td>\(check.sourceDescription.escapedForHTML)"
        + "<td>\(requirement.result.words.escapedForHTML)"
    }
    return """
      <section>
      <h2>Requirements</h2>
      <p>\(report.totals.escapedForHTML).</p>
      <table>
      <thead><tr><th scope="col">Id<th scope="col">Requirement<th scope="col">Source<th scope="col">Result</thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      </section>
      """
  }

  /// Colours that most eyes can distinguish (Okabe and Ito), and black on white in print.
  private static let style = """

    :root { color-scheme: light dark; --page: #fff; --text: #1b1b1b; --faint: #5a5a5a; --line: #cfcfcf }
    @media (prefers-color-scheme: dark) {
      :root { --page: #16181a; --text: #e8e8e6; --faint: #a8a8a6; --line: #3c3f42 }
    }
    body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em;
      background: var(--page); color: var(--text) }
    h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 1.6em } h3 { font-size: 1em; margin: 0 }
    table { border-collapse: collapse; width: 100% }
    th, td { text-align: left; vertical-align: top; padding: .25em .6em .25em 0; border-bottom: 1px solid var(--line);
      overflow-wrap: anywhere }
    tbody th { font-weight: normal }
    .verdict { font-weight: bold; overflow-wrap: anywhere } .time, .source { color: var(--faint) }
    article { border-left: 4px solid var(--line); padding: .1em 0 .1em .9em; margin: 1em 0; break-inside: avoid }
    article p, article ul { margin: .3em 0; overflow-wrap: anywhere }
    article.error { border-color: #d55e00 } article.warning { border-color: #e69f00 }
    .severity { text-transform: uppercase; font-size: .8em; letter-spacing: .05em }
    .notApplicable, .notApplicable th { color: var(--faint) }
    @media print {
      :root { color-scheme: light; --page: #fff; --text: #000; --faint: #333; --line: #999 }
      body { font-size: 10pt; margin: 0; max-width: none } tr { break-inside: avoid } h2 { break-after: avoid }
    }

    """
}
