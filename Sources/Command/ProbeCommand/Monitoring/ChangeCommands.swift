import Glibc
import ProbeCore
import ProbeSystem

/// Runs a command for each change, one at a time, without blocking the monitor.
struct ChangeCommands: Sendable {
  /// The time to wait for a command to end after a signal.
  static let grace = Duration.milliseconds(500)

  private let command: String
  private let pipeline: String
  private let environment: [String: String]
  private let output: CommandOutput
  private var queue = ChangeQueue()
  private var running: ChildProcess?
  /// Commands that have ended, but have children that are still running.
  private var left: [ChildProcess] = []

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - command: The shell command.
  ///   - pipeline: The pipeline's name.
  ///   - environment: The environment to which the facts are added.
  ///   - output: The destination of its output.
  init(_ command: String, pipeline: String, environment: [String: String], output: CommandOutput) {
    self.command = command
    self.pipeline = pipeline
    self.environment = environment
    self.output = output
  }

  /// Runs the command for a change, now or after the current one.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - notify: Called on another thread when a command has ended; then ``finished(_:notify:)`` must be called.
  /// - Returns: An error message, or nil.
  mutating func add(_ change: MonitorChange, notify: @escaping @Sendable (MonitorEvent) -> Void) -> String? {
    queue.add(change).flatMap { start($0, notify) }
  }

  /// Runs the command for a change of a set of services, as for one of Internet access.
  mutating func add(_ change: ServiceChange, notify: @escaping @Sendable (MonitorEvent) -> Void) -> String? {
    queue.add(change).flatMap { start($0, notify) }
  }

  /// Runs the command for the pending change, if there is one.
  ///
  /// - Parameters:
  ///   - end: The result of the command.
  ///   - notify: As for ``add(_:notify:)``.
  /// - Returns: An error message if the command failed or the next one could not be started, or nil.
  mutating func finished(_ end: ProcessEnd, notify: @escaping @Sendable (MonitorEvent) -> Void)
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
    return [failure, queue.finished().flatMap { start($0, notify) }].compactMap(\.self)
  }

  /// Signals the running command and the children of earlier ones to end, and waits briefly.
  ///
  /// - Returns: A message about what is still running, or nil.
  func stop() async -> String? {
    for child in left where !child.isGone() { child.end() }
    guard let child = running else { return nil }
    child.end()
    // The detached task is not cancelled together with the calling task.
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
    return hasEnded ? nil : "--on-change: the command does not end and is left running"
  }

  private mutating func start(
    _ change: ReportedChange, _ notify: @escaping @Sendable (MonitorEvent) -> Void
  ) -> String? {
    let facts =
      switch change {
      case .access(let change): ChangeFacts(change, pipeline: pipeline)
      case .service(let change): ChangeFacts(change, pipeline: pipeline)
      }
    do throws(SpawnedProgram.NotStarted) {
      let writing = output.open(notify)
      defer { writing.close() }
      let child = try ChildProcess(
        shell: command, environment: facts.environment(over: environment), output: writing.descriptor,
        // As for a monitor that is stopped.
        orphanSignal: SIGTERM
      ) { notify(.commandEnded($0)) }
      running = child
      return nil
    } catch {
      let mistake = "--on-change: the command cannot be run: \(error)"
      // Changes of other sets may be pending, and fail in the same way.
      return queue.finished().flatMap { start($0, notify) } ?? mistake
    }
  }
}
