import ConnectivityMonitor
import Glibc
import ProbeCore
import ProbePipeline
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
  ///   - post: Called on another thread when a command has ended; then ``finished(_:post:)`` must be called.
  /// - Returns: An error message, or nil.
  mutating func add(_ change: MonitorChange, post: @escaping @Sendable (MonitorEvent) -> Void) -> String? {
    queue.add(change).flatMap { start($0, post) }
  }

  /// Runs the command for a change of a set of services, as for one of Internet access.
  mutating func add(_ change: ServiceChange, post: @escaping @Sendable (MonitorEvent) -> Void) -> String? {
    queue.add(change).flatMap { start($0, post) }
  }

  /// Runs the command for the pending change, if there is one.
  ///
  /// - Parameters:
  ///   - end: The result of the command.
  ///   - post: As for ``add(_:post:)``.
  /// - Returns: An error message if the command failed or the next one could not be started, or nil.
  mutating func finished(_ end: ProcessEnd, post: @escaping @Sendable (MonitorEvent) -> Void)
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
    return [failure, queue.finished().flatMap { start($0, post) }].compactMap(\.self)
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
    _ change: ReportedChange, _ post: @escaping @Sendable (MonitorEvent) -> Void
  ) -> String? {
    let facts =
      switch change {
      case .access(let change): ChangeFacts(change, pipeline: pipeline)
      case .service(let change): ChangeFacts(change, pipeline: pipeline)
      }
    do throws(ProgramLaunch.NotStarted) {
      let writing = output.open(post)
      defer { writing.close() }
      let child = try ChildProcess(
        shell: command, environment: facts.environment(over: environment), output: writing.descriptor,
        // As for a monitor that is stopped.
        orphanSignal: SIGTERM
      ) { post(.commandEnded($0)) }
      running = child
      return nil
    } catch {
      let mistake = "--on-change: the command cannot be run: \(error)"
      // Changes of other sets may be pending, and fail in the same way.
      return queue.finished().flatMap { start($0, post) } ?? mistake
    }
  }
}

/// A change to run a command for.
enum ReportedChange: Sendable {
  /// A change of Internet access.
  case access(MonitorChange)
  /// A change of a set of services.
  case service(ServiceChange)
}

/// Selects the changes to run a command for: one at a time and, of the changes in the meantime, only the
/// newest of Internet access and of each set.
///
/// It receives events, and returns the change to run the command for now, if any.
struct ChangeQueue: Sendable {
  private var isRunning = false
  private var access: MonitorChange?
  /// The newest pending change of each set, in the order of their first changes.
  private var services: [ServiceChange] = []
  /// The status that the last command reported, or the first known status.
  private var reported: ConnectivityStatus?
  /// The state of each set that the last command for the set reported.
  private var reportedSets: [String: Bool] = [:]

  /// Adds a change of Internet access.
  ///
  /// As long as the status is unknown there is nothing to report, even if interfaces are known.
  mutating func add(_ change: MonitorChange) -> ReportedChange? {
    guard change.state.status != .determining || (reported ?? .determining) != .determining else {
      reported = .determining
      return nil
    }
    access = change
    return next()
  }

  mutating func add(_ change: ServiceChange) -> ReportedChange? {
    if let index = services.firstIndex(where: { $0.set.name == change.set.name }) {
      services[index] = change
    } else {
      services.append(change)
    }
    return next()
  }

  /// Notes that the command has ended, or could not be started.
  mutating func finished() -> ReportedChange? {
    isRunning = false
    return next()
  }

  // Changes without a run of the command do not exist for the command.
  private mutating func next() -> ReportedChange? {
    guard !isRunning else { return nil }
    if var change = access.take() {
      isRunning = true
      change.previous = reported ?? change.previous
      reported = change.state.status
      return .access(change)
    }
    // A set with the same state as for the last command has not changed.
    services.removeAll { reportedSets[$0.set.name] == $0.isMet }
    guard !services.isEmpty else { return nil }
    isRunning = true
    var change = services.removeFirst()
    change.wasMet = reportedSets[change.set.name]
    reportedSets[change.set.name] = change.isMet
    return .service(change)
  }
}

/// The destination of a command's output.
enum CommandOutput: Sendable {
  /// This process's standard error, directly.
  case standardError
  /// This process, line by line, because other text on the terminal must make room.
  case lines

  /// The descriptor to which a command writes.
  struct Writing {
    let descriptor: Int32
    fileprivate let isOwn: Bool

    /// Closes this process's copy after the command was started.
    func close() {
      if isOwn { Glibc.close(descriptor) }
    }
  }

  /// Opens the descriptor for a command.
  ///
  /// - Parameter post: Called with each line, on another thread.
  /// - Returns: The descriptor; that of standard error if the machine lacks the resources for lines.
  func open(_ post: @escaping @Sendable (MonitorEvent) -> Void) -> Writing {
    let plain = Writing(descriptor: STDERR_FILENO, isOwn: false)
    guard self == .lines else { return plain }
    guard let pipe = SystemPipe() else { return plain }
    do {
      // This is not the thread that waits for the command: its background processes may write much later.
      try WorkerThread(named: "on-change-text") { Self.read(pipe.reading) { post(.commandOutput($0)) } }
        .detach()
      return Writing(descriptor: pipe.writing, isOwn: true)
    } catch {
      pipe.close()
      return plain
    }
  }

  private static func read(_ descriptor: Int32, _ notify: (String) -> Void) {
    defer { close(descriptor) }
    var line: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      for byte in piece.prefix(max(count, 0)) {
        // A very long line is reported in parts.
        if byte == UInt8(ascii: "\n") || line.count == piece.count {
          notify(String(wireBytes: line))
          line = []
        }
        if byte != UInt8(ascii: "\n") { line.append(byte) }
      }
      guard count <= 0 else { continue }
      if !line.isEmpty { notify(String(wireBytes: line)) }
      return
    }
  }
}
