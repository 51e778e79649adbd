import PortalAnalysis
import ProbeCore
public import ProbePipeline

extension ReportFormat {
  /// The form for a person.
  public static let text = ReportFormat("text", "for a person") {
    TextReporter(style: TextStyle(usesColor: $0.usesColor, usesASCII: $0.usesASCII))
  }
}

/// Reports for a person: a single run alone, or several runs followed by a summary.
struct TextReporter: Reporter {
  var reportsProbes: Bool { false }

  let style: TextStyle

  func text(of runs: [ReportedRun]) -> String {
    if let only = runs.first, runs.count == 1 { return TextReport(only.result, style: style).text }
    let reports = runs.map { TextReport($0.result, showsName: true, style: style).text + "\n" }
    return reports.joined() + summary(runs)
  }

  /// One line for each run: its verdict, its source and its duration.
  private func summary(_ runs: [ReportedRun]) -> String {
    let verdicts = runs.map { "\($0.result.verdict.symbol(style.marks)) \($0.result.verdict.words)" }
    let sources = runs.map { style.shown($0.source) }
    let times = runs.map(\.result.duration.forPerson)
    let widths = [verdicts, sources, times].map { $0.map(\.count).max() ?? 0 }
    let rows = runs.indices.map { index in
      let verdict = style.apply(runs[index].result.verdict.emphasis, verdicts[index].padded(to: widths[0]))
      let source = sources[index].padded(to: widths[1])
      return "  \(verdict)  \(source)  \(times[index].padded(to: widths[2], atStart: true))\n"
    }
    let good: [Verdict] = [.online, .healthy]
    let counts = good.compactMap { verdict in
      runs.contains { $0.result.question == verdict.question }
        ? "\(runs.count { $0.result.verdict == verdict }) \(verdict.words)" : nil
    }
    let pipelines = runs.count == 1 ? "pipeline" : "pipelines"
    return "\(runs.count) \(pipelines), \(counts.joined(separator: ", "))\n" + rows.joined()
  }
}

extension Verdict {
  fileprivate func symbol(_ marks: Marks) -> String {
    switch self {
    case .online, .healthy: marks.good
    case .captivePortal, .intercepted, .partial, .inconclusive, .degraded: marks.warning
    case .offline, .unhealthy: marks.bad
    }
  }
}

/// The report for a person: the verdict in words, its evidence, and a table of probes for each set.
///
/// All probes of a set are listed if there are at most 20. In a larger set, only the first 20 probes that were not
/// accepted are listed; the rest are counted by reason.
public struct TextReport: Sendable {
  /// The maximum number of probes, and of pieces of evidence, to list; the rest are counted.
  package static let longSet = 20
  private static let widestURL = 60

  private let result: RunResult
  private let showsName: Bool
  private let style: TextStyle

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - result: The result to report.
  ///   - showsName: Whether the report starts with the pipeline's name, to distinguish several reports.
  ///   - usesColor: Whether the text is coloured.
  ///   - usesASCII: Whether only ASCII is written.
  public init(
    _ result: RunResult, showsName: Bool = false, usesColor: Bool = false, usesASCII: Bool = false
  ) {
    self.init(
      result, showsName: showsName, style: TextStyle(usesColor: usesColor, usesASCII: usesASCII))
  }

  init(_ result: RunResult, showsName: Bool = false, style: TextStyle) {
    self.result = result
    self.showsName = showsName
    self.style = style
  }

  /// The report as text, with a final line break; everything from the network is escaped.
  public var text: String {
    var lines = [headline]
    if let portal = PortalDescription(result).line { lines.append("  \(style.shown(portal))") }
    // The heading of each set has its counts, and the tables about services begin with what is wrong.
    let shownBelow: [EvidenceKind] =
      result.question == .services ? [.accepted, .unmet, .failed] : [.accepted]
    let evidence = result.evidence.filter { !shownBelow.contains($0.kind) || result.sets.isEmpty }
    for fact in evidence.prefix(Self.longSet) { lines.append("  \(style.shown(fact.summary))") }
    let more = evidence.count - Self.longSet
    if more > 0 { lines.append("  and \(more) more") }
    for set in result.setsToRead {
      lines.append("")
      lines += describe(set)
    }
    lines.append("")
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let name = showsName ? "\(style.shown(result.pipeline)): " : ""
    return name + style.apply(result.verdict.emphasis, style.shown(result.verdictDescription))
  }

  private var summary: String {
    let probes = result.sets.reduce(0) { $0 + $1.total }
    let sets = result.sets.count
    return style.apply(
      .faint,
      "\(probes) \(probes == 1 ? "probe" : "probes") in \(sets) \(sets == 1 ? "set" : "sets"), "
        + result.duration.forPerson)
  }
}

extension TextReport {
  private func describe(_ set: SetResult) -> [String] {
    let needed = set.threshold.description == "100 %" ? "all" : set.threshold.description
    let optional = set.isRequired ? "" : ", not required"
    let title =
      style.apply(.strong, style.shown(set.name))
      + (set.labels.isEmpty ? "" : " (\(style.shown(set.labels.words)))")
      + ": \(set.accepted) of \(set.total) accepted, \(needed) needed\(optional): "
      + describeMet(set.isMet)
    let isLong = set.total > Self.longSet
    let probes = result.question == .services && !set.isSequence ? set.probes.acceptedLast : set.probes
    let notAccepted = isLong ? probes.filter { $0.outcome != .accepted } : probes
    let listed = notAccepted.prefix(Self.longSet)
    return [title] + rows(listed, of: set) + counted(notAccepted.dropFirst(listed.count))
  }

  private func describeMet(_ isMet: Bool?) -> String {
    switch isMet {
    case true?: style.apply(.good, "met")
    case false?: style.apply(.bad, "not met")
    case nil: style.apply(.faint, "not needed")
    }
  }

  private func rows(_ probes: ArraySlice<ProbeResult>, of set: SetResult) -> [String] {
    let urls = probes.map { probe in
      let own = probe.labels.filter { set.labels[$0.key] != $0.value }
      return style.shown(probe.title + (own.isEmpty ? "" : " (\(own.words))"))
    }
    let codes = probes.map { $0.response?.status.map { "\($0)" } ?? "" }
    let times = probes.map { $0.response?.timings.total?.forPerson ?? "" }
    let outcomes = probes.map(\.outcome.rawValue)
    let urlWidth = urls.map(\.count).filter { $0 <= Self.widestURL }.max() ?? 0
    let codeWidth = codes.map(\.count).max() ?? 0
    let timeWidth = times.map(\.count).max() ?? 0
    let outcomeWidth = outcomes.map(\.count).max() ?? 0
    return probes.indices.enumerated().map { row, index in
      let probe = probes[index]
      let outcome = "\(probe.outcome.symbol(style.marks)) \(outcomes[row].padded(to: outcomeWidth))"
      let why = probe.rejectionDescription ?? probe.capturesDescription
      let code = codeWidth == 0 ? [] : [codes[row].padded(to: codeWidth)]
      let time = timeWidth == 0 ? [] : [times[row].padded(to: timeWidth, atStart: true)]
      let columns =
        [style.apply(probe.outcome.emphasis, outcome), urls[row].padded(to: urlWidth)] + code + time
        + [style.shown(why)]
      return "  " + columns.joined(separator: "  ").withoutTrailingSpaces
    }
  }

  /// The counts of the probes that are not listed, by outcome and reason, the most frequent first.
  private func counted(_ probes: ArraySlice<ProbeResult>) -> [String] {
    guard !probes.isEmpty else { return [] }
    var counts: [String: Int] = [:]
    for probe in probes { counts[probe.reason?.rawValue ?? probe.outcome.rawValue, default: 0] += 1 }
    let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = frequent.prefix(Self.longSet).map { "\(style.shown($0.key)) \($0.value)" }
    let others = frequent.count > shown.count ? ", \(style.marks.ellipsis)" : ""
    return ["  and \(probes.count) more not accepted: \(shown.joined(separator: ", "))\(others)"]
  }
}

extension RunResult {
  /// The sets in the order for a person: of services, first those that are not met, the required ones before the others.
  fileprivate var setsToRead: [SetResult] {
    guard question == .services else { return sets }
    let unmet = sets.filter { $0.isMet != true }
    return unmet.filter(\.isRequired) + unmet.filter { !$0.isRequired } + sets.filter { $0.isMet == true }
  }
}

extension [ProbeResult] {
  /// The probes, with those that were accepted after the others.
  fileprivate var acceptedLast: [ProbeResult] {
    filter { $0.outcome != .accepted } + filter { $0.outcome == .accepted }
  }
}

extension String {
  /// The text, padded with spaces at its end or start to a number of characters.
  package func padded(to width: Int, atStart: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return atStart ? padding + self : self + padding
  }

  package var withoutTrailingSpaces: String {
    let end = lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex
    return String(self[..<end])
  }
}
