import ConnectivityMonitor
import FoundationEssentials
import ProbePipeline

/// Something that a monitor has to do with.
enum MonitorEvent: Sendable {
  /// What is known of Internet access has changed, or is told for the first time.
  case changed(ConnectivityState)
  /// A check has finished.
  case checked(ConnectivityCheck)
  /// The pipeline is to be read anew.
  case reload
  /// The terminal has another size.
  case resized
  /// A command that a change led to has ended.
  case commandEnded(ChildProcess.End)
  /// A command has written a line.
  case commandSaid(String)
  /// It is time to tell the service manager that all is well.
  case heartbeat
}

/// A change, with what was before.
struct MonitorChange: Sendable {
  /// When it was noticed.
  var time: Date
  /// What is known now.
  var state: ConnectivityState
  /// The status before, or nil for the first state that is told.
  var previous: ConnectivityStatus?
}

/// What a monitor watches: `Connectivity`, or something made up in a test.
protocol MonitoredConnectivity: Sendable {
  /// Tells of changes, the present state first, and of checks, until the task is cancelled.
  ///
  /// When it returns, nothing is under way any more.
  func watch(_ tell: @escaping @Sendable (MonitorEvent) -> Void) async

  /// Checks by another plan from now on.
  func use(_ plan: ProbePlan)
}
