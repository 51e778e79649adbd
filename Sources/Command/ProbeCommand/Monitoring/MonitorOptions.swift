import ConnectivityMonitor
import EngineProfiles
import ProbeCore
import ProbeReporting
import CommandKit

/// The command-line options of `probekit monitor`.
struct MonitorOptions: Sendable {
  /// The pipeline file, `-` for standard input, or nil for a profile.
  var path: String?
  /// The profile, or nil for ProbeKit's own.
  var profile: EngineProfile?
  /// The settings for checks and for changes of the status.
  var settings = MonitorSettings()
  /// The shell command to run for every change; nil for none.
  var changeCommand: String?
  /// The common options of commands that probe.
  var probing = ProbingOptions()
  /// Whether to report every check, not only changes.
  var isVerbose = false
  /// The given options that have no effect without polling.
  var pollingOptions: [String] = []
}

extension MonitorCommand {
  /// The specification of `probekit monitor`.
  var spec: CommandSpec<MonitorOptions> {
    CommandSpec(
      name: "monitor",
      summary: "Watch the network and report changes of Internet access, with the reason",
      discussion: [
        "Runs a pipeline when interfaces or routes change, and at intervals. On a terminal, shows the current status; "
          + "otherwise, writes a line for each change and, with --verbose, for each check.",
        "SIGHUP reloads the pipeline; if the new version is invalid, the previous one stays in use. SIGINT and SIGTERM "
          + "end the monitor. It supports the readiness and watchdog notifications of systemd.",
        "The command of --on-change gets the status in environment variables: PROBEKIT_STATUS, PROBEKIT_DESCRIPTION, "
          + "PROBEKIT_PREVIOUS_STATUS, PROBEKIT_VERDICT, PROBEKIT_CONNECTED, PROBEKIT_INTERFACE, "
          + "PROBEKIT_INTERFACE_KIND, PROBEKIT_METERED, PROBEKIT_V4, PROBEKIT_V6, PROBEKIT_SLOW, PROBEKIT_LATENCY, "
          + "PROBEKIT_LOGIN_URL, PROBEKIT_EVIDENCE, PROBEKIT_PIPELINE and PROBEKIT_TIME. A value that is not known is "
          + "empty. While a command runs, only the newest change is kept.",
        "A pipeline with question: services is watched set by set: each change of a set is a line, and a run of the "
          + "command with PROBEKIT_SET, PROBEKIT_STATE and PROBEKIT_PREVIOUS_STATE (met or unmet), PROBEKIT_FAILED (the "
          + "probes that were not accepted), PROBEKIT_LABEL_NAME for each label, PROBEKIT_VERDICT, PROBEKIT_EVIDENCE, "
          + "PROBEKIT_LOGIN_URL, PROBEKIT_PIPELINE and PROBEKIT_TIME. --rise and --fall count for each set.",
        "Formats: text, for a person; json and ndjson, for a program, one object per line; junit, tap and prometheus, "
          + "the report of each check. With --output, the file contains the newest line or report.",
      ],
      initial: MonitorOptions(),
      positionals: [
        PositionalSpec(
          "PIPELINE", .optional, takes: .file,
          help: "a pipeline file in YAML or JSON; - reads one from standard input"
        ) { options, path in
          guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
          options.path = path
        }
      ],
      options: pipelineOptions + pollingOptions + judgingOptions + reportingOptions,
      canBeQuiet: true,
      formats: OutputFormat.ofReports,
      exitCodes: [
        (.success, "stopped by SIGINT or SIGTERM"),
        (.usage, "wrong command line; nothing was done"),
        (.badInput, "a file cannot be read or is invalid; nothing was probed"),
        (.unavailable, "missing on this machine: disk space"),
        (.internalError, "internal error (please report)"),
      ],
      environment: [
        ("NOTIFY_SOCKET", "the socket of systemd for notifications"),
        ("WATCHDOG_USEC", "the interval of the watchdog of systemd"),
        ("WATCHDOG_PID", "the process that the watchdog is for"),
      ],
      examples: [
        ("monitor", "watch this network with the default profile"),
        (
          "monitor --profile android --offline-only",
          "with the requests of an Android phone, and only while offline"
        ),
        ("monitor --format ndjson office.yaml", "with a custom pipeline, for a program"),
        (
          "monitor --on-change 'notify-send \"$PROBEKIT_DESCRIPTION\"'",
          "show a desktop notification"
        ),
      ],
      check: Self.mistakes)
  }

  private var pipelineOptions: [OptionSpec<MonitorOptions>] {
    [
      .option(
        "--profile", value: "NAME", takes: .oneOf(EngineProfile.names),
        help: "probe as this profile does; see probekit profiles",
        default: "default"
      ) { $0.profile = try .find($1) },
      .question(\.probing, default: "that of the file"), .announcedCapport(\.probing), .all(\.probing),
      .connectTo(\.probing), .resolver(\.probing), .authorities(\.probing),
      .values(\.probing), .secrets(\.probing), .programs(\.probing.allowsPrograms),
      .flag(
        "--allow-no-route",
        help: "check even without a route to the Internet, for servers or proxies in the local network"
      ) { $0.settings.requiresRoute = false },
    ]
  }

  private var reportingOptions: [OptionSpec<MonitorOptions>] {
    [
      .option("--on-change", value: "COMMAND", help: "a command for /bin/sh to run at every change") {
        guard !$1.isEmpty else {
          throw InvalidInput("the command is empty", remedy: "give one, or omit it")
        }
        $0.changeCommand = $1
      },
      .output(
        \.probing,
        help: "write each change or report to this file, which is replaced each time"),
      .flag("--verbose", short: "-v", help: "report every check, not only changes") { $0.isVerbose = true },
    ]
  }
}

extension OutputFormat {
  /// One JSON object per line.
  static let lines = OutputFormat("ndjson")
}
