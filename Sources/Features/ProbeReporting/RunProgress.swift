import ProbeBase
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
