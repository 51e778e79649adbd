import ProbeCore
import ProbePipeline
import ProbeReporting

/// `probekit run`: runs pipeline files, once.
struct RunCommand: Subcommand {
  /// The command-line options of `probekit run`.
  struct Options: Sendable {
    /// The files; `-` is standard input.
    var paths: [String] = []
    /// The common options of commands that probe.
    var probing = ProbingOptions()
  }

  /// The plugins to probe with.
  let plugins: PluginRegistry
  /// The clock that measures the runs and the delay before progress is displayed.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Checks every file, probes and reports; the exit code states the verdicts.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    var pipelines = PlannedPipelines(options.probing, in: context)
    for path in options.paths { pipelines.add(file: path, plugins) }
    guard !Task.isCancelled else { return context.interrupted("nothing was probed") }
    if let code = pipelines.report() { return code }
    return await RunSession.run(
      pipelines.plans, over: plugins.transports, options.probing, by: clock, in: context)
  }
}

extension RunCommand {
  /// The specification of `probekit run`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "run",
      summary: "Run pipeline files once, and give the verdict of each",
      discussion: [
        "Checks all of the files first: when anything is wrong in one of them, all that is wrong is told and nothing "
          + "is probed. Then runs them side by side, at most \(RunSession.width) at a time, and reports them in the "
          + "order given.",
        "A probe is skipped once it cannot change the verdict any more; with --all every one is carried out.",
        "Formats: " + ReportFormat.all.map { "\($0.name), \($0.summary)" }.joined(separator: "; ") + ".",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "PIPELINE", .some, help: "a pipeline file in YAML or JSON; - reads one from standard input"
        ) {
          options, path in
          guard !path.isEmpty else { throw InvalidInput("a path is empty", remedy: "name a file") }
          guard path != "-" || !options.paths.contains("-") else {
            throw InvalidInput("standard input can be read once", remedy: "name it once")
          }
          options.paths.append(path)
        }
      ],
      options: [
        .output(\.probing), .announcedCapport(\.probing), .all(\.probing), .connectTo(\.probing),
        .authorities(\.probing), .verbose(\.probing),
      ],
      formats: OutputFormat.ofReports,
      exitCodes: [
        (.success, "every pipeline says online"),
        (.notOnline, "one says offline, partial, intercepted or inconclusive"),
        (.captivePortal, "one says that there is a captive portal"),
        (.usage, "the command line is wrong; nothing was done"),
        (.badInput, "a file cannot be read or is wrong; nothing was probed"),
        (.unavailable, "the machine lacks something, such as certificates or room for the output"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        ("run office.yaml", "is the network what this file wants it to be?"),
        ("run --format junit -o report.xml pipelines/*.yaml", "several at once, for CI"),
        ("run --format prometheus -o probekit.prom office.yaml", "from cron, for a textfile collector"),
        ("run --connect-to :443:127.0.0.1:8443 --cacert ca.pem office.yaml", "try it on a replay server"),
      ])
  }
}
