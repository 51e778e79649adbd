import ConnectivityMonitor

/// Selects the changes to run a command for: one at a time, and of those in the meantime only the newest.
///
/// It receives events, and returns the change to run the command for now, if any.
struct ChangeQueue: Sendable {
  private var isRunning = false
  private var waiting: MonitorChange?
  /// The status of the last command, or the first known one.
  private var told: ConnectivityStatus?

  /// Adds a change.
  ///
  /// As long as the status is unknown there is nothing to report, even if interfaces are known.
  mutating func add(_ change: MonitorChange) -> MonitorChange? {
    guard change.state.status != .determining || (told ?? .determining) != .determining else {
      told = .determining
      return nil
    }
    waiting = change
    return next()
  }

  /// Notes that the command has ended, or could not be started.
  mutating func finished() -> MonitorChange? {
    isRunning = false
    return next()
  }

  private mutating func next() -> MonitorChange? {
    guard !isRunning, var change = waiting else { return nil }
    isRunning = true
    waiting = nil
    // For the command, changes that it was not run for did not happen.
    change.previous = told ?? change.previous
    told = change.state.status
    return change
  }
}
