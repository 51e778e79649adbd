import Glibc

/// The signals that a monitor listens to, besides those that end it.
enum MonitorSignals {
  /// What signals ask for, as they come.
  static func events(in context: CommandContext) -> AsyncStream<MonitorEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonitorEvent.self)
    let signals = Interruption.signals([SIGHUP] + (context.output.isTerminal ? [SIGWINCH] : []))
    let task = Task {
      for await number in signals { continuation.yield(number == SIGHUP ? .reload : .resized) }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
