import ProbeLocking
import ProbeReporting

/// Displays the progress of a command on a terminal.
final class RunProgress: Sendable {
  private let line: Guarded<ProgressLine>
  private let errors: OutputSink
  private let clock: any Clock<Duration>
  /// The contents of the line at a time since the start; nil for the number of items.
  private let content: (@Sendable (Duration) -> String)?

  /// Creates a progress display.
  ///
  /// - Parameters:
  ///   - total: The number of items.
  ///   - thing: The name of an item.
  ///   - errors: Standard error, where the line is written.
  ///   - clock: Measures the time since the start, and the interval of updates.
  init(
    total: Int, of thing: String = "probe", on errors: OutputSink,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    line = Guarded(ProgressLine(total: total, of: thing))
    self.errors = errors
    self.clock = clock
    content = nil
  }

  /// Creates a display of something else than a number of items.
  ///
  /// - Parameters:
  ///   - errors: Standard error, where the line is written.
  ///   - clock: Measures the time since the start, and the interval of updates.
  ///   - content: The contents of the line at a time since the start.
  init(on errors: OutputSink, clock: any Clock<Duration>, content: @escaping @Sendable (Duration) -> String) {
    line = Guarded(ProgressLine(total: 0))
    self.errors = errors
    self.clock = clock
    self.content = content
  }

  /// Counts a finished item; this takes hardly any time.
  func oneFinished() {
    line.withLock { $0.oneFinished() }
  }

  /// Displays progress during an operation.
  ///
  /// - Parameters:
  ///   - progress: The display, or nil for none.
  ///   - body: The operation.
  /// - Returns: The result of the operation.
  static func show<Result>(_ progress: RunProgress?, during body: () async -> Result) async -> Result {
    guard let progress else { return await body() }
    let ticker = Task { await progress.show() }
    let result = await body()
    ticker.cancel()
    await ticker.value
    return result
  }

  /// Updates the line until the task is cancelled, then erases it.
  func show() async {
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
