import ProbeCore
package import ProbeBase

/// The changes between two reports, in each output format.
package struct ComparisonReport {
  private let comparison: ReportComparison

  package init(_ comparison: ReportComparison) {
    self.comparison = comparison
  }

  /// The report for people: each change on a line below its pipeline and its set, and a summary.
  package func text(_ style: TextStyle) -> String {
    var lines: [String] = []
    var (pipeline, set): (String?, String?)
    for change in comparison.changes {
      if change.pipeline != pipeline {
        lines.append(style.shown(change.pipeline.escapedForDisplay))
        (pipeline, set) = (change.pipeline, nil)
      }
      if let name = change.set, name != set {
        lines.append(style.shown("  set \(name.escapedForDisplay)"))
        set = name
      }
      let indent = change.set == nil ? "  " : "    "
      let probe = change.probe.map { "\($0.escapedForDisplay): " } ?? ""
      lines.append(Self.line(indent, style.shown(probe + change.words), change.effect, style))
    }
    lines.append(summary)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(
    _ indent: String, _ text: String, _ effect: ReportChange.Effect, _ style: TextStyle
  ) -> String {
    switch effect {
    case .worse: "\(indent)\(style.apply(.bad, "worse"))   \(text)"
    case .better: "\(indent)\(style.apply(.good, "better"))  \(text)"
    case .neutral: "\(indent)changed \(text)"
    }
  }

  private var summary: String {
    guard !comparison.changes.isEmpty else { return "no changes" }
    return "\(comparison.changes.count.counted("change")): \(comparison.count(.worse)) worse, "
      + "\(comparison.count(.better)) better, \(comparison.count(.neutral)) other"
  }

  /// The report for a comment or a page: a table.
  package var markdown: String {
    guard !comparison.changes.isEmpty else { return "No changes.\n" }
    let rows = comparison.changes.map { change in
      let effect = change.effect == .worse ? "**worse**" : change.effect == .better ? "better" : "changed"
      let cells = [
        effect, change.pipeline.escapedForMarkdown, change.set?.escapedForMarkdown ?? "",
        change.probe?.escapedForMarkdown ?? "", change.words.escapedForMarkdown,
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    let head = ["| | pipeline | set | probe | change |", "| :-- | :-- | :-- | :-- | :-- |"]
    return (head + rows + ["", summary + "."]).joined(separator: "\n") + "\n"
  }

  /// The report for programs: one line.
  ///
  /// - Throws: An error of `JSONEncoder`, which no change is known to cause.
  package func json() throws -> String {
    try JSONLine.text(
      Record(
        schema: 1, worse: comparison.count(.worse), better: comparison.count(.better),
        neutral: comparison.count(.neutral), changes: comparison.changes.map(ChangeRecord.init)))
  }

  private struct Record: Encodable {
    let schema: Int
    let worse: Int
    let better: Int
    let neutral: Int
    let changes: [ChangeRecord]
  }

  private struct ChangeRecord: FieldRecord {
    let change: ReportChange

    func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure) {
      try sink.field("effect", change.effect.rawValue)
      try sink.field("what", change.subject.rawValue)
      try sink.field("pipeline", change.pipeline)
      try sink.field("set", change.set)
      try sink.field("probe", change.probe)
      try sink.field("before", change.before)
      try sink.field("after", change.after)
    }
  }
}

extension ReportChange {
  /// The change in words, such as `verdict online → offline`; not escaped for Markdown.
  fileprivate var words: String {
    switch (subject, before, after) {
    case (.pipeline, nil, let after?), (.set, nil, let after?), (.probe, nil, let after?):
      return "new \(subject.rawValue): \(after.escapedForDisplay)"
    case (.pipeline, let before?, nil), (.set, let before?, nil), (.probe, let before?, nil):
      return "\(subject.rawValue) gone, was \(before.escapedForDisplay)"
    default:
      let values = [before, after].map { ($0 ?? "none").escapedForDisplay }
      return "\(subject.title)\(values.joined(separator: " → "))"
    }
  }
}

extension ReportChange.Subject {
  /// The label of the values; empty if they are clear without one.
  fileprivate var title: String {
    switch self {
    case .verdict, .met, .outcome, .pipeline, .set, .probe: ""
    case .loginURL: "login URL "
    case .reason: "reason "
    case .certificate: "certificate valid until "
    case .issuer: "certificate issuer "
    case .time: "time "
    }
  }
}
