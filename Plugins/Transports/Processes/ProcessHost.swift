package import ProbeCore
import ProbeBase
import ProbeSystem

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

  package func ask(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async
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
    let question = Guarded<PluginQuestion?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let asked = PluginQuestion(message, to: pool, within: limit, continuation)
        question.withLock { $0 = asked }
        loop.start(asked)
        if Task.isCancelled { loop.cancel(asked) }
      }
    } onCancel: {
      if let asked = question.withLock({ $0 }) { loop.cancel(asked) }
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

  /// Counts an event.
  func count() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { end() }
  }
}
