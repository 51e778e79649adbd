import Glibc
import CommandKit
import ProbeSystem

/// The signals that a monitor handles, besides those that end it.
enum MonitorSignals {
  /// The signal that reloads files.
  static let hangup = SIGHUP

  /// The events that the signals cause.
  static func events(in context: CommandContext) -> AsyncStream<MonitorEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonitorEvent.self)
    let reloads = Interruption.arrivals(of: SIGHUP)
    let resizes = context.output.isTerminal ? Interruption.arrivals(of: SIGWINCH) : nil
    let task = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { for await _ in reloads { continuation.yield(.reload) } }
        if let resizes { group.addTask { for await _ in resizes { continuation.yield(.resized) } } }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
