import CommandKit
import ConnectivityMonitor
import FoundationEssentials
import Glibc
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem

/// `probekit monitor`: monitors the network until it is stopped, and reports changes.
struct MonitorCommand: Subcommand {
  /// Creates the monitored object.
  typealias Making =
    @Sendable (ProbePlan, TransportRegistry, MonitorSettings) -> any MonitoredConnectivity

  let plugins: PluginRegistry
  /// Creates the monitored object.
  var connectivity: Making = { Connectivity(plan: $0, over: $1, settings: $2) }
  /// Signals and other external events.
  var externalEvents: @Sendable (CommandContext) -> AsyncStream<MonitorEvent> = MonitorSignals.events
  /// Returns the current time.
  var now: @Sendable () -> Date = { Date() }

  /// Checks the options, then monitors and reports until the task is cancelled.
  func run(_ options: MonitorOptions, in context: CommandContext) async -> ExitCode {
    await context.allowingPrograms(options.probing.allowsPrograms) { await monitor(options, in: $0) }
  }

  private func monitor(_ options: MonitorOptions, in context: CommandContext) async -> ExitCode {
    let pipeline = MonitoredPipeline(options, plugins, in: context)
    let pipelines = pipeline.read()
    // The command was interrupted while reading standard input.
    guard !Task.isCancelled else { return .success }
    if let code = pipelines.report() { return code }
    guard let plan = pipelines.plans.first?.plan else { return .internalError }

    if let code = context.unwritableReport(options.probing.outputFile) { return code }
    let events = externalEvents(context)
    var settings = options.settings
    // Services may be in the local network, or on this machine.
    if plan.question == .services { settings.requiresRoute = false }
    var session = MonitorSession(
      connectivity(plan, pipeline.transports, settings), pipeline, in: context,
      formatter: formatter(options, plan.question, pipeline, in: context),
      commands: options.changeCommand.map {
        ChangeCommands(
          $0, pipeline: pipeline.name, environment: context.environment,
          output: showsScreen(options, plan.question, context) && context.errors.isTerminal
            ? .lines : .standardError)
      }, manager: context.serviceManager(), externalEvents: events, now: now)
    session.outputFile = options.probing.outputFile
    session.question = plan.question
    session.services = ServiceStates(rise: settings.rise, fall: settings.fall)
    return await session.run()
  }

  private func formatter(
    _ options: MonitorOptions, _ question: Question, _ pipeline: MonitoredPipeline, in context: CommandContext
  ) -> any MonitorFormatter {
    switch context.format {
    case .text:
      let style = options.probing.outputFile == nil ? context.style : TextStyle(usesColor: false)
      guard showsScreen(options, question, context), !options.isVerbose else {
        return MonitorLines(style: style, reportsChecks: options.isVerbose)
      }
      return MonitorScreen(pipeline: pipeline.name, style: style, size: { .ofOutput })
    case .json, .lines: return MonitorRecords(reportsChecks: options.isVerbose)
    default:
      let format = ReportFormat.named(context.format.description) ?? .text
      return MonitorReports(pipeline: pipeline.name, reporter: format.reporter())
    }
  }

  /// Whether to display the state on a terminal, where it is overwritten.
  private func showsScreen(_ options: MonitorOptions, _ question: Question, _ context: CommandContext)
    -> Bool
  {
    question == .internet && context.format == .text && options.probing.outputFile == nil
      && context.output.isTerminal
      && context.environment["TERM"] != "dumb"
  }
}

extension Connectivity: MonitoredConnectivity {
  func watch(_ post: @escaping @Sendable (MonitorEvent) -> Void) async {
    let (changes, checks) = (changes, checks)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await state in changes { post(.changed(state)) } }
      group.addTask { for await check in checks { post(.checked(check)) } }
    }
    stop()
    await stopped()
  }

  func use(_ plan: ProbePlan) { use(plan, over: nil) }
}

/// The signals that a monitor handles, besides those that end it.
enum MonitorSignals {
  /// The signal that reloads files.
  static let hangup = SIGHUP

  static func events(in context: CommandContext) -> AsyncStream<MonitorEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MonitorEvent.self)
    let reloads = Interruption.arrivals(of: SIGHUP)
    let resizes = context.output.isTerminal ? Interruption.arrivals(of: SIGWINCH) : nil
    let task = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { for await _ in reloads { continuation.yield(.reload) } }
        if let resizes { group.addTask { for await _ in resizes { continuation.yield(.resized) } } }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
