import CommandKit
import ConnectivityMonitor
import EngineProfiles
import FoundationEssentials
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem
import SourceDocuments

/// A running monitor: one loop receives all events and acts on them.
struct MonitorSession: Sendable {
  let connectivity: any MonitoredConnectivity
  let pipeline: MonitoredPipeline
  /// Receives the output and the diagnostics, and says how to style them.
  let context: CommandContext
  /// Turns events into the text of the output.
  var formatter: any MonitorFormatter
  /// Runs the command for changes, or nil for none.
  var commands: ChangeCommands?
  /// The file for the latest report, or nil for standard output.
  var outputFile: String?
  /// The service manager, or nil if none started this process.
  let manager: ServiceManager?
  /// Signals and other external events.
  let externalEvents: AsyncStream<MonitorEvent>
  /// Returns the current time.
  let now: @Sendable () -> Date
  /// The clock that measures the watchdog interval.
  let clock: any Clock<Duration>
  /// The question of the pipeline; for services, changes of sets are reported instead of those of Internet
  /// access.
  var question = Question.internet
  /// The states of the sets of a pipeline for services.
  var services = ServiceStates(rise: MonitorSettings().rise, fall: MonitorSettings().fall)
  private var lastStatus: ConnectivityStatus?
  private var isReady = false
  private var lastPathFailure: PathFailure?
  private var outputFailure: String?
  /// Reads the pipeline again.
  private let rereading = FileRereading()
  /// The rereading of the pipeline in progress; nil if there is none.
  private var reading: Task<Void, Never>?
  /// Whether the files may have changed since the reading began.
  private var mustReadAgain = false

  init(
    _ connectivity: any MonitoredConnectivity, _ pipeline: MonitoredPipeline, in context: CommandContext,
    formatter: any MonitorFormatter, commands: ChangeCommands?, manager: ServiceManager?,
    externalEvents: AsyncStream<MonitorEvent>, now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.connectivity = connectivity
    self.pipeline = pipeline
    self.context = context
    self.formatter = formatter
    self.commands = commands
    self.manager = manager
    self.externalEvents = externalEvents
    self.now = now
    self.clock = clock
  }

  /// Runs until the task is cancelled, or output is no longer possible.
  ///
  /// - Returns: The exit code.
  @concurrent
  mutating func run() async -> ExitCode {
    let inbox = MonitorInbox()
    let post: @Sendable (MonitorEvent) -> Void = { inbox.add($0) }
    let (connectivity, externalEvents, clock) = (connectivity, externalEvents, clock)
    let beat = manager?.watchdogInterval
    // Monitoring stops when this task ends.
    let watching = Task { await connectivity.watch(post) }
    let listening = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for await event in externalEvents { post(event) } }
        if let beat { group.addTask { await Self.tick(every: beat, by: clock) { post(.heartbeat) } } }
      }
    }
    var code = ExitCode.success
    await inbox.handleAll { event in
      do {
        try handle(event, post)
      } catch {
        printDiagnostic("the report could not be written as \(context.format): \(error)")
        code = .internalError
        return false
      }
      return context.output.failure == nil
    }
    manager?.send(.stopping)
    reading?.cancel()
    watching.cancel()
    listening.cancel()
    if let left = await commands?.stop() { printDiagnostic(left) }
    await watching.value
    return code
  }

  private mutating func handle(
    _ event: MonitorEvent, _ post: @escaping @Sendable (MonitorEvent) -> Void
  ) throws {
    switch event {
    case .changed(let state): try change(state, post)
    case .checked(let check):
      write(try formatter.text(of: check, at: now()))
      if check.result.question == .services { try changeServices(check.result, post) }
      reportToManager(check.state)
    case .reload: reload(post)
    case .reread(let pipelines): use(pipelines, post)
    case .resized: write(formatter.textAfterResizing())
    case .commandEnded(let end):
      for line in commands?.finished(end, post: post) ?? [] { printDiagnostic(line) }
    case .commandOutput(let line): printDiagnostic(lines: [context.style.shown(line)])
    case .linesOmitted(let count):
      printDiagnostic("--on-change: \(count) lines of the command's output were left out")
    // An event that passes through the loop proves that the loop is responsive.
    case .heartbeat: manager?.send(.watchdog)
    }
  }

  private mutating func change(
    _ state: ConnectivityState, _ post: @escaping @Sendable (MonitorEvent) -> Void
  ) throws {
    let change = MonitorChange(time: now(), state: state, previous: lastStatus)
    lastStatus = state.status
    if question == .internet { write(try formatter.text(of: change)) }
    if let pathFailure = state.pathFailure, pathFailure != lastPathFailure {
      printDiagnostic("interfaces and routes cannot be watched: \(pathFailure)")
    }
    lastPathFailure = state.pathFailure
    reportToManager(state)
    guard question == .internet else { return }
    if let failureLine = commands?.add(change, post: post) { printDiagnostic(failureLine) }
  }

  private mutating func changeServices(
    _ result: RunResult, _ post: @escaping @Sendable (MonitorEvent) -> Void
  ) throws {
    for change in services.changes(after: result, at: now()) {
      write(try formatter.text(of: change))
      if let failureLine = commands?.add(change, post: post) { printDiagnostic(failureLine) }
    }
  }

  /// Reports the state to the service manager and, when the first state is known, that the service is ready.
  private mutating func reportToManager(_ state: ConnectivityState) {
    guard let manager, state.status != .determining else { return }
    // A failing service does not indicate the state of Internet access.
    let access = question == .internet ? state.accessDescription : nil
    let status = [access, state.reasonDescription].compactMap(\.self).joined(separator: "; ")
    manager.send(isReady ? .status(status) : .ready(status))
    isReady = true
  }

  /// Begins to read the pipeline again; the monitor does not wait for its files.
  private mutating func reload(_ post: @escaping @Sendable (MonitorEvent) -> Void) {
    guard !pipeline.isFromStandardInput else {
      printDiagnostic("the pipeline came from standard input, and cannot be reloaded")
      return
    }
    manager?.send(.reloading(at: ServiceManager.monotonicTime))
    guard reading == nil else {
      mustReadAgain = true
      reading?.cancel()
      return
    }
    reading = Task { [rereading, pipeline] in
      do throws(InvalidInput) {
        post(.reread(.success(try await rereading.read { pipeline.read() })))
      } catch {
        post(.reread(.failure(error)))
      }
    }
  }

  /// Uses the pipeline that was read again, unless there is a mistake in it.
  private mutating func use(
    _ result: Result<PlannedPipelines, InvalidInput>, _ post: @escaping @Sendable (MonitorEvent) -> Void
  ) {
    reading = nil
    guard !mustReadAgain else {
      mustReadAgain = false
      return reload(post)
    }
    let pipelines: PlannedPipelines
    switch result {
    case .success(let read): pipelines = read
    case .failure(let error):
      printDiagnostic("\(pipeline.name): \(error); the previous version stays in use")
      manager?.send(.ready("\(error); the previous version is in use"))
      return
    }
    let plan = pipelines.findings.isEmpty ? pipelines.plans.first?.plan : nil
    if let plan {
      question = plan.question
      connectivity.use(plan)
      printDiagnostic("\(pipeline.name): reloaded")
    } else {
      printDiagnostic(
        "\(pipeline.name): is invalid; the previous version stays in use",
        pipelines.findings.map(\.description))
    }
    manager?.send(
      .ready(plan == nil ? "the pipeline file is invalid; the previous version is in use" : "reloaded"))
  }
}

extension MonitorSession {
  private mutating func write(_ text: String) {
    guard !text.isEmpty else { return }
    if let outputFile { return replace(outputFile, with: text) }
    context.output.write(text)
    // A reader needs each line immediately, and there may be no further output for a long time.
    context.output.flush()
  }

  /// Replaces the file with the latest report; a failure is reported once.
  private mutating func replace(_ path: String, with text: String) {
    do throws(OutputSink.Failure) {
      let file = try ReportFile(path)
      file.sink.write(text)
      try file.commit()
      outputFailure = nil
    } catch {
      guard outputFailure != error.message else { return }
      outputFailure = error.message
      printDiagnostic("--output: \(Excerpt(path, limit: 200)): cannot be written: \(error.message)")
    }
  }

  private mutating func printDiagnostic(_ message: String, _ lines: [String] = []) {
    printDiagnostic(lines: ["\(context.caller): \(context.style.shown(message))"] + lines)
  }

  /// Writes diagnostics, above the displayed state if both use the same terminal.
  private mutating func printDiagnostic(lines: [String]) {
    write(formatter.textBeforeMessage())
    for line in lines { context.errors.writeLine(line) }
    write(formatter.textAfterMessage())
  }

  private static func tick<C: Clock<Duration>>(
    every interval: Duration, by clock: C, _ body: @Sendable () -> Void
  ) async {
    while (try? await clock.sleep(for: interval)) != nil { body() }
  }
}

/// The pipeline of a monitor, which can be reloaded.
struct MonitoredPipeline: Sendable {
  private let options: MonitorOptions
  private let plugins: PluginRegistry
  private let context: CommandContext

  init(_ options: MonitorOptions, _ plugins: PluginRegistry, in context: CommandContext) {
    self.options = options
    self.plugins = plugins
    self.context = context
  }

  /// The name of the pipeline: the path, or the profile's name.
  var name: String { options.path ?? (options.profile ?? .own).name }

  /// Whether the pipeline is from standard input, which can be read only once.
  var isFromStandardInput: Bool { options.path == "-" }

  var transports: TransportRegistry { plugins.transports }

  /// Reads the pipeline, its secrets, and the other files that it names.
  ///
  /// - Returns: The pipeline with its plan, or all errors.
  func read() -> PlannedPipelines {
    var pipelines = PlannedPipelines(options.probing, in: context)
    if let path = options.path {
      pipelines.add(file: path, plugins)
    } else {
      pipelines.add((options.profile ?? .own).loaded(over: plugins), named: name)
    }
    return pipelines
  }
}
