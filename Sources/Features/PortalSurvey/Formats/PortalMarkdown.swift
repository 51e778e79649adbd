import FoundationEssentials
import ProbeCore

/// A portal report as a page in Markdown.
package struct PortalMarkdown {
  private let report: PortalReport

  package init(_ report: PortalReport) {
    self.report = report
  }

  package var text: String {
    var blocks = ["# \(PortalReport.title)"]
    for stage in report.stages {
      blocks.append(
        "## \(stage.kind.words.capitalizedFirst)\n\n\(stage.time.inUTC): \(stage.summary.escapedForMarkdown)"
      )
      let rows = stage.engines.map { "| \($0.system.escapedForMarkdown) | \($0.words.escapedForMarkdown) |" }
      blocks.append((["| system | shows |", "| :-- | :-- |"] + rows).joined(separator: "\n"))
    }
    blocks.append("## Findings")
    if report.findings.isEmpty { blocks.append("None.") }
    blocks += report.findings.flatMap(self.blocks)
    if !report.advice.isEmpty { blocks.append("## Advice") }
    blocks += report.advice.flatMap(self.blocks)
    for list in report.stages.first?.facts.lists ?? [] {
      blocks.append("## \(list.title)")
      blocks.append(list.lines.map { "- \($0.escapedForMarkdown)" }.joined(separator: "\n"))
    }
    blocks.append("## Requirements\n\n\(report.totals).")
    let rows = report.requirements.map { requirement in
      let check = requirement.check
      return
        "| `\(check.id)` | \(check.requirement.escapedForMarkdown) | \(check.sourceDescription.escapedForMarkdown) | "
        + "\(requirement.result.words.escapedForMarkdown) |"
    }
    blocks.append(
      (["| id | requirement | source | result |", "| :-- | :-- | :-- | :-- |"] + rows).joined(separator: "\n")
    )
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func blocks(of finding: PortalFinding) -> [String] {
    let check = finding.check
    var blocks = [
      "### \(finding.severity.rawValue.capitalizedFirst): \(finding.summary.escapedForMarkdown)\n\n"
        + "`\(finding.label(in: report))`, \(check.sourceDescription.escapedForMarkdown)"
    ]
    if !finding.evidence.isEmpty {
      blocks.append(finding.shownEvidence.map { "- \($0.escapedForMarkdown)" }.joined(separator: "\n"))
    }
    return blocks + ["\(check.harm.escapedForMarkdown)\n\n**Fix:** \(check.fix.escapedForMarkdown)"]
  }
}

extension Examination {
  /// The result for people.
  var words: String {
    switch self {
    case .met: "met"
    case .unmet(let summary, _, _): "not met: \(summary)"
    case .unknown(let reason): "unknown: \(reason)"
    case .notApplicable: "not applicable"
    }
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
