import ConnectivityMonitor
import PortalAnalysis
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem

/// The lines that a monitor displays on a terminal.
///
/// Times are absolute instead of relative, so that the display needs no updates while nothing happens.
struct MonitorView: Sendable {
  /// The maximum number of pieces of evidence to list; the rest is counted.
  static let maximumEvidenceLines = 6

  /// The pipeline's name.
  var pipeline: String
  var style = TextStyle(usesColor: false)
  var state = ConnectivityState()
  /// The time of the last change, and the previous status; nil for the first status.
  var lastChange: (time: String, previous: ConnectivityStatus?)?
  /// The response times of the last checks.
  var latencies = Sparkline()
  /// The time of the next check, unless an event triggers one earlier; nil if none is planned.
  var nextCheck: String?

  /// The lines, the most important first.
  var lines: [TerminalLine] {
    [headline] + login + network + latency + evidence + planned
  }

  /// The lines that fit; the last line of the terminal is reserved for the cursor.
  func lines(in size: TerminalSize) -> [TerminalLine] {
    let fitting = lines.prefix(max(size.rows - 1, 1))
    return fitting.map { $0.cut(to: size.columns, style) }
  }
}

extension MonitorView {
  private var headline: TerminalLine {
    var line = TerminalLine("\(style.marks.bullet) ", state.emphasis)
    line.add(state.statusDescription, state.emphasis)
    if state.isSlow { line.add(" (slow)", .warning) }
    if let verdict = state.verdict { line.add("  \(verdict.longDescription)", .faint) }
    return line
  }

  private var network: [TerminalLine] {
    var lines: [TerminalLine] = []
    if let words = state.interfaceDescription { lines.append(row("interface", words)) }
    if let failure = state.pathFailure { lines.append(row("interface", "\(failure)", .warning)) }
    if !state.families.isEmpty {
      let families = IPFamily.allCases.compactMap { family in
        state.families[family].map { "\(family.words) \($0.words)" }
      }
      lines.append(row("families", families.joined(separator: ", ")))
    }
    if let lastChange {
      let before = lastChange.previous.map { ", before: \($0)" } ?? ""
      lines.append(row("since", lastChange.time + before))
    }
    return lines
  }

  private var latency: [TerminalLine] {
    let bars = latencies.text(style.marks)
    guard !bars.isEmpty else { return [] }
    var line = row("latency", state.latency?.forPerson ?? "none")
    line.add("  \(bars)", state.isSlow ? .warning : nil)
    return [line]
  }

  private var login: [TerminalLine] {
    state.portal.map { [row("log in at", $0.loginURL.string, .strong)] } ?? []
  }

  private var evidence: [TerminalLine] {
    let facts = state.evidence.map(\.summary)
    let shown = facts.prefix(
      facts.count > Self.maximumEvidenceLines ? Self.maximumEvidenceLines - 1 : facts.count)
    var lines = shown.enumerated().map { row($0.offset == 0 ? "evidence" : "", $0.element) }
    if facts.count > shown.count { lines.append(row("", "and \(facts.count - shown.count) more", .faint)) }
    return lines
  }

  private var planned: [TerminalLine] {
    // The first check is in progress.
    guard state.status != .determining else { return [row("pipeline", pipeline, .faint)] }
    let next = nextCheck ?? "when interfaces or routes change"
    return [row("next check", "\(next), by pipeline \(pipeline)", .faint)]
  }

  private func row(_ name: String, _ text: String, _ emphasis: TextStyle.Emphasis? = nil) -> TerminalLine {
    var line = TerminalLine("  \(name.padded(to: 10))  ", .faint)
    line.add(text, emphasis)
    return line
  }
}

extension IPFamily {
  fileprivate var words: String {
    switch self {
    case .v4: "IPv4"
    case .v6: "IPv6"
    }
  }
}

extension FamilyState {
  fileprivate var words: String {
    switch self {
    case .works: "works"
    case .fails: "fails"
    case .untested: "is not tested"
    case .noRoute: "has no route"
    }
  }
}

/// The latest values as a row of bars, with the newest at the end.
struct Sparkline {
  /// The maximum number of values.
  let capacity: Int
  private var values: [Duration?] = []

  init(capacity: Int = 30) {
    self.capacity = capacity
  }

  /// Adds a value; nil for one that could not be measured.
  mutating func add(_ value: Duration?) {
    values.append(value)
    if values.count > capacity { values.removeFirst(values.count - capacity) }
  }

  /// The bars, each with a height relative to the maximum; a gap for each missing value.
  func text(_ marks: Marks) -> String {
    let maximum = values.compactMap(\.self).max() ?? .zero
    return String(
      values.map { value in
        guard let value else { return marks.gap }
        guard maximum > .zero else { return marks.bars[0] }
        let level = (value / maximum * Double(marks.bars.count)).rounded(.up)
        return marks.bars[min(max(Int(bounding: level) - 1, 0), marks.bars.count - 1)]
      })
  }
}
