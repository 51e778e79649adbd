package import ProbeBase

/// A long-running program that exchanges lines.
///
/// It is killed with its process group when the last reference to it is released.
package final class RunningProgram: Sendable {
  package enum Event: Sendable {
    /// It wrote a line, here without its LF.
    case line([UInt8])
    /// It ended; the last event, after all lines.
    ///
    /// `lastError` is the last line of its standard error, escaped for display, at most 200 bytes.
    case ended(ProgramRun.End, lastError: String)
  }

  private let loop: EventLoop
  private let operation: ProgramOperation

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - environment: The environment of this process, from which it receives the variables that it names.
  ///   - loop: The loop on which its pipes are read and written.
  ///   - report: Called on the loop's thread with each event, in order.
  /// - Throws: ``ProgramNotStarted``; then no event follows.
  package init(
    starting program: Program, environment: [String: String], on loop: EventLoop,
    report: @escaping @Sendable (Event) -> Void
  ) throws(ProgramNotStarted) {
    guard loop.start() else { throw .noProcess }
    let lines = LineReporter(limit: program.limits.line, report)
    self.loop = loop
    operation = ProgramOperation(
      program, environment: environment, input: InputQueue(), within: nil, on: loop, for: lines)
    loop.start(operation)
    if let failure = lines.start.wait() { throw failure }
  }

  deinit {
    kill()
  }

  /// Sends a line, which is queued until the program reads it.
  ///
  /// - Parameter line: The line, without its LF.
  /// - Returns: false if it is not sent, because the program does not read or has ended.
  package func send(_ line: [UInt8]) -> Bool {
    let (isAdded, wasEmpty) = operation.input.withLock { queue in
      let wasEmpty = queue.count == 0
      return (queue.add(line: line), wasEmpty)
    }
    // If the queue is not empty, it is already being written.
    if isAdded, wasEmpty { request { [operation] in operation.write(on: $0) } }
    return isAdded
  }

  /// Ends it: closes its standard input after the queued lines; after a grace period, ends its process group
  /// with SIGTERM, and then with SIGKILL.
  ///
  /// - Parameter grace: The time until SIGTERM.
  package func end(within grace: Duration) {
    request { [operation] in operation.handle(.end(within: grace), on: $0) }
  }

  /// Kills it with its process group.
  package func kill() {
    request { [operation] in operation.handle(.kill(nil), on: $0) }
  }

  private func request(_ body: @escaping @Sendable (LoopThread) -> Void) {
    loop.start(LoopRequest(body))
  }
}

/// A call on the loop's thread.
private final class LoopRequest: LoopOperation {
  private let body: @Sendable (LoopThread) -> Void

  init(_ body: @escaping @Sendable (LoopThread) -> Void) {
    self.body = body
  }

  func start(on thread: LoopThread) { body(thread) }

  func cancel(on thread: LoopThread) {}
}

/// Passes on the lines of a program.
private final class LineReporter: ProgramReceiver {
  /// The reason why the program was not started, or nil.
  let start = BlockingPromise<ProgramNotStarted?>()
  private let report: @Sendable (RunningProgram.Event) -> Void
  private var lines: LineSplitter
  private var hasStarted = false

  init(limit: Int, _ report: @escaping @Sendable (RunningProgram.Event) -> Void) {
    self.report = report
    lines = LineSplitter(limit: limit)
  }

  func started() {
    hasStarted = true
    start.fulfill(nil)
  }

  func take(_ output: [UInt8]) -> Bool {
    lines.take(output) { report(.line($0)) }
  }

  func ended(_ end: ProgramRun.End, _ errors: ErrorTail) {
    if !hasStarted, case .notStarted(let reason) = end { return start.fulfill(ProgramNotStarted(reason)) }
    report(.ended(end, lastError: errors.lastLine))
  }
}

/// Splits the output of a program into lines.
struct LineSplitter {
  /// The maximum length of a line in bytes.
  let limit: Int
  private var partial: [UInt8] = []

  /// Creates a splitter before the first byte.
  ///
  /// - Parameter limit: The maximum length of a line in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - report: Called with each line that is now complete, without its LF.
  /// - Returns: Whether all lines are within the limit, including the incomplete one.
  mutating func take(_ bytes: [UInt8], _ report: ([UInt8]) -> Void) -> Bool {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = rest[..<end]
      guard partial.count + piece.count <= limit else { return false }
      report(partial + piece)
      partial = []
      rest = rest[(end + 1)...]
    }
    guard partial.count + rest.count <= limit else { return false }
    partial += rest
    return true
  }
}
