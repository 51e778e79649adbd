internal import CProbeSystem
internal import Glibc
internal import ProbeBase

/// Receives the output of a program, on the loop's thread.
protocol ProgramReceiver: AnyObject {
  /// Called when the program has started.
  func started()
  /// Handles a part of its output.
  ///
  /// - Returns: Whether it may write more; otherwise it is ended.
  func take(_ output: [UInt8]) -> Bool
  /// Handles the end of the program, or the failure to start it; called once, as the last call.
  func ended(_ end: ProgramRun.End, _ errors: ErrorTail)
}

/// A program from its start to its end, on a loop: its pipes, its timer, and its process.
///
/// It performs the actions of ``ProgramLifecycle``. All but ``input`` is used on the loop's thread only. The
/// process is started there too, because `--die-with-parent` of bwrap(1) refers to the starting thread.
final class ProgramOperation {
  private let program: Program
  private let environment: [String: String]
  private let limit: Duration?
  // Keeps the loop's thread alive.
  private let loop: EventLoop
  /// The input that the program has not read yet.
  let input: Guarded<InputQueue>
  var receiver: (any ProgramReceiver)?
  private var lifecycle = ProgramLifecycle()
  var child: StartedProgram?
  /// The path of the started file, which is that of bubblewrap for a program in the sandbox.
  private var path = ""
  private var timer: LoopTimer?
  var errors = ErrorTail()
  var hasWritten = false
  /// Whether the pipe to its input is full.
  var awaitsRoom = false
  private var isCancelled = false

  /// Prepares the operation; the program is not started yet.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - environment: The environment of this process.
  ///   - input: The beginning of its input, or all of it if the queue is closed.
  ///   - limit: The timeout; nil for none.
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

// Safe because the caller's thread passes it to the loop's thread, and then only uses the locked input.
extension ProgramOperation: @unchecked Sendable {}

extension ProgramOperation: LoopOperation, DescriptorWatcher, TimerReceiver {
  func start(on thread: LoopThread) {
    guard !isCancelled else { return report(.cancelled, on: thread) }
    do throws(ProgramNotStarted) {
      let launch = try program.launch(environment: environment)
      path = launch.path
      let child = try StartedProgram(launch)
      self.child = child
      let isWatched =
        thread.watch(child.exitDescriptor, .readable, self) && thread.watch(child.input, [], self)
        && thread.watch(child.output, .readable, self) && thread.watch(child.errors, .readable, self)
      guard isWatched else { throw ProgramNotStarted("no memory is left to watch a program") }
    } catch {
      if let child {
        for descriptor in [child.exitDescriptor, child.input, child.output, child.errors] {
          thread.unwatch(descriptor, isClosing: true)
        }
      }
      child?.abandon()
      child = nil
      return report(.notStarted(error.description), on: thread)
    }
    receiver?.started()
    if let limit { setTimer(limit, on: thread) }
    write(on: thread)
  }

  func cancel(on thread: LoopThread) {
    if child == nil { isCancelled = true } else { handle(.kill(.cancelled), on: thread) }
  }

  func timerFired(on thread: LoopThread) {
    timer = nil
    handle(.timer, on: thread)
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    guard let child else { return }
    switch descriptor {
    case child.exitDescriptor: end(on: thread)
    case child.input where events.isDisjoint(with: Poller.Events.broken): write(on: thread)
    case child.input: dropInput(on: thread)
    default: _ = read(descriptor, upTo: .max, on: thread)
    }
  }

  /// Handles an event other than those of the process itself.
  func handle(_ event: ProgramLifecycle.Event, on thread: LoopThread) {
    for action in lifecycle.handle(event) {
      switch action {
      case .closeInput:
        input.withLock { $0.close() }
        write(on: thread)
      case .signal(.terminate): child?.signal(SIGTERM)
      case .signal(.kill): child?.signal(SIGKILL)
      case .timer(let time): setTimer(time, on: thread)
      case .report(let end): report(end, on: thread)
      }
    }
  }

  private func setTimer(_ time: Duration, on thread: LoopThread) {
    if let timer { thread.cancel(timer) }
    timer = thread.setTimer(at: .now + time, for: self)
  }
}

extension ProgramOperation {
  /// Handles the end of the process.
  private func end(on thread: LoopThread) {
    guard let child else { return }
    drain(child.output, on: thread)
    drain(child.errors, on: thread)
    let end = child.reap()
    thread.unwatch(child.exitDescriptor, isClosing: true)
    Glibc.close(child.exitDescriptor)
    closePipes(on: thread)
    self.child = nil
    switch end {
    case .code(let code): handle(.ended(result(of: Int(widening: code))), on: thread)
    case .signal(let number): handle(.ended(.signal(Int(widening: number))), on: thread)
    case nil:
      let reason =
        "the end of the program is unknown, because another part of this process waits for all children"
      handle(.ended(.notStarted(reason)), on: thread)
    }
  }

  /// The result for an exit code, which may be that of bubblewrap if it could not create the sandbox.
  private func result(of code: Int) -> ProgramRun.End {
    guard program.isSandboxed, !hasWritten,
      let failure = Sandbox.failure(code, errors: errors.bytes, of: path)
    else { return .exited(code) }
    return .notStarted(failure.description)
  }

  /// Reports the result; a process that has not ended despite SIGKILL is still watched, to be reaped.
  private func report(_ end: ProgramRun.End, on thread: LoopThread) {
    if let timer { thread.cancel(timer) }
    timer = nil
    closePipes(on: thread)
    receiver.take()?.ended(end, errors)
  }
}

// Nonblocking I/O on the pipes of a program.
extension ProgramOperation {
  /// Writes queued input, and closes the pipe after its end.
  func write(on thread: LoopThread) {
    guard let child, child.input >= 0 else { return }
    let (progress, isOpen) = input.withLock { queue in
      let progress = queue.write { bytes in
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(child.input, $0.baseAddress, $0.count) }
        if count > 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
      }
      return (progress, queue.isOpen)
    }
    switch progress {
    case .full: awaitRoom(true, on: thread)
    case .empty where isOpen: awaitRoom(false, on: thread)
    // It is not an error if a program does not read all of its input.
    case .empty, .broken: dropInput(on: thread)
    }
  }

  private func awaitRoom(_ isFull: Bool, on thread: LoopThread) {
    guard isFull != awaitsRoom, let child else { return }
    awaitsRoom = isFull
    thread.change(child.input, isFull ? .writable : [])
  }

  /// Discards queued input, and closes the pipe.
  func dropInput(on thread: LoopThread) {
    input.withLock { $0.drop() }
    guard let descriptor = child?.input, descriptor >= 0 else { return }
    thread.unwatch(descriptor, isClosing: true)
    child?.closeInput()
  }

  /// Reads once from the standard output or error.
  ///
  /// - Returns: The number of bytes; 0 if there are none, or no more are needed.
  func read(_ descriptor: Int32, upTo count: Int, on thread: LoopThread) -> Int {
    guard let child, descriptor >= 0 else { return 0 }
    let room = unsafe min(count, thread.buffer.count)
    let count = unsafe Glibc.read(descriptor, thread.buffer.baseAddress, room)
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { close(descriptor, on: thread) }
      return 0
    }
    let bytes = unsafe [UInt8](thread.buffer.prefix(count))
    guard descriptor == child.output else {
      errors.add(bytes)
      return count
    }
    hasWritten = true
    if receiver?.take(bytes) == true { return count }
    close(descriptor, on: thread)
    handle(.kill(.tooMuchOutput), on: thread)
    return 0
  }

  /// Closes the pipe of the standard output or error.
  func close(_ descriptor: Int32, on thread: LoopThread) {
    guard descriptor >= 0 else { return }
    thread.unwatch(descriptor, isClosing: true)
    if descriptor == child?.output { child?.closeOutput() } else { child?.closeErrors() }
  }

  /// Reads the current contents of a pipe, which other processes may keep open and write to.
  func drain(_ descriptor: Int32, on thread: LoopThread) {
    var rest = descriptor >= 0 ? Int(widening: probe_waiting_bytes(descriptor)) : 0
    while rest > 0 {
      let count = read(descriptor, upTo: rest, on: thread)
      if count == 0 { return }
      rest -= count
    }
  }

  func closePipes(on thread: LoopThread) {
    dropInput(on: thread)
    guard let child else { return }
    close(child.output, on: thread)
    close(child.errors, on: thread)
  }
}

/// The end of a program's standard error.
struct ErrorTail {
  /// The number of bytes to keep.
  static let size = 4096
  /// The maximum length of a line for display, in bytes.
  private static let lineLimit = 200

  private var kept: [UInt8] = []

  var bytes: [UInt8] { kept.suffix(Self.size) }

  mutating func add(_ bytes: some Collection<UInt8>) {
    kept += bytes.suffix(Self.size)
    if kept.count > 2 * Self.size { kept.removeFirst(kept.count - Self.size) }
  }

  /// The last line that is not blank, escaped for display.
  var lastLine: String {
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let line = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return "" }
    var text = ""
    for character in String(wireBytes: line).escapedForDisplay {
      guard text.utf8.count + character.utf8.count <= Self.lineLimit else { break }
      text.append(character)
    }
    return text
  }
}
