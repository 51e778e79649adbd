import ProbeCore
import ProbeReporting

/// What `probekit run` was told on its command line.
struct RunOptions: Sendable {
  /// The files, `-` for standard input.
  var paths: [String] = []
  /// What is said of every request.
  var overrides = RequestOverrides()
  /// What the network announces as its captive-portal API (RFC 8910), for pipelines that ask it; nil for nothing.
  var announcedCapport: String?
  /// Where the report goes, or nil for standard output.
  var outputFile: String?
  /// Whether probes that cannot change the verdict any more are carried out too.
  var probesAll = false
  /// Whether to show what happened on the wire.
  var isVerbose = false
}

extension RunCommand {
  /// What `probekit run` understands.
  var spec: CommandSpec<RunOptions> {
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
      initial: RunOptions(),
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
        .option(
          "--output", short: "-o", value: "FILE",
          help: "write the report to this file, which appears whole or not at all"
        ) { options, path in
          guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
          options.outputFile = path
        },
        .announcedCapport(\.announcedCapport),
        .all(\.probesAll),
        .connectTo(\.overrides), .authorities(\.overrides),
        .flag("--verbose", short: "-v", help: "show what happened on the wire, on standard error") {
          $0.isVerbose = true
        },
      ],
      formats: ReportFormat.all.map { OutputFormat($0.name) },
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
