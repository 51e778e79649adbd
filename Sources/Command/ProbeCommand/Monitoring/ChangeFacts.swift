import ConnectivityMonitor
import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline
import ProbeReporting

/// The facts of a change for a command, as environment variables.
///
/// Nothing is inserted into the command's text, so that data from the network cannot become part of it. The
/// values contain no control characters except the line ends between pieces of evidence, and none is longer
/// than ``maximumValueLength``.
struct ChangeFacts: Sendable {
  /// The maximum length of a value in bytes.
  static let maximumValueLength = 4096
  /// The maximum number of pieces of evidence.
  static let maximumEvidence = 20
  private static let prefix = "PROBEKIT_"
  /// Variables for this process only (sd_notify(3), sd_watchdog_enabled(3)).
  private static let own = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// The facts by variable name; an unknown one is empty.
  let variables: [(name: String, value: String)]

  init(_ change: MonitorChange, pipeline: String) {
    let state = change.state
    let interface = state.currentInterface
    let evidence = state.evidence.prefix(Self.maximumEvidence).map { Self.bounded($0.summary, to: 400) }
    let facts: [(String, String)] = [
      ("STATUS", state.status.rawValue),
      ("DESCRIPTION", state.statusDescription),
      ("PREVIOUS_STATUS", change.previous?.rawValue ?? ""),
      ("VERDICT", state.verdict?.rawValue ?? ""),
      ("CONNECTED", Self.flag(state.isConnected)),
      ("INTERFACE", interface?.name ?? ""),
      ("INTERFACE_KIND", interface?.kind.rawValue ?? ""),
      ("METERED", interface?.isMetered.map(Self.flag) ?? ""),
      ("V4", state.families[.v4]?.rawValue ?? ""),
      ("V6", state.families[.v6]?.rawValue ?? ""),
      ("SLOW", Self.flag(state.isSlow)),
      ("LATENCY", state.latency?.decimalSeconds ?? ""),
      ("LOGIN_URL", state.portal?.loginURL.string ?? ""),
      ("PIPELINE", pipeline),
      ("TIME", change.time.inUTCWithMilliseconds),
    ]
    variables = Self.variables(facts, ["EVIDENCE": evidence])
  }

  init(_ change: ServiceChange, pipeline: String) {
    let labels = change.set.labels.sorted { $0.key < $1.key }
    let failed = change.failed.prefix(Self.maximumEvidence).map { probe in
      Self.bounded(probe.name ?? probe.url.withoutCredentials, to: 400)
    }
    let facts: [(String, String)] =
      [
        ("SET", change.set.name),
        ("STATE", ServiceChange.word(change.isMet)),
        ("PREVIOUS_STATE", ServiceChange.word(change.wasMet)),
        ("VERDICT", change.result.verdict.rawValue),
        ("LOGIN_URL", change.result.portal?.loginURL.string ?? ""),
        ("PIPELINE", pipeline),
        ("TIME", change.time.inUTCWithMilliseconds),
      ] + labels.map { ("LABEL_\($0.key)", $0.value) }
    let evidence = change.evidence.prefix(Self.maximumEvidence).map { Self.bounded($0.summary, to: 400) }
    variables = Self.variables(facts, ["EVIDENCE": evidence, "FAILED": failed])
  }

  /// The variables with these values, and those with these lines.
  private static func variables(
    _ facts: [(String, String)], _ lines: KeyValuePairs<String, [String]>
  ) -> [(name: String, value: String)] {
    facts.map { (prefix + $0.0, bounded($0.1, to: maximumValueLength)) }
      + lines.map { (prefix + $0.key, $0.value.joined(separator: "\n").cut(to: maximumValueLength)) }
  }

  /// The environment for a command: that of this process, in which the facts replace variables of the same
  /// name.
  func environment(over inherited: [String: String]) -> [String] {
    let kept = inherited.filter { !$0.key.hasPrefix(Self.prefix) && !Self.own.contains($0.key) }
    return kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      + variables.map { "\($0.name)=\($0.value)" }
  }

  private static func flag(_ value: Bool) -> String { value ? "1" : "0" }

  private static func bounded(_ text: String, to limit: Int) -> String {
    text.cut(to: limit).escapedForDisplay.cut(to: limit)
  }
}

extension String {
  /// The longest prefix of whole characters that fits into this many bytes.
  fileprivate func cut(to bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    let end = utf8.index(utf8.startIndex, offsetBy: bytes)
    return String(self[..<(Index(end, within: self) ?? self[..<end].endIndex)])
  }
}
