package import ProbeBase

extension Program {
  /// Runs it once, until it ends.
  ///
  /// If the task is cancelled, its process group is ended. Processes of the group that are still running
  /// after its end are ended as well.
  ///
  /// - Parameters:
  ///   - input: Its standard input.
  ///   - limit: The timeout, after which its process group is ended.
  ///   - environment: The environment of this process, from which it receives the variables that it names.
  ///   - loop: The loop on which its pipes are read and written.
  /// - Returns: The way in which it ended, with its output.
  package func run(
    input: [UInt8], within limit: Duration, environment: [String: String], on loop: EventLoop
  ) async -> ProgramRun {
    guard loop.start() else {
      return ProgramRun(.notStarted(ProgramNotStarted.noProcess.description))
    }
    let result = Promise<ProgramRun>()
    var queue = InputQueue(input)
    queue.close()
    let operation = ProgramOperation(
      self, environment: environment, input: queue, within: limit, on: loop,
      for: RunCollector(limit: limits.output, result))
    return await withTaskCancellationHandler {
      loop.start(operation)
      return await result.value()
    } onCancel: {
      loop.cancel(operation)
    }
  }
}

/// Collects the output of a run.
private final class RunCollector: ProgramReceiver {
  private let limit: Int
  private let result: Promise<ProgramRun>
  private var output: [UInt8] = []

  init(limit: Int, _ result: Promise<ProgramRun>) {
    (self.limit, self.result) = (limit, result)
  }

  func started() {}

  func take(_ bytes: [UInt8]) -> Bool {
    let room = limit - output.count
    output += bytes.prefix(room)
    return bytes.count <= room
  }

  func ended(_ end: ProgramRun.End, _ errors: ErrorTail) {
    result.fulfill(ProgramRun(end, output: output, errors: errors.bytes))
  }
}
