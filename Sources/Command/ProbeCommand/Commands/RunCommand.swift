import ProbeCore
import ProbePipeline
import ProbeReporting
import CommandKit

/// `probekit run`: runs pipeline files, once.
struct RunCommand: Subcommand {
  /// The command-line options of `probekit run`.
  struct Options: ProbingCommandOptions {
    /// The files; `-` is standard input.
    var paths: [String] = []
    var probing = ProbingOptions()
  }

  let plugins: PluginRegistry
  /// The clock that measures the runs and the delay before progress is displayed.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Checks every file, probes and reports; the exit code states the verdicts.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    await context.allowingPrograms(options.probing.allowsPrograms) { context in
      var pipelines = PlannedPipelines(options.probing, in: context)
      for path in options.paths { pipelines.add(file: path, plugins) }
      guard !Task.isCancelled else { return context.interrupted("nothing was probed") }
      if let code = pipelines.report() { return code }
      guard !options.probing.explains else { return pipelines.settings.print(in: context) }
      return await RunSession.run(
        pipelines.plans, over: plugins.transports, options.probing, by: clock, in: context)
    }
  }
}

extension RunCommand {
  /// The specification of `probekit run`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "run",
      summary: "Run pipeline files once and report the verdict of each",
      discussion: [
        "Checks all files first. If any of them is invalid, reports every error and probes nothing. Otherwise runs "
          + "the pipelines in parallel, at most \(RunSession.width) at a time, and reports them in the given order.",
        "Probes that can no longer affect the verdict are cancelled; --all runs all of them.",
        "--explain shows which settings of request each probe has and where each comes from: an option, a key of the "
          + "file with its line, or the default. Nothing is probed, no secret is read, and content and values "
          + "with the names of secrets are not shown. Options for requests replace the settings of the file.",
        "Formats: " + ReportFormat.all.map { "\($0.name), \($0.summary)" }.joined(separator: "; ") + ".",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "PIPELINE", .some, takes: .file,
          help: "a pipeline file in YAML or JSON; - reads one from standard input"
        ) { options, path in
          guard path != "-" || !options.paths.contains("-") else {
            throw InvalidInput("standard input is named twice", remedy: "name it once")
          }
          options.paths.append(try ValueKind.file.path(path))
        }
      ],
      options: [
        .output(), .question(default: "that of the file"), .failOn, .announcedCapport(), .all, .values,
        .secrets, .programs(\.probing.allowsPrograms), .verbose, .explain,
      ] + plugins.settingOptions(of: "run", \.probing),
      canBeQuiet: true,
      formats: OutputFormat.ofReports,
      exitCodes: [
        (.success, "the verdict of every pipeline is online or healthy"),
        (.notOnline, "a verdict is offline, partial, intercepted, inconclusive, degraded or unhealthy"),
        (.captivePortal, "a verdict is captive portal"),
        (.badInput, "a file cannot be read or is invalid; nothing was probed"),
        (.unavailable, "missing on this machine: certificates or disk space"),
      ],
      examples: [
        ("run office.yaml", "run one pipeline"),
        ("run --format junit -o report.xml pipelines/*.yaml", "run several pipelines, for CI"),
        (
          "run --format prometheus -o probekit.prom office.yaml",
          "from cron, for the textfile collector of Prometheus"
        ),
        (
          "run --connect-to :443:127.0.0.1:8443 --cacert ca.pem office.yaml",
          "try a pipeline on a replay server"
        ),
        ("run --explain office.yaml", "show which settings apply, and from where"),
      ],
      check: { $0.probing.mistakes })
  }
}
