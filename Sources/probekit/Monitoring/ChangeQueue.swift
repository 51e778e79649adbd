import ConnectivityMonitor

/// Which changes a command is run for: one at a time, and of those that come meanwhile only the newest.
///
/// A value that is told what happens, and answers with the change to run the command for now.
struct ChangeQueue: Sendable {
  private var isRunning = false
  private var waiting: MonitorChange?
  /// The status that the command was last told, or that was first known.
  private var told: ConnectivityStatus?

  /// Notes a change.
  ///
  /// As long as nothing is known yet there is nothing to tell, though interfaces may be seen already.
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
    // What the command was not told of did not happen for it.
    change.previous = told ?? change.previous
    told = change.state.status
    return change
  }
}
