import ConnectivityMonitor
import FoundationEssentials
import ProbeCore

/// Formats the output of a monitor: it receives events, and returns the text to write.
protocol MonitorDisplay: Sendable {
  /// The text for a change.
  mutating func text(of change: MonitorChange) throws -> String
  /// The text for the change of a set of services.
  mutating func text(of change: ServiceChange) throws -> String
  /// The text for a finished check.
  mutating func text(of check: ConnectivityCheck, at time: Date) throws -> String
  /// The text after the terminal was resized.
  mutating func textAfterResizing() -> String
  /// The text before other output to the same terminal.
  mutating func textBeforeMessage() -> String
  /// The text after other output.
  mutating func textAfterMessage() -> String
}

extension MonitorDisplay {
  mutating func textAfterResizing() -> String { "" }
  mutating func textBeforeMessage() -> String { "" }
  mutating func textAfterMessage() -> String { "" }
}

extension Date {
  /// The time in RFC 3339 format, in UTC, with seconds.
  var inSeconds: String { inUTC }
  /// The time in RFC 3339 format, in UTC, with milliseconds.
  var inMilliseconds: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
