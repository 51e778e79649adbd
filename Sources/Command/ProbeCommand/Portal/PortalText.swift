import ProbeCore
import ProbePipeline
import ProbeReporting
import PortalSurvey
import CommandKit

/// A portal report for people.
struct PortalText {
  let report: PortalReport
  let style: TextStyle
  /// The width of its lines.
  let width: Int

  init(_ report: PortalReport, style: TextStyle, width: Int) {
    self.report = report
    self.style = style
    self.width = width
  }

  /// The whole report.
  var text: String {
    var parts: [String] = []
    for stage in report.stages { parts.append(head(of: stage) + systems(of: stage)) }
    parts.append(list(report.findings, title: "Findings"))
    if !report.advice.isEmpty { parts.append(list(report.advice, title: "Advice")) }
    for list in report.stages.first?.facts.lists ?? [] {
      parts.append("\(list.title):\n" + list.lines.map { wrapped($0, indent: 2) }.joined())
    }
    parts.append(wrapped(report.totals, indent: 0))
    return parts.joined(separator: "\n")
  }

  /// The description of a stage on one line, for standard error during a watch.
  static func line(for stage: PortalReport.Stage) -> String {
    let errors = stage.findings.count { $0.severity == .error }
    return "\(stage.kind.words): \(stage.summary); \(errors) \(errors == 1 ? "error" : "errors")"
  }

  private func head(of stage: PortalReport.Stage) -> String {
    let title = report.stages.count > 1 ? "\(stage.kind.words), \(stage.elapsedText(since: report)): " : ""
    return style.apply(stage.verdict.emphasis, style.shown(title + stage.summary)) + "\n"
  }

  private func systems(of stage: PortalReport.Stage) -> String {
    "\nSystems:\n"
      + stage.engines.map { engine in
        let mark =
          engine.isRight(in: stage)
          ? style.apply(.good, style.marks.good) : style.apply(.bad, style.marks.bad)
        return "  \(mark) " + wrapped("\(engine.system): \(engine.words)", indent: 4).dropFirst(4)
      }.joined()
  }

  private func list(_ findings: [PortalFinding], title: String) -> String {
    guard !findings.isEmpty else { return "\(title): none\n" }
    return "\(title):\n"
      + findings.map { finding in
        let mark =
          switch finding.severity {
          case .error: style.apply(.bad, style.marks.bad)
          case .warning: style.apply(.warning, style.marks.warning)
          case .advice: style.marks.bullet
          }
        var text =
          "  \(mark) " + style.apply(.strong, style.shown(finding.summary))
          + " (\(finding.label(in: report)))\n"
        for line in finding.shownEvidence { text += wrapped(line, indent: 6) }
        text += wrapped(finding.check.harm, indent: 4)
        text += wrapped("Fix: \(finding.check.fix)", indent: 4)
        return text + wrapped("Source: \(finding.check.sourceDescription)", indent: 4)
      }.joined(separator: "\n")
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    TextPage.wrapped(style.shown(text), indent: indent, width: max(width, 40))
  }
}
