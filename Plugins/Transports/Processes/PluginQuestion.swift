import ProbeCore
import ProbeSystem

/// A message to a plugin, and the task that waits for its answer.
final class PluginQuestion: LoopOperation {
  /// The members of the message besides `id` and `deadlineMs`, as JSON without the braces.
  let message: [UInt8]
  private let pool: PluginPool
  private let limit: Duration
  private var continuation: CheckedContinuation<PluginResponse, Never>?
  private var place: (connection: PluginConnection, ticket: PluginSession.Ticket)?
  private var alarm: LoopTimer?

  init(
    _ message: [UInt8], to pool: PluginPool, within limit: Duration,
    _ continuation: CheckedContinuation<PluginResponse, Never>
  ) {
    (self.message, self.pool, self.limit, self.continuation) = (message, pool, limit, continuation)
  }

  func start(on thread: LoopThread) {
    guard continuation != nil else { return }
    alarm = thread.setTimer(at: .now + limit, for: self)
    let connection = pool.leastBusy
    place = (connection, connection.ask(self, within: limit, on: thread))
  }

  func cancel(on thread: LoopThread) {
    guard continuation != nil else { return }
    if let place {
      place.connection.giveUp(place.ticket, because: .cancelled, on: thread)
    } else {
      finish(.none(.cancelled, "it was cancelled"), on: thread)
    }
  }

  /// Passes the answer to the task.
  func finish(_ answer: PluginResponse, on thread: LoopThread) {
    if let alarm { thread.cancel(alarm) }
    alarm = nil
    continuation.take()?.resume(returning: answer)
  }
}

extension PluginQuestion: TimerReceiver {
  func timerFired(on thread: LoopThread) {
    alarm = nil
    if let place { place.connection.giveUp(place.ticket, because: .pluginTimeout, on: thread) }
  }
}

// Safe because everything after its creation happens on the thread of the loop.
extension PluginQuestion: @unchecked Sendable {}

/// The processes of a plugin, on the thread of a loop.
final class PluginPool: Sendable {
  private let connections: [PluginConnection]

  init(_ plugin: PluginProgram, environment: [String: String], maximumIdleTime: Duration, on loop: EventLoop)
  {
    connections = (0..<max(1, plugin.processes)).map { _ in
      PluginConnection(plugin, environment: environment, maximumIdleTime: maximumIdleTime, on: loop)
    }
  }

  /// The process with the fewest messages; among equals the first, so that few messages need one process.
  var leastBusy: PluginConnection {
    connections.dropFirst().reduce(connections[0]) { $1.load < $0.load ? $1 : $0 }
  }

  /// Ends all processes.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - ended: Called when all have ended.
  func close(on thread: LoopThread, ended: @escaping @Sendable () -> Void) {
    let left = Countdown(connections.count, ended)
    for connection in connections { connection.close(on: thread) { left.count() } }
  }
}
