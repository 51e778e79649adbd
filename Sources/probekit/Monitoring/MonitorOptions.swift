import ConnectivityMonitor
import EngineProfiles
import ProbeCore
import ProbeReporting

/// The command-line options of `probekit monitor`.
struct MonitorOptions: Sendable {
  /// The pipeline file, `-` for standard input, or nil for a profile.
  var path: String?
  /// The profile, or nil for ProbeKit's own.
  var profile: EngineProfile?
  /// When to check, and when the status changes.
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
      summary: "Watch the network, and tell when Internet access really changes, and why",
      discussion: [
        "Checks with a pipeline when interfaces or routes change, and again and again between. On a terminal it shows "
          + "what is known now; otherwise it writes a line for each change, with --verbose one for each check too.",
        "SIGHUP reads the pipeline anew, and keeps the old one when the new one is wrong. SIGINT and SIGTERM end it. "
          + "Under systemd it tells when it is ready, and answers its watchdog.",
        "The command of --on-change finds the facts in environment variables: PROBEKIT_STATUS, PROBEKIT_DESCRIPTION, "
          + "PROBEKIT_PREVIOUS_STATUS, PROBEKIT_VERDICT, PROBEKIT_CONNECTED, PROBEKIT_INTERFACE, "
          + "PROBEKIT_INTERFACE_KIND, PROBEKIT_METERED, PROBEKIT_V4, PROBEKIT_V6, PROBEKIT_SLOW, PROBEKIT_LATENCY, "
          + "PROBEKIT_LOGIN_URL, PROBEKIT_EVIDENCE, PROBEKIT_PIPELINE and PROBEKIT_TIME. One that is not known is empty. "
          + "While a command runs, only the newest change waits.",
        "Formats: text, for a person; json and ndjson, for a program, an object a line; junit, tap and prometheus, the "
          + "report of each check. With --output a file holds the newest line or report.",
      ],
      initial: MonitorOptions(),
      positionals: [
        PositionalSpec(
          "PIPELINE", .optional, help: "a pipeline file in YAML or JSON; - reads one from standard input"
        ) { options, path in
          guard !path.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
          options.path = path
        }
      ],
      options: pipelineOptions + pollingOptions + judgingOptions + tellingOptions,
      formats: OutputFormat.ofReports,
      exitCodes: [
        (.success, "stopped by SIGINT or SIGTERM"),
        (.usage, "the command line is wrong; nothing was done"),
        (.badInput, "a file cannot be read or is wrong; nothing was probed"),
        (.unavailable, "the machine lacks something, such as room for the output"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        ("monitor", "watch this network, with our own profile"),
        ("monitor --profile android --offline-only", "as an Android phone asks, and only while offline"),
        ("monitor --format ndjson office.yaml", "for a program, by a pipeline of one's own"),
        (
          "monitor --on-change 'notify-send \"$PROBEKIT_DESCRIPTION\"'",
          "tell the desktop"
        ),
      ],
      check: Self.mistakes)
  }

  private var pipelineOptions: [OptionSpec<MonitorOptions>] {
    [
      .option(
        "--profile", value: "NAME", help: "ask as this profile does; probekit profiles lists them",
        default: "our own, without PIPELINE"
      ) { $0.profile = try .find($1) },
      .announcedCapport(\.probing), .all(\.probing), .connectTo(\.probing), .authorities(\.probing),
      .flag(
        "--allow-no-route",
        help: "check also where no way leads to the Internet: for servers or proxies in the local network"
      ) { $0.settings.requiresRoute = false },
    ]
  }

  private var tellingOptions: [OptionSpec<MonitorOptions>] {
    [
      .option("--on-change", value: "COMMAND", help: "what to have /bin/sh run at every change") {
        guard !$1.isEmpty else {
          throw InvalidInput("the command is empty", remedy: "give one, or leave it out")
        }
        $0.changeCommand = $1
      },
      .output(
        \.probing,
        help: "write each change or report to this file, which is replaced each time and never seen in part"),
      .flag("--verbose", short: "-v", help: "tell every check, not only changes") { $0.isVerbose = true },
    ]
  }
}

extension OutputFormat {
  /// One JSON object per line.
  static let lines = OutputFormat("ndjson")
}
