import ConnectivityMonitor
import FoundationEssentials
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeSystem

enum MonitorEvent: Sendable {
  /// The state of Internet access has changed, or is reported for the first time.
  case changed(ConnectivityState)
  case checked(ConnectivityCheck)
  /// The pipeline must be reloaded.
  case reload
  /// The terminal was resized.
  case resized
  /// The pipeline was read again; nil if reading its files took too long.
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
  func watch(_ post: @escaping @Sendable (MonitorEvent) -> Void) async

  /// Uses another plan, starting with the next check.
  func use(_ plan: ProbePlan)
}

/// The events that a monitor has not handled yet: what happened, and apart from it the text of commands.
///
/// Both are bounded. Text never displaces an event and is handled when there is none; lines beyond the bound are
/// counted. Of the reports about the network only the newest wait, and a request that still waits is not repeated.
struct PendingEvents: Sendable {
  /// The maximum number of waiting reports about the network; the oldest are dropped, so that the newest state is
  /// always reported.
  static let maximumReports = 256
  /// The maximum number of waiting lines of text.
  static let maximumLines = 256

  private var events: [MonitorEvent] = []
  private var lines: [String] = []
  private var omittedLines = 0

  mutating func add(_ event: MonitorEvent) {
    switch event {
    case .commandOutput(let line):
      // Once a line is omitted, so are the next ones, until their count has been reported.
      if omittedLines > 0 || lines.count == Self.maximumLines {
        omittedLines += 1
      } else {
        lines.append(line)
      }
    case .linesOmitted(let count): omittedLines += count
    case .reload, .resized, .heartbeat:
      if !events.contains(where: { $0.isSameRequest(as: event) }) { events.append(event) }
    case .changed, .checked:
      if events.count(where: \.isReport) == Self.maximumReports {
        events.firstIndex(where: \.isReport).map { _ = events.remove(at: $0) }
      }
      events.append(event)
    // At most one command and one reading are in progress.
    case .commandEnded, .reread: events.append(event)
    }
  }

  /// Takes the next event, or nil if there is none.
  mutating func next() -> MonitorEvent? {
    if !events.isEmpty { return events.removeFirst() }
    if !lines.isEmpty { return .commandOutput(lines.removeFirst()) }
    guard omittedLines > 0 else { return nil }
    defer { omittedLines = 0 }
    return .linesOmitted(omittedLines)
  }
}

extension MonitorEvent {
  /// Whether it reports a state of the network.
  fileprivate var isReport: Bool {
    switch self {
    case .changed, .checked: true
    default: false
    }
  }

  /// Whether handling this request handles the other one too.
  fileprivate func isSameRequest(as other: MonitorEvent) -> Bool {
    switch (self, other) {
    case (.reload, .reload), (.resized, .resized), (.heartbeat, .heartbeat): true
    default: false
    }
  }
}

/// The inbox of a monitor: any thread adds events, and one task handles them.
final class MonitorInbox: Sendable {
  private let pending = Guarded(PendingEvents())
  /// Wakes the task that handles events; one signal is enough for any number of them.
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() {
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ event: MonitorEvent) {
    pending.withLock { $0.add(event) }
    signal.yield()
  }

  /// Handles all events as they arrive; only one task may call this.
  ///
  /// It returns when the task is cancelled, or the body returns false.
  ///
  /// - Parameter body: Handles an event, and returns whether to continue.
  func handleAll(_ body: (MonitorEvent) -> Bool) async {
    for await _ in signals {
      while let event = pending.withLock({ $0.next() }) {
        guard body(event), !Task.isCancelled else { return }
      }
    }
  }
}
