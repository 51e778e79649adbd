import ConnectivityMonitor
import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting

/// Formats the output of a monitor: it receives events, and returns the text to write.
protocol MonitorFormatter: Sendable {
  mutating func text(of change: MonitorChange) throws -> String
  mutating func text(of change: ServiceChange) throws -> String
  mutating func text(of check: ConnectivityCheck, at time: Date) throws -> String
  /// The text after the size of the terminal has changed.
  mutating func textAfterResizing() -> String
  /// The text before other output to the same terminal.
  mutating func textBeforeMessage() -> String
  /// The text after other output.
  mutating func textAfterMessage() -> String
}

extension MonitorFormatter {
  mutating func textAfterResizing() -> String { "" }
  mutating func textBeforeMessage() -> String { "" }
  mutating func textAfterMessage() -> String { "" }
}

extension Date {
  /// The time in UTC with milliseconds (RFC 3339).
  var inUTCWithMilliseconds: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}

/// A line for each change, for logs and for output that is not a terminal.
///
/// Two spaces separate the time, the status, the interface and the reason, so that a script can split the line; what is
/// not known is left out.
struct MonitorLines: MonitorFormatter {
  let style: TextStyle
  /// Whether to write a line for every check too.
  let reportsChecks: Bool

  func text(of change: MonitorChange) -> String {
    let state = change.state
    let status = style.apply(state.emphasis, state.accessDescription)
    let columns = [
      change.time.inUTC, status, state.interfaceDescription.map(style.shown),
      state.reasonDescription.map(style.shown),
    ]
    return columns.compactMap(\.self).joined(separator: "  ") + "\n"
  }

  func text(of change: ServiceChange) -> String {
    let state = style.apply(change.isMet ? .good : .bad, change.isMet ? "met" : "not met")
    let reason = change.evidence.map { style.shown($0.summary) }.joined(separator: "; ")
    return [change.time.inUTC, state, style.shown(change.set.name), reason].joined(separator: "  ") + "\n"
  }

  func text(of check: ConnectivityCheck, at time: Date) -> String {
    guard reportsChecks else { return "" }
    let probes = check.result.sets.flatMap(\.probes)
    let accepted = probes.count { $0.outcome == .accepted }
    var facts = ["\(accepted) of \(probes.count) accepted"]
    if let latency = check.state.latency { facts.append("latency \(latency.forPerson)") }
    if let next = check.nextCheck { facts.append("next check in \(next.forPerson)") }
    let verdict = style.apply(check.result.verdict.emphasis, check.result.verdict.longDescription)
    return "\(time.inUTC)  check: \(verdict)  \(facts.joined(separator: ", "))\n"
  }
}

extension ConnectivityState {
  /// The status for people, with a note if access is slow.
  var accessDescription: String { statusDescription + (isSlow ? " (slow)" : "") }

  var emphasis: TextStyle.Emphasis {
    if status == .determining { return .faint }
    if isConnected { return isSlow ? .warning : .good }
    return verdict == .captivePortal ? .warning : .bad
  }

  /// The interface of the default route, such as `wlan0 (Wi-Fi, metered)`; nil if there is none.
  var interfaceDescription: String? {
    currentInterface.map { interface in
      let metered = interface.isMetered == true ? ", metered" : ""
      return "\(interface.name.escapedForDisplay) (\(interface.kind)\(metered))"
    }
  }

  /// The verdict and its reason in a few words; nil if nothing is known.
  var reasonDescription: String? {
    guard let verdict else { return pathFailure.map { "\($0)".escapedForDisplay } }
    if let portal {
      return "\(verdict.longDescription): log in at \(portal.loginURL.string)".escapedForDisplay
    }
    let words = verdict.longDescription
    // Online needs no explanation, and the other words explain themselves.
    guard verdict != .online, !words.contains(":") else { return words }
    // The counts of the sets come first, followed by their explanation.
    let reason = evidence.first { ![.accepted, .rule].contains($0.kind) } ?? evidence.first
    return reason.map { "\(words): \($0.summary)".escapedForDisplay } ?? words
  }
}
