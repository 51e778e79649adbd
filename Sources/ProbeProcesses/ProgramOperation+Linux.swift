internal import Glibc
internal import ProbeCore
internal import ProbeLocking
internal import ProbeThreading

/// Receives what a program writes, on the loop's thread.
protocol ProgramReceiver: AnyObject {
  /// The program has started.
  func started()
  /// Takes a part of its output.
  ///
  /// - Returns: Whether it may write more; if not, it is ended.
  func take(_ output: [UInt8]) -> Bool
  /// The program has ended, or was not started; called once, after everything else.
  func ended(_ end: ProgramRun.End, _ errors: ErrorTail)
}

/// A program from its start to its end, on a loop: its pipes, its alarm, and its process.
///
/// ``ProgramCourse`` decides; this carries out. All but ``input`` is used on the loop's thread only. The process is
/// started there as well, because `--die-with-parent` of bwrap(1) is about the thread that has started it.
final class ProgramOperation {
  private let program: Program
  private let environment: [String: String]
  private let limit: Duration?
  // Keeps the loop's thread alive.
  private let loop: EventLoop
  /// What the program has not read yet.
  let input: Guarded<InputQueue>
  var receiver: (any ProgramReceiver)?
  private var course = ProgramCourse()
  var child: StartedProgram?
  private var alarm: LoopAlarm?
  var errors = ErrorTail()
  var hasWritten = false
  /// Whether the pipe to its input is full.
  var awaitsRoom = false
  private var isCancelled = false

  /// - Parameters:
  ///   - program: The program.
  ///   - environment: The environment of this process.
  ///   - input: The start of its input, or all of it if the queue is closed.
  ///   - limit: How long it may run; nil for no limit.
  ///   - loop: The loop.
  ///   - receiver: Receives its output and its end.
  init(
    _ program: Program, environment: [String: String], input: InputQueue, within limit: Duration?,
    on loop: EventLoop, for receiver: any ProgramReceiver
  ) {
    (self.program, self.environment, self.limit, self.loop) = (program, environment, limit, loop)
    (self.input, self.receiver) = (Guarded(input), receiver)
  }
}

// Safe because the caller's thread hands it over to the loop's thread, and then only uses the input, which has a lock.
extension ProgramOperation: @unchecked Sendable {}

extension ProgramOperation: LoopOperation, DescriptorWatcher, AlarmReceiver {
  func start(on thread: LoopThread) {
    guard !isCancelled else { return report(.cancelled, on: thread) }
    do throws(ProgramNotStarted) {
      let child = try StartedProgram(program.spawned(environment: environment))
      self.child = child
      let isWatched =
        thread.watch(child.ending, .readable, self) && thread.watch(child.input, [], self)
        && thread.watch(child.output, .readable, self) && thread.watch(child.errors, .readable, self)
      guard isWatched else { throw ProgramNotStarted("no memory is left to watch a program") }
    } catch {
      if let child {
        for descriptor in [child.ending, child.input, child.output, child.errors] {
          thread.unwatch(descriptor, isClosing: true)
        }
      }
      child?.abandon()
      child = nil
      return report(.notStarted(error.description), on: thread)
    }
    receiver?.started()
    if let limit { setAlarm(limit, on: thread) }
    write(on: thread)
  }

  func cancel(on thread: LoopThread) {
    if child == nil { isCancelled = true } else { handle(.kill(.cancelled), on: thread) }
  }

  func alarmRings(on thread: LoopThread) {
    alarm = nil
    handle(.alarm, on: thread)
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    guard let child else { return }
    switch descriptor {
    case child.ending: end(on: thread)
    case child.input where events.isDisjoint(with: Poller.Events.broken): write(on: thread)
    case child.input: dropInput(on: thread)
    default: _ = read(descriptor, upTo: .max, on: thread)
    }
  }

  /// Handles an event that does not come from the process itself.
  func handle(_ event: ProgramCourse.Event, on thread: LoopThread) {
    for action in course.handle(event) {
      switch action {
      case .closeInput:
        input.withLock { $0.close() }
        write(on: thread)
      case .signal(.terminate): child?.signal(SIGTERM)
      case .signal(.kill): child?.signal(SIGKILL)
      case .alarm(let time): setAlarm(time, on: thread)
      case .report(let end): report(end, on: thread)
      }
    }
  }

  private func setAlarm(_ time: Duration, on thread: LoopThread) {
    if let alarm { thread.cancel(alarm) }
    alarm = thread.setAlarm(at: .now + time, for: self)
  }
}

extension ProgramOperation {
  /// Handles the end of the process.
  private func end(on thread: LoopThread) {
    guard let child else { return }
    drain(child.output, on: thread)
    drain(child.errors, on: thread)
    let end = child.reap()
    thread.unwatch(child.ending, isClosing: true)
    Glibc.close(child.ending)
    closePipes(on: thread)
    self.child = nil
    switch end {
    case .code(let code): handle(.ended(result(of: Int(code))), on: thread)
    case .signal(let number): handle(.ended(.signal(Int(number))), on: thread)
    case nil:
      let reason =
        "the end of the program is unknown, because another part of this process waits for all children"
      handle(.ended(.notStarted(reason)), on: thread)
    }
  }

  /// The result of an exit code; a sandbox that cannot be made looks like a program that fails.
  private func result(of code: Int) -> ProgramRun.End {
    guard program.isSandboxed, !hasWritten,
      let failure = Sandbox.failure(code, errors: errors.bytes)
    else { return .exited(code) }
    return .notStarted(failure.description)
  }

  /// Reports the result; a process that does not end in spite of SIGKILL is still watched, to be reaped.
  private func report(_ end: ProgramRun.End, on thread: LoopThread) {
    if let alarm { thread.cancel(alarm) }
    alarm = nil
    closePipes(on: thread)
    receiver.take()?.ended(end, errors)
  }
}
