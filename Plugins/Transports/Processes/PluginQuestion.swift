import ProbeCore
import ProbeSystem

/// A message to a plugin, and the task that waits for its response.
final class PluginQuestion: LoopOperation {
  /// The members of the message besides `id` and `deadlineMs`, as JSON without the braces.
  let message: [UInt8]
  private let pool: PluginPool
  private let limit: Duration
  private var continuation: CheckedContinuation<PluginResponse, Never>?
  private var assignment: (connection: PluginConnection, ticket: PluginSession.Ticket)?
  private var timer: LoopTimer?

  init(
    _ message: [UInt8], to pool: PluginPool, within limit: Duration,
    _ continuation: CheckedContinuation<PluginResponse, Never>
  ) {
    (self.message, self.pool, self.limit, self.continuation) = (message, pool, limit, continuation)
  }

  func start(on thread: LoopThread) {
    guard continuation != nil else { return }
    timer = thread.setTimer(at: .now + limit, for: self)
    let connection = pool.leastBusy
    assignment = (connection, connection.ask(self, within: limit, on: thread))
  }

  func cancel(on thread: LoopThread) {
    guard continuation != nil else { return }
    if let assignment {
      assignment.connection.giveUp(assignment.ticket, because: .cancelled, on: thread)
    } else {
      finish(.none(.cancelled, "it was cancelled"), on: thread)
    }
  }

  /// Passes the response to the task.
  func finish(_ response: PluginResponse, on thread: LoopThread) {
    if let timer { thread.cancel(timer) }
    timer = nil
    continuation.take()?.resume(returning: response)
  }
}

extension PluginQuestion: TimerReceiver {
  func timerFired(on thread: LoopThread) {
    timer = nil
    if let assignment { assignment.connection.giveUp(assignment.ticket, because: .pluginTimeout, on: thread) }
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
