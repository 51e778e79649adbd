import ConnectivityMonitor
import FoundationEssentials
import ProbeCore
import ProbeReporting
import ProbeSystem

/// Displays the current state on the last lines of a terminal.
struct MonitorScreen: MonitorDisplay {
  private let style: TextStyle
  private let size: @Sendable () -> TerminalSize
  private let dateAndTime: @Sendable (Date) -> String
  private let timeOfDay: @Sendable (Date) -> String
  private var view: MonitorView
  private var region = ScreenRegion()

  /// Creates an empty screen.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline's name.
  ///   - style: The style of emphasized text.
  ///   - size: Returns the terminal's current size.
  ///   - dateAndTime: Formats a time that may be in the distant past.
  ///   - timeOfDay: Formats a time in the near future.
  init(
    pipeline: String, style: TextStyle, size: @escaping @Sendable () -> TerminalSize,
    dateAndTime: @escaping @Sendable (Date) -> String = LocalTime.dateAndTime,
    timeOfDay: @escaping @Sendable (Date) -> String = LocalTime.time
  ) {
    self.style = style
    self.size = size
    self.dateAndTime = dateAndTime
    self.timeOfDay = timeOfDay
    view = MonitorView(pipeline: pipeline, style: style)
  }

  mutating func text(of change: MonitorChange) -> String {
    if view.lastChange == nil || change.previous != change.state.status {
      // The transition from the unknown state is not a change worth displaying.
      view.lastChange = (dateAndTime(change.time), change.previous == .determining ? nil : change.previous)
    }
    view.state = change.state
    return draw()
  }

  /// Nothing: sets of services are reported as lines.
  mutating func text(of change: ServiceChange) -> String { "" }

  mutating func text(of check: ConnectivityCheck, at time: Date) -> String {
    view.state = check.state
    view.latencies.add(check.state.latency)
    view.nextCheck = check.nextCheck.map { timeOfDay(time + $0.inSeconds) }
    return draw()
  }

  mutating func textAfterResizing() -> String { draw() }

  mutating func textBeforeMessage() -> String { region.erase(columns: size().columns) }

  mutating func textAfterMessage() -> String { draw() }

  private mutating func draw() -> String {
    let size = size()
    return region.draw(view.lines(in: size), columns: size.columns, style: style)
  }
}
