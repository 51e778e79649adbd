import Glibc

/// The signals that a monitor handles, besides those that end it.
enum MonitorSignals {
  /// The signal that reloads files.
  static let hangup = SIGHUP

  /// The events that the signals cause.
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
