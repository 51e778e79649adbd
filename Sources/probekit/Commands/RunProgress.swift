import ProbeLocking
import ProbeReporting

/// Shows on a terminal how far a command is.
final class RunProgress: Sendable {
  private let line: Guarded<ProgressLine>
  private let errors: OutputSink
  private let clock: any Clock<Duration>

  /// Shows it on standard error.
  ///
  /// - Parameters:
  ///   - total: How many things there are.
  ///   - thing: What one of them is called.
  ///   - errors: Where the line is written.
  ///   - clock: Measures the time since the start, and the pauses between two lines.
  init(
    total: Int, of thing: String = "probe", on errors: OutputSink,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    line = Guarded(ProgressLine(total: total, of: thing))
    self.errors = errors
    self.clock = clock
  }

  /// Notes that one more has finished; costs next to nothing.
  func oneFinished() {
    line.withLock { $0.oneFinished() }
  }

  /// Shows how far something is while it is done.
  ///
  /// - Parameters:
  ///   - progress: What shows it, or nil when nobody wants to see it.
  ///   - body: What is done.
  /// - Returns: What came of it.
  static func show<Result>(_ progress: RunProgress?, during body: () async -> Result) async -> Result {
    guard let progress else { return await body() }
    let ticker = Task { await progress.show() }
    let result = await body()
    ticker.cancel()
    await ticker.value
    return result
  }

  /// Shows the line again and again until the task is cancelled, then takes it away.
  func show() async {
    await show(by: clock)
  }

  private func show<C: Clock<Duration>>(by clock: C) async {
    let start = clock.now
    while (try? await clock.sleep(for: ProgressLine.interval)) != nil {
      errors.write(line.withLock { $0.text(at: start.duration(to: clock.now)) })
    }
    errors.write(line.withLock { $0.erase() })
  }
}
