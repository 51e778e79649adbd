package import ProbeCore
import ProbeBase
import ProbeSystem

/// A process of a plugin under test, to which messages are sent unchanged.
package final class PluginTrial {
  /// The reason for the end of the trial, as a clause.
  package struct Failure: Error, Hashable, Sendable {
    /// The clause, such as `it exited with code 1`.
    package let words: String
  }

  private let loop = EventLoop(named: "probekit-trial")
  private enum Event: Sendable {
    case program(RunningProgram.Event)
    /// The time of the wait with this number has passed.
    case late(Int)
  }

  private let events = EventQueue<Event>()
  private var pending: [Event] = []
  private var timers = 0
  private let program: RunningProgram
  private let watch: @Sendable (_ isFromPlugin: Bool, _ line: [UInt8]) -> Void

  /// Starts a plugin.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - environment: The environment of this process.
  ///   - watch: Called with each line to or from the plugin.
  /// - Throws: ``Failure``.
  package init(
    _ program: ProbeCore.Program, environment: [String: String],
    watch: @escaping @Sendable (_ isFromPlugin: Bool, _ line: [UInt8]) -> Void = { _, _ in }
  ) throws(Failure) {
    self.watch = watch
    do throws(ProgramNotStarted) {
      self.program = try RunningProgram(starting: program, environment: environment, on: loop) {
        [events] event in
        if case .line(let line) = event { watch(true, line) }
        events.send(.program(event))
      }
    } catch {
      throw Failure(words: "it \(ProgramRun.End.notStarted(error.description).words)")
    }
  }

  package func send(_ line: [UInt8]) {
    watch(false, line)
    _ = program.send(line)
  }

  /// The next line.
  ///
  /// - Parameter limit: The timeout.
  /// - Returns: The line, without its line break.
  /// - Throws: ``Failure`` if the plugin ends, or writes nothing in time.
  package nonisolated(nonsending) func line(within limit: Duration) async throws(Failure) -> [UInt8] {
    switch await next(within: limit) {
    case .line(let line)?: return line
    case .ended(let end, let lastError)?:
      throw Failure(
        words: "it \(end.words)" + (lastError.isEmpty ? "" : "; its last error output: \(lastError)"))
    case nil: throw Failure(words: "it wrote nothing for \(ValueSyntax.text(of: limit))")
    }
  }

  /// The hello of the plugin.
  ///
  /// - Throws: ``Failure``.
  package nonisolated(nonsending) func hello(within limit: Duration) async throws(Failure) -> PluginHello {
    let line = try await line(within: limit)
    do throws(PluginProtocolError) {
      guard case .hello(let hello) = try PluginLine(line) else {
        throw PluginProtocolError("sent an answer before its hello")
      }
      return hello
    } catch {
      throw Failure(words: "it \(error.message)")
    }
  }

  /// Sends messages at once, and collects the responses.
  ///
  /// - Parameters:
  ///   - messages: The members of each message besides `id` and `deadlineMs`, as JSON without the braces.
  ///   - first: The number of the first message.
  ///   - limit: The timeout for each further response.
  /// - Returns: The responses in the order of the messages.
  /// - Throws: ``Failure`` if a response is missing, or a line violates the protocol.
  package nonisolated(nonsending) func responses(
    to messages: [[UInt8]], from first: Int, within limit: Duration
  ) async throws(Failure) -> [PluginResponse] {
    for (index, message) in messages.enumerated() {
      send(
        Array("{\"id\":\(first + index),\"deadlineMs\":\(limit / .milliseconds(1)),".utf8) + message
          + Array("}".utf8))
    }
    var responses: [Int: PluginResponse] = [:]
    while responses.count < messages.count {
      let line = try await line(within: limit)
      do throws(PluginProtocolError) {
        guard case .response(let id, let response) = try PluginLine(line) else {
          throw PluginProtocolError("sent a second hello")
        }
        guard (first..<(first + messages.count)).contains(id), responses[id] == nil else {
          throw PluginProtocolError("answered the message \(id), which is not without an answer")
        }
        responses[id] = response
      } catch {
        throw Failure(words: "it \(error.message)")
      }
    }
    return messages.indices.compactMap { responses[first + $0] }
  }

  /// Ends its input, and waits until it has ended.
  ///
  /// - Parameter limit: The time until it is killed.
  /// - Returns: The way in which it ended; nil if it had to be killed.
  package nonisolated(nonsending) func end(within limit: Duration) async -> ProgramRun.End? {
    program.end(within: limit * 2)
    let deadline = ContinuousClock.now + limit
    while true {
      switch await next(within: max(.zero, ContinuousClock.now.duration(to: deadline))) {
      case .line?: continue
      case .ended(let end, _)?: return end
      case nil:
        program.kill()
        return nil
      }
    }
  }

  private nonisolated(nonsending) func next(within limit: Duration) async -> RunningProgram.Event? {
    timers += 1
    let number = timers
    let timer = Task { [events] in
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      events.send(.late(number))
    }
    defer { timer.cancel() }
    while true {
      while !pending.isEmpty {
        switch pending.removeFirst() {
        case .program(let event): return event
        case .late(number): return nil
        case .late: continue
        }
      }
      await events.take(into: &pending)
    }
  }
}
