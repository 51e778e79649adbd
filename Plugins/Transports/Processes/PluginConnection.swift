import ProbeCore
import ProbeSystem

/// A process of a plugin and the messages to it, on the thread of a loop.
final class PluginConnection {
  /// The time for a process to end after the end of its input.
  static let grace = Duration.seconds(2)

  private let plugin: PluginProgram
  private let environment: [String: String]
  /// The maximum time for which an idle process is kept.
  private let maximumIdleTime: Duration
  private let loop: EventLoop
  private let start = ContinuousClock.now
  private var session: PluginSession
  private var process: RunningProgram?
  private var owners: [PluginSession.RequestID: PluginRequest] = [:]
  private var lastRequestID = 0
  private var lastUse = ContinuousClock.now
  /// Whether the timer for an idle process is set; there is only one, regardless of the number of messages.
  private var isWatchedForIdleness = false
  private var whenEnded: [@Sendable () -> Void] = []
  private var isClosed = false

  init(_ plugin: PluginProgram, environment: [String: String], maximumIdleTime: Duration, on loop: EventLoop)
  {
    (self.plugin, self.environment, self.maximumIdleTime, self.loop) = (
      plugin, environment, maximumIdleTime, loop
    )
    session = PluginSession(plugin)
  }

  /// The number of messages without a response.
  var load: Int { session.load }
}

// Safe because everything happens on the thread of the loop.
extension PluginConnection: @unchecked Sendable {}

extension PluginConnection {
  /// Sends a message for a request.
  ///
  /// - Returns: The number of the message.
  func enqueue(_ request: PluginRequest, within limit: Duration, on thread: LoopThread)
    -> PluginSession.RequestID
  {
    lastRequestID += 1
    let requestID = lastRequestID
    lastUse = .now
    if isClosed {
      request.finish(.none(.pluginFailed, "plugins have been ended"), on: thread)
      return requestID
    }
    owners[requestID] = request
    perform(session.enqueue(requestID, request.message, deadline: now + limit, at: now), on: thread)
    return requestID
  }

  /// Stops waiting for the response to a request.
  func giveUp(_ requestID: PluginSession.RequestID, because reason: ReasonCode, on thread: LoopThread) {
    perform(session.giveUp(requestID, because: reason, at: now), on: thread)
  }

  /// Ends the process, and starts no other.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - ended: Called when the process has ended.
  func close(on thread: LoopThread, ended: @escaping @Sendable () -> Void) {
    isClosed = true
    guard let process else { return ended() }
    whenEnded.append(ended)
    process.end(within: Self.grace)
  }

  private var now: Duration { start.duration(to: .now) }

  private func perform(_ actions: [PluginSession.Action], on thread: LoopThread) {
    for action in actions {
      switch action {
      case .start: startProcess(on: thread)
      case .send(let line):
        // If it reads nothing, its messages time out.
        _ = process?.send(line)
      case .response(let requestID, let response):
        owners.removeValue(forKey: requestID)?.finish(response, on: thread)
      case .kill: process?.kill()
      case .wake(let moment): _ = thread.setTimer(at: start + moment, for: self)
      }
    }
    watchIdleness(on: thread)
  }

  /// Sets the timer for an idle process, unless it is set.
  private func watchIdleness(on thread: LoopThread) {
    guard session.isIdle, !isWatchedForIdleness else { return }
    isWatchedForIdleness = true
    _ = thread.setTimer(at: lastUse + maximumIdleTime, for: IdleTimer(self))
  }

  fileprivate func idleTimerFired(on thread: LoopThread) {
    isWatchedForIdleness = false
    guard session.isIdle, lastUse.duration(to: .now) >= maximumIdleTime else {
      return watchIdleness(on: thread)
    }
    session.retire()
    process?.end(within: Self.grace)
  }

  private func startProcess(on thread: LoopThread) {
    let loop = loop
    do throws(ProgramNotStarted) {
      process = try RunningProgram(starting: plugin.program, environment: environment, on: loop) {
        [weak self] event in
        guard let thread = loop.current else { return }
        self?.handle(event, on: thread)
      }
    } catch {
      perform(session.ended(.notStarted(error.description), lastError: "", at: now), on: thread)
    }
  }

  private func handle(_ event: RunningProgram.Event, on thread: LoopThread) {
    switch event {
    case .line(let line): perform(session.receive(line, at: now), on: thread)
    case .ended(let end, let lastError):
      process = nil
      perform(
        isClosed
          ? session.ended(.cancelled, lastError: "", at: now)
          : session.ended(end, lastError: lastError, at: now), on: thread)
      for notify in whenEnded { notify() }
      whenEnded = []
    }
  }
}

extension PluginConnection: TimerReceiver {
  func timerFired(on thread: LoopThread) {
    if !isClosed { perform(session.wake(at: now), on: thread) }
  }
}

private final class IdleTimer: TimerReceiver {
  private weak var connection: PluginConnection?

  init(_ connection: PluginConnection) {
    self.connection = connection
  }

  func timerFired(on thread: LoopThread) { connection?.idleTimerFired(on: thread) }
}
