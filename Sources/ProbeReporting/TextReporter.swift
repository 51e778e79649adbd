import ProbeCore
import ProbePipeline

/// Reports for a person: that of a single run alone, or one after another with a summary at the end.
struct TextReporter: Reporter {
  var reportsProbes: Bool { false }

  /// Whether the text is coloured.
  let usesColor: Bool

  func text(of runs: [ReportedRun]) -> String {
    if let only = runs.first, runs.count == 1 { return TextReport(only.result, usesColor: usesColor).text }
    let reports = runs.map { TextReport($0.result, showsName: true, usesColor: usesColor).text + "\n" }
    return reports.joined() + summary(runs)
  }

  /// A line for each run: its verdict, where it came from, how long it took.
  private func summary(_ runs: [ReportedRun]) -> String {
    let style = TextStyle(usesColor: usesColor)
    let verdicts = runs.map { "\($0.result.verdict.symbol) \($0.result.verdict.words)" }
    let sources = runs.map(\.source.escapedForDisplay)
    let times = runs.map(\.result.duration.forPerson)
    let widths = [verdicts, sources, times].map { $0.map(\.count).max() ?? 0 }
    let rows = runs.indices.map { index in
      let verdict = style.apply(runs[index].result.verdict.emphasis, verdicts[index].padded(to: widths[0]))
      let source = sources[index].padded(to: widths[1])
      return "  \(verdict)  \(source)  \(times[index].padded(to: widths[2], atStart: true))\n"
    }
    let online = runs.count { $0.result.verdict == .online }
    let pipelines = runs.count == 1 ? "pipeline" : "pipelines"
    return "\(runs.count) \(pipelines), \(online) online\n" + rows.joined()
  }
}

extension Verdict {
  fileprivate var symbol: String {
    switch self {
    case .online: "✓"
    case .captivePortal, .intercepted, .partial, .inconclusive: "!"
    case .offline: "✗"
    }
  }
}
