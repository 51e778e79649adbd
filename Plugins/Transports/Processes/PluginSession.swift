import ProbeCore

/// The conversation with one process of a plugin: the messages to it, and the responses to them.
///
/// It receives events and returns actions, and does no I/O. Times are relative to the start of its clock.
struct PluginSession {
  /// The number of a request, chosen by its owner; the process sees the number of its message, the `wireID`, instead.
  typealias RequestID = Int

  /// The next step.
  enum Action: Equatable {
    case start
    /// Write a line.
    case send([UInt8])
    /// Pass a response to the owner of its message, once.
    case response(RequestID, PluginResponse)
    /// End the process at once; ``ended(_:lastError:at:)`` follows.
    case kill
    /// Call ``wake(at:)`` at this time.
    case wake(at: Duration)
  }

  /// A message that has not been sent yet.
  private struct Waiting {
    var requestID: RequestID
    var message: [UInt8]
    var deadline: Duration
  }

  /// A message that was sent.
  private struct Sent {
    /// The number of the request; nil if its owner has given up.
    var requestID: RequestID?
    /// The number of lines that the process had written when the message was sent.
    var lines: Int
  }

  private enum Phase: Equatable {
    case stopped
    /// Started; waits for its hello.
    case greeting
    case ready
    /// Ended; may be restarted at this time.
    case delayed(until: Duration)
    /// Being ended for this reason.
    case ending(String)
  }

  /// The delay before a restart after the first early end; each further one doubles it.
  static let restartDelay = Duration.milliseconds(100)
  static let maximumRestartDelay = Duration.seconds(30)
  /// The minimum lifetime of a process that did not end early.
  static let longLife = Duration.seconds(10)

  private let plugin: PluginProgram
  private var phase = Phase.stopped
  private var waiting: [Waiting] = []
  /// The sent messages by their numbers on the wire.
  private var sent: [Int: Sent] = [:]
  private var lastWireID = 0
  private var lines = 0
  private var startedAt = Duration.zero
  private var earlyEnds = 0
  private var lastEnd = ""
  /// The hello of the process, or nil until it is received.
  private(set) var hello: PluginHello?

  init(_ plugin: PluginProgram) {
    self.plugin = plugin
  }

  /// The number of messages without a response.
  var load: Int { waiting.count + sent.count }
}

extension PluginSession {
  /// Sends a message.
  ///
  /// - Parameters:
  ///   - requestID: The number of the request.
  ///   - message: Its members besides `id` and `deadlineMs`, as JSON without the braces.
  ///   - deadline: The time at which the owner gives up and calls ``giveUp(_:because:at:)``.
  ///   - now: The time.
  /// - Returns: The actions to perform.
  mutating func enqueue(_ requestID: RequestID, _ message: [UInt8], deadline: Duration, at now: Duration)
    -> [Action]
  {
    if case .delayed(let until) = phase, until >= deadline {
      return [.response(requestID, .none(.pluginFailed, "\(lastEnd), and is not started again yet"))]
    }
    waiting.append(Waiting(requestID: requestID, message: message, deadline: deadline))
    return proceed(at: now)
  }

  /// Stops waiting for the response to a message.
  ///
  /// - Parameters:
  ///   - requestID: The number of the request.
  ///   - reason: The reason, which the owner receives instead of a response.
  ///   - now: The time.
  /// - Returns: The actions to perform.
  mutating func giveUp(_ requestID: RequestID, because reason: ReasonCode, at now: Duration) -> [Action] {
    let limit = plugin.kind == .validator ? "in \(ValueSyntax.text(of: plugin.timeout))" : "in time"
    let words = reason == .cancelled ? "it was cancelled" : "it did not answer \(limit)"
    let response = Action.response(requestID, .none(reason, words))
    if let index = waiting.firstIndex(where: { $0.requestID == requestID }) {
      waiting.remove(at: index)
      // The process has not even sent a hello.
      if phase == .greeting, reason != .cancelled { return [response] + end("it sent no hello in time") }
      return [response]
    }
    guard let (wireID, message) = sent.first(where: { $0.value.requestID == requestID }) else { return [] }
    sent[wireID]?.requestID = nil
    var actions = [response, Action.send(Array("{\"cancel\":\(wireID)}".utf8))]
    let isSilent = message.lines == lines && reason != .cancelled
    let isFull = sent.count >= plugin.inFlight && sent.values.allSatisfy { $0.requestID == nil }
    // It hangs: it has written nothing since the message was sent, or all its messages are abandoned.
    if isSilent || isFull { actions += end("it did not answer in time") }
    return actions
  }

  /// Handles a line from the process.
  mutating func receive(_ line: [UInt8], at now: Duration) -> [Action] {
    if case .ending = phase { return [] }
    lines += 1
    do throws(PluginProtocolError) {
      switch (try PluginLine(line), phase) {
      case (.hello(let hello), .greeting):
        guard hello.kind == plugin.kind else {
          throw PluginProtocolError("is a \(hello.kind.rawValue), not a \(plugin.kind.rawValue)")
        }
        self.hello = hello
        phase = .ready
        return proceed(at: now)
      case (.hello, _): throw PluginProtocolError("sent a second hello")
      case (.response, .greeting): throw PluginProtocolError("sent an answer before its hello")
      case (.response(let wireID, let response), _):
        guard let message = sent.removeValue(forKey: wireID) else {
          throw PluginProtocolError("answered the message \(wireID), which is not without an answer")
        }
        return (message.requestID.map { [.response($0, response)] } ?? []) + proceed(at: now)
      }
    } catch {
      return end("it \(error.message)")
    }
  }

  /// Handles the end of the process, or the failure to start it.
  ///
  /// - Parameters:
  ///   - end: The way in which it ended.
  ///   - lastError: The last line of its standard error.
  ///   - now: The time.
  /// - Returns: The actions to perform.
  mutating func ended(_ end: ProgramRun.End, lastError: String, at now: Duration) -> [Action] {
    var words = "it \(end.words)"
    if case .ending(let reason) = phase { words = reason }
    if !lastError.isEmpty { words += "; its last error output: \(lastError)" }
    lastEnd = words
    let failure = PluginResponse.none(.pluginFailed, words)
    var actions = sent.sorted { $0.key < $1.key }.compactMap { entry in
      entry.value.requestID.map { Action.response($0, failure) }
    }
    sent = [:]
    // If it sent no hello, the next process would not send one either.
    if hello == nil {
      actions += waiting.map { .response($0.requestID, failure) }
      waiting = []
    }
    hello = nil
    earlyEnds = now - startedAt < Self.longLife ? earlyEnds + 1 : 0
    let delay = min(Self.restartDelay * (1 << min(max(0, earlyEnds - 1), 20)), Self.maximumRestartDelay)
    phase = .delayed(until: now + delay)
    return actions + [.wake(at: now + delay)]
  }

  /// Handles the end of the delay before a restart.
  mutating func wake(at now: Duration) -> [Action] {
    guard case .delayed(let until) = phase, now >= until else { return [] }
    phase = .stopped
    return proceed(at: now)
  }

  /// Whether there is an idle process.
  var isIdle: Bool { phase == .ready && load == 0 }

  /// Marks an idle process as ending; new messages wait for the next one.
  mutating func retire() {
    if isIdle { phase = .ending("it had no work") }
  }

  private mutating func end(_ reason: String) -> [Action] {
    phase = .ending(reason)
    return [.kill]
  }

  private mutating func proceed(at now: Duration) -> [Action] {
    switch phase {
    case .stopped where !waiting.isEmpty:
      (phase, startedAt, lines) = (.greeting, now, 0)
      return [.start]
    case .ready:
      var actions: [Action] = []
      while !waiting.isEmpty, sent.count < plugin.inFlight {
        let next = waiting.removeFirst()
        lastWireID += 1
        sent[lastWireID] = Sent(requestID: next.requestID, lines: lines)
        let left = max(1, (next.deadline - now) / .milliseconds(1))
        var line = Array("{\"id\":\(lastWireID),\"deadlineMs\":\(Int(bounding: left)),".utf8)
        line += next.message
        line.append(UInt8(ascii: "}"))
        actions.append(.send(line))
      }
      return actions
    case .stopped, .greeting, .delayed, .ending: return []
    }
  }
}
