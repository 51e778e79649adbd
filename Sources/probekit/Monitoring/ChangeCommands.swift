import ProbeCore

/// Runs a command at every change, one at a time, beside everything else.
struct ChangeCommands: Sendable {
  /// How long a command has to end once it was told to, before it is left to itself.
  static let grace = Duration.milliseconds(500)

  private let command: String
  private let pipeline: String
  private let environment: [String: String]
  private let output: CommandOutput
  private var queue = ChangeQueue()
  private var running: ChildProcess?
  /// Commands that have ended, and whose children go on.
  private var left: [ChildProcess] = []

  /// A command that was not run yet.
  ///
  /// - Parameters:
  ///   - command: The command, for a shell.
  ///   - pipeline: What the pipeline is called by.
  ///   - environment: The environment that the facts are added to.
  ///   - output: Where it writes.
  init(_ command: String, pipeline: String, environment: [String: String], output: CommandOutput) {
    self.command = command
    self.pipeline = pipeline
    self.environment = environment
    self.output = output
  }

  /// Runs the command for a change, now or when it is its turn.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - tell: Told when a command has ended, on a thread of its own; then ``finished(_:)`` is to be called.
  /// - Returns: What went wrong, in words, or nil.
  mutating func add(_ change: MonitorChange, tell: @escaping @Sendable (MonitorEvent) -> Void) -> String? {
    queue.add(change).flatMap { start($0, tell) }
  }

  /// Goes on with the change that waits, if there is one.
  ///
  /// - Parameters:
  ///   - end: How the command has ended.
  ///   - tell: As with ``add(_:tell:)``.
  /// - Returns: What went wrong, in words: that the command failed, or that the next one could not be started.
  mutating func finished(_ end: ChildProcess.End, tell: @escaping @Sendable (MonitorEvent) -> Void)
    -> [String]
  {
    if let running { left.append(running) }
    running = nil
    left.removeAll { $0.isGone() }
    let failure =
      switch end {
      case .code(0): String?.none
      case .code(let code): "--on-change: the command failed with exit code \(code)"
      case .signal(let number): "--on-change: the command was ended by signal \(number)"
      }
    return [failure, queue.finished().flatMap { start($0, tell) }].compactMap(\.self)
  }

  /// Tells a command that runs to end, and the children of earlier ones, and waits for it, but not for long.
  ///
  /// - Returns: What is left, in words, or nil when nothing is.
  func stop() async -> String? {
    for child in left where !child.isGone() { child.end() }
    guard let child = running else { return nil }
    child.end()
    // Not cancelled together with the task that asks for it.
    let hasEnded = await Task.detached {
      await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          await child.waitForEnd()
          return !Task.isCancelled
        }
        group.addTask {
          try? await Task.sleep(for: Self.grace)
          return false
        }
        defer { group.cancelAll() }
        return await group.next() ?? true
      }
    }.value
    return hasEnded ? nil : "--on-change: the command does not end, and is left to itself"
  }

  private mutating func start(
    _ change: MonitorChange, _ tell: @escaping @Sendable (MonitorEvent) -> Void
  ) -> String? {
    let facts = ChangeFacts(change, pipeline: pipeline)
    do throws(ChildProcess.NotStarted) {
      let writing = output.open(tell)
      defer { writing.close() }
      let child = try ChildProcess(
        shell: command, environment: facts.environment(over: environment), output: writing.descriptor
      ) { tell(.commandEnded($0)) }
      running = child
      return nil
    } catch {
      // Nothing waits: whoever waits is started by this itself.
      _ = queue.finished()
      return "--on-change: the command cannot be run: \(error)"
    }
  }
}
