import ConnectivityMonitor
import FoundationEssentials

/// How a monitor shows what it knows: told what happens, it answers with what to write.
protocol MonitorDisplay: Sendable {
  /// What to write when something has changed.
  mutating func text(of change: MonitorChange) throws -> String
  /// What to write when a check has finished.
  mutating func text(of check: ConnectivityCheck, at time: Date) throws -> String
  /// What to write when the terminal has another size.
  mutating func textAfterResizing() -> String
  /// What to write before something else is written to the same terminal.
  mutating func textBeforeMessage() -> String
  /// What to write after that.
  mutating func textAfterMessage() -> String
}

extension MonitorDisplay {
  mutating func textAfterResizing() -> String { "" }
  mutating func textBeforeMessage() -> String { "" }
  mutating func textAfterMessage() -> String { "" }
}

extension Date {
  /// The time by RFC 3339, in UTC, to the second.
  var inSeconds: String { formatted(.iso8601) }
  /// The time by RFC 3339, in UTC, to the millisecond.
  var inMilliseconds: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
