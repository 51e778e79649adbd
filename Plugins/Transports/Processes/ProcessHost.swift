internal import ProbeBase
internal import ProbeSystem
package import ProbeCore

/// Runs the programs named in pipeline files, and keeps the processes of plugins.
package final class ProcessHost: ProgramHost {
  /// The default time for which an idle plugin is kept.
  static let usualIdleness = Duration.seconds(600)

  private let environment: [String: String]
  private let maximumIdleTime: Duration
  private let loop = EventLoop(named: "probekit-plugins")
  private let pools = Guarded<[PluginProgram: PluginPool]>([:])

  /// Creates a host without processes.
  ///
  /// - Parameters:
  ///   - environment: The environment of this process, from which programs receive the variables that their
  ///     files list, and whose PATH is searched for them.
  ///   - maximumIdleTime: The time for which an idle plugin is kept.
  package init(environment: [String: String], maximumIdleTime: Duration = usualIdleness) {
    (self.environment, self.maximumIdleTime) = (environment, maximumIdleTime)
  }

  package func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun {
    await program.run(input: input, within: limit, environment: environment, on: loop)
  }

  package func query(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async
    -> PluginResponse
  {
    guard loop.start() else { return .none(.noDescriptors, "no thread or descriptor is left for it") }
    let pool = pools.withLock { pools in
      let pool =
        pools[plugin]
        ?? PluginPool(plugin, environment: environment, maximumIdleTime: maximumIdleTime, on: loop)
      pools[plugin] = pool
      return pool
    }
    let request = Guarded<PluginRequest?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let pluginRequest = PluginRequest(message, to: pool, within: limit, continuation)
        request.withLock { $0 = pluginRequest }
        loop.start(pluginRequest)
        if Task.isCancelled { loop.cancel(pluginRequest) }
      }
    } onCancel: {
      if let pluginRequest = request.withLock({ $0 }) { loop.cancel(pluginRequest) }
    }
  }

  /// Ends all plugins, and waits until they have ended.
  package func end() async {
    let all = pools.withLock { Array($0.values) }
    guard !all.isEmpty else { return }
    await withCheckedContinuation { continuation in
      let left = Countdown(all.count) { continuation.resume() }
      for pool in all { loop.start(PoolEnding(pool) { left.count() }) }
    }
  }
}

/// Ends the processes of a plugin.
private final class PoolEnding: LoopOperation {
  private let pool: PluginPool
  private let ended: @Sendable () -> Void

  init(_ pool: PluginPool, ended: @escaping @Sendable () -> Void) {
    (self.pool, self.ended) = (pool, ended)
  }

  func start(on thread: LoopThread) { pool.close(on: thread, ended: ended) }

  func cancel(on thread: LoopThread) {}
}

/// Calls a closure after a number of events.
final class Countdown: Sendable {
  private let left: Guarded<Int>
  private let end: @Sendable () -> Void

  init(_ count: Int, _ end: @escaping @Sendable () -> Void) {
    left = Guarded(count)
    self.end = end
  }

  func count() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { end() }
  }
}

/// A message to a plugin, and the task that waits for its response.
final class PluginRequest: LoopOperation {
  /// The members of the message besides `id` and `deadlineMs`, as JSON without the braces.
  let message: [UInt8]
  private let pool: PluginPool
  private let limit: Duration
  private var continuation: CheckedContinuation<PluginResponse, Never>?
  private var assignment: (connection: PluginConnection, requestID: PluginSession.RequestID)?
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
    assignment = (connection, connection.enqueue(self, within: limit, on: thread))
  }

  func cancel(on thread: LoopThread) {
    guard continuation != nil else { return }
    if let assignment {
      assignment.connection.giveUp(assignment.requestID, because: .cancelled, on: thread)
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

extension PluginRequest: TimerReceiver {
  func timerFired(on thread: LoopThread) {
    timer = nil
    if let assignment {
      assignment.connection.giveUp(assignment.requestID, because: .pluginTimeout, on: thread)
    }
  }
}

// Safe because everything after its creation happens on the thread of the loop.
extension PluginRequest: @unchecked Sendable {}

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
