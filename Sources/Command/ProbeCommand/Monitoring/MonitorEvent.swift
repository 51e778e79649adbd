import ConnectivityMonitor
import FoundationEssentials
import ProbeCore
import ProbePipeline
import ProbeSystem

/// An event for a monitor.
enum MonitorEvent: Sendable {
  /// The state of Internet access has changed, or is reported for the first time.
  case changed(ConnectivityState)
  /// A check has finished.
  case checked(ConnectivityCheck)
  /// The pipeline must be reloaded.
  case reload
  /// The terminal was resized.
  case resized
  /// The pipeline was read again; nil if its files did not respond.
  case reread(Result<PlannedPipelines, InvalidInput>)
  /// A command that was run for a change has ended.
  case commandEnded(ProcessEnd)
  /// A command has written a line.
  case commandOutput(String)
  /// This many lines of commands are left out, because they arrived faster than they were written.
  case linesOmitted(Int)
  /// It is time to notify the service manager's watchdog.
  case heartbeat
}

/// A change, with the previous status.
struct MonitorChange: Sendable {
  /// The time of detection.
  var time: Date
  /// The new state.
  var state: ConnectivityState
  /// The previous status, or nil for the first state.
  var previous: ConnectivityStatus?
}

/// The interface of the monitored object: `Connectivity`, or a substitute in a test.
protocol MonitoredConnectivity: Sendable {
  /// Reports changes, starting with the current state, and checks, until the task is cancelled.
  ///
  /// After it has returned, no work continues in the background.
  func watch(_ notify: @escaping @Sendable (MonitorEvent) -> Void) async

  /// Uses another plan, starting with the next check.
  func use(_ plan: ProbePlan)
}
