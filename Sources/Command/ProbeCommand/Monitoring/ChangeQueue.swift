import ConnectivityMonitor
import ProbePipeline

/// A change to run a command for.
enum ReportedChange: Sendable {
  /// A change of Internet access.
  case access(MonitorChange)
  /// A change of a set of services.
  case service(ServiceChange)
}

/// Selects the changes to run a command for: one at a time and, of the changes in the meantime, only the
/// newest of Internet access and of each set.
///
/// It receives events, and returns the change to run the command for now, if any.
struct ChangeQueue: Sendable {
  private var isRunning = false
  private var access: MonitorChange?
  /// The newest pending change of each set, in the order of their first changes.
  private var services: [ServiceChange] = []
  /// The status that the last command reported, or the first known status.
  private var reported: ConnectivityStatus?
  /// The state of each set that the last command for the set reported.
  private var reportedSets: [String: Bool] = [:]

  /// Adds a change of Internet access.
  ///
  /// As long as the status is unknown there is nothing to report, even if interfaces are known.
  mutating func add(_ change: MonitorChange) -> ReportedChange? {
    guard change.state.status != .determining || (reported ?? .determining) != .determining else {
      reported = .determining
      return nil
    }
    access = change
    return next()
  }

  /// Adds a change of a set.
  mutating func add(_ change: ServiceChange) -> ReportedChange? {
    if let index = services.firstIndex(where: { $0.set.name == change.set.name }) {
      services[index] = change
    } else {
      services.append(change)
    }
    return next()
  }

  /// Notes that the command has ended, or could not be started.
  mutating func finished() -> ReportedChange? {
    isRunning = false
    return next()
  }

  // Changes without a run of the command do not exist for the command.
  private mutating func next() -> ReportedChange? {
    guard !isRunning else { return nil }
    if var change = access.take() {
      isRunning = true
      change.previous = reported ?? change.previous
      reported = change.state.status
      return .access(change)
    }
    // A set with the same state as for the last command has not changed.
    services.removeAll { reportedSets[$0.set.name] == $0.isMet }
    guard !services.isEmpty else { return nil }
    isRunning = true
    var change = services.removeFirst()
    change.wasMet = reportedSets[change.set.name]
    reportedSets[change.set.name] = change.isMet
    return .service(change)
  }
}
