import CommandKit
import ConnectivityMonitor
import EngineProfiles
import ProbeCore
import ProbeReporting

/// The command-line options of `probekit monitor`.
struct MonitorOptions: ProbingCommandOptions {
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
        ) { $0.path = try ValueKind.file.path($1) }
      ],
      options: pipelineOptions + pollingOptions + judgingOptions + reportingOptions,
      canBeQuiet: true,
      formats: OutputFormat.ofReports,
      exitCodes: [
        (.success, "stopped by SIGINT or SIGTERM"),
        (.badInput, "a file cannot be read or is invalid; nothing was probed"),
        (.unavailable, "missing on this machine: disk space"),
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
      .profile(\.profile), .question(default: "that of the file"), .announcedCapport(), .all, .values,
      .secrets, .programs(\.probing.allowsPrograms),
      .flag(
        "--allow-no-route", \.settings.requiresRoute, to: false,
        help: "check even without a route to the Internet, for servers or proxies in the local network"),
    ] + plugins.settingOptions(of: "monitor", \.probing)
  }

  private var reportingOptions: [OptionSpec<MonitorOptions>] {
    [
      .option("--on-change", value: "COMMAND", help: "a command for /bin/sh to run at every change") {
        guard !$1.isEmpty else {
          throw InvalidInput("the command is empty", remedy: "give one, or omit it")
        }
        $0.changeCommand = $1
      },
      .output(help: "write each change or report to this file, which is replaced each time"),
      .flag("--verbose", \.isVerbose, short: "-v", help: "report every check, not only changes"),
    ]
  }
}

extension OutputFormat {
  /// One JSON object per line.
  static let lines = OutputFormat("ndjson")
}

extension MonitorCommand {
  /// The options that determine when to check.
  var pollingOptions: [OptionSpec<MonitorOptions>] {
    let ofPolling: [OptionSpec<MonitorOptions>] = [
      .duration(
        "--interval", \.settings.polling.interval, in: Self.intervals,
        help: "the time from the end of one check to the next"),
      .option(
        "--jitter", value: "P%",
        help: "the random variation of each interval, so that many monitors do not probe at once",
        default: "\(Int(bounding: (MonitorSettings().polling.jitter * 100).rounded()))%"
      ) { $0.settings.polling.jitter = try Self.share($1) },
      .option(
        "--backoff", value: "FACTOR",
        help: "the factor for the interval after each check without a change", default: "1"
      ) { $0.settings.polling.backoff = try Self.factor($1) },
      .duration(
        "--longest-interval", \.settings.polling.maximumInterval, in: Self.intervals,
        help: "the maximum interval with --backoff"),
      .duration(
        "--portal-interval", \.settings.polling.portalInterval, in: Self.intervals,
        help: "the interval while a captive portal requires a login"),
      .flag(
        "--offline-only", \.settings.polling.whileOfflineOnly,
        help: "do not check at intervals while there is Internet access"),
    ]
    return ofPolling.map(Self.noted) + [
      .flag(
        "--no-poll", \.settings.polling.isEnabled, to: false,
        help: "check only when interfaces or routes change"),
      .duration(
        "--settle", \.settings.settleTime, in: .zero ... .seconds(3600),
        help: "the time without changes of interfaces and routes before a check"),
    ]
  }

  /// The options that determine when the status changes.
  var judgingOptions: [OptionSpec<MonitorOptions>] {
    [
      .number(
        "--rise", \.settings.rise, in: 1...100,
        help: "the number of successful checks in a row before the status becomes connected"),
      .number(
        "--fall", \.settings.fall, in: 1...100,
        help: "the number of failed checks in a row before the status becomes disconnected"),
      .option(
        "--slow", value: "DURATION|off", help: "the latency from which Internet access counts as slow",
        default: MonitorSettings().slowLatency.map(\.asOption) ?? "off"
      ) {
        $0.settings.slowLatency =
          $1 == "off" ? nil : try ValueSyntax.duration($1, in: .milliseconds(1) ... .seconds(3600))
      },
    ]
  }

  /// The errors in combinations of options.
  @Sendable static func mistakes(_ options: MonitorOptions) -> [InvalidInput] {
    let polling = options.settings.polling
    var mistakes = options.probing.mistakes
    mistakes += .when(
      options.path != nil && options.profile != nil, "--profile cannot be combined with a pipeline file",
      remedy: "omit one of them")
    guard polling.isEnabled else {
      return mistakes
        + options.pollingOptions.map {
          InvalidInput("\($0) has no effect with --no-poll", remedy: "omit one of them")
        }
    }
    mistakes += .when(
      polling.maximumInterval < polling.interval,
      "--interval \(polling.interval.asOption) is longer than --longest-interval "
        + polling.maximumInterval.asOption,
      remedy: "decrease --interval or increase --longest-interval")
    return mistakes
  }
}

extension MonitorCommand {
  /// Shorter intervals would burden the servers.
  private static let intervals: ClosedRange<Duration> = .milliseconds(100) ... .seconds(7 * 86_400)

  /// The same option, which is noted when it is given, because it has no effect without polling.
  private static func noted(_ option: OptionSpec<MonitorOptions>) -> OptionSpec<MonitorOptions> {
    var noted = option
    noted.apply = {
      $0.pollingOptions.append(option.name)
      try option.apply(&$0, $1)
    }
    return noted
  }

  private static func share(_ text: String) throws(InvalidInput) -> Double {
    guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) else {
      throw InvalidInput("\(Excerpt(text)) is not a percentage", remedy: "write it as 10%, at most 100%")
    }
    return percent / 100
  }

  private static func factor(_ text: String) throws(InvalidInput) -> Double {
    guard let factor = Double(text), (1...100).contains(factor) else {
      throw InvalidInput(
        "\(Excerpt(text)) cannot be used", remedy: "give a number from 1 to 100, such as 1.5")
    }
    return factor
  }
}
