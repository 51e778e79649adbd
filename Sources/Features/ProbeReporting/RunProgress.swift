internal import ProbeBase
package import ProbeSystem

/// Displays the progress of a command on a terminal.
package final class RunProgress: Sendable {
  private let line: Guarded<ProgressLine>
  private let errors: OutputSink
  private let clock: any Clock<Duration>
  /// Returns the contents of the line for the elapsed time; nil for the number of items.
  private let content: (@Sendable (Duration) -> String)?

  /// Creates a progress display.
  ///
  /// - Parameters:
  ///   - total: The number of items.
  ///   - thing: The noun for an item.
  ///   - errors: Standard error, which receives the line.
  ///   - clock: Measures the time since the start, and the interval of updates.
  package init(
    total: Int, of thing: String = "probe", on errors: OutputSink,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    line = Guarded(ProgressLine(total: total, of: thing))
    self.errors = errors
    self.clock = clock
    content = nil
  }

  /// Creates a display with custom contents.
  ///
  /// - Parameters:
  ///   - errors: Standard error, which receives the line.
  ///   - clock: Measures the time since the start, and the interval of updates.
  ///   - content: Returns the contents of the line for the elapsed time.
  package init(
    on errors: OutputSink, clock: any Clock<Duration>, content: @escaping @Sendable (Duration) -> String
  ) {
    line = Guarded(ProgressLine(total: 0))
    self.errors = errors
    self.clock = clock
    self.content = content
  }

  /// Counts a finished item; this takes hardly any time.
  package func oneFinished() {
    line.withLock { $0.oneFinished() }
  }

  /// Displays progress during an operation.
  ///
  /// - Parameters:
  ///   - progress: The display, or nil for none.
  ///   - body: The operation.
  /// - Returns: The result of the operation.
  package static func show<Result>(_ progress: RunProgress?, during body: () async -> Result) async -> Result
  {
    guard let progress else { return await body() }
    let ticker = Task { await progress.show() }
    let result = await body()
    ticker.cancel()
    await ticker.value
    return result
  }

  /// Updates the line until the task is cancelled, then erases it.
  package func show() async {
    await show(by: clock)
  }

  private func show<C: Clock<Duration>>(by clock: C) async {
    let start = clock.now
    while (try? await clock.sleep(for: ProgressLine.interval)) != nil {
      let elapsed = start.duration(to: clock.now)
      errors.write(
        line.withLock { line in
          if let content { line.text(at: elapsed, showing: content(elapsed)) } else { line.text(at: elapsed) }
        })
    }
    errors.write(line.withLock { $0.erase() })
  }
}

/// A line on a terminal that shows the progress of a run.
///
/// It is a value that receives events with their times, and returns the text to write. A short run shows
/// nothing. However many items finish, the line is not written more often than once per ``interval``.
package struct ProgressLine: Sendable {
  /// The time from the start of a run until the line appears.
  package static let delay = Duration.seconds(1)
  /// The minimum time between two updates of the line.
  package static let interval = Duration.milliseconds(100)

  private let total: Int
  private let thing: String
  private var finished = 0
  private var shown: (text: String, elapsed: Duration)?

  /// Creates a line that is not shown yet.
  ///
  /// - Parameters:
  ///   - total: The number of items.
  ///   - thing: The name of an item.
  package init(total: Int, of thing: String = "probe") {
    self.total = total
    self.thing = thing
  }

  /// Counts a finished item.
  package mutating func oneFinished() {
    finished += 1
  }

  /// Returns the text to write now.
  ///
  /// - Parameter elapsed: The time since the start.
  /// - Returns: The line, which overwrites the previous one; empty if it is too early, or nothing has
  ///   changed.
  package mutating func text(at elapsed: Duration) -> String {
    let (finished, total, thing) = (finished, total, thing)
    return text(
      at: elapsed,
      showing: "\(finished)/\(total.counted(thing)), \(elapsed.components.seconds) s")
  }

  /// Returns the text to write now, with other contents of the line.
  package mutating func text(at elapsed: Duration, showing text: @autoclosure () -> String) -> String {
    guard elapsed >= Self.delay else { return "" }
    if let shown, elapsed < shown.elapsed + Self.interval { return "" }
    let text = text()
    guard text != shown?.text else { return "" }
    shown = (text, elapsed)
    // Return to the start of the line, and erase the rest of a longer one (ECMA-48 §8.3.41).
    return "\r\(text)\u{1B}[K"
  }

  /// Returns the text that erases the line, which may reappear later.
  package mutating func erase() -> String {
    defer { shown = nil }
    return shown == nil ? "" : "\r\u{1B}[K"
  }
}
