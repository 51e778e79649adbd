import ConnectivityMonitor
import ProbeCore

extension MonitorCommand {
  /// The options that determine when to check.
  var pollingOptions: [OptionSpec<MonitorOptions>] {
    let polling = MonitorSettings().polling
    return [
      pollingOption(
        "--interval", value: "DURATION", help: "the time from the end of one check to the next",
        default: polling.interval.asOption
      ) { $0.interval = try ValueSyntax.duration($1, in: Self.intervals) },
      pollingOption(
        "--jitter", value: "P%",
        help: "by how much of it each interval is longer or shorter at random, so that not all ask at once",
        default: "\(Int((polling.jitter * 100).rounded()))%"
      ) { $0.jitter = try Self.share($1) },
      pollingOption(
        "--backoff", value: "FACTOR",
        help: "what the interval is multiplied with after each check that changed nothing", default: "1"
      ) { $0.backoff = try Self.factor($1) },
      pollingOption(
        "--longest-interval", value: "DURATION", help: "the longest interval that --backoff leads to",
        default: polling.longestInterval.asOption
      ) { $0.longestInterval = try ValueSyntax.duration($1, in: Self.intervals) },
      pollingOption(
        "--portal-interval", value: "DURATION", help: "the interval while a captive portal asks for a login",
        default: polling.portalInterval.asOption
      ) { $0.portalInterval = try ValueSyntax.duration($1, in: Self.intervals) },
      .flag("--offline-only", help: "ask nothing between changes as long as there is Internet access") {
        $0.settings.polling.whileOfflineOnly = true
        $0.pollingOptions.append("--offline-only")
      },
      .flag("--no-poll", help: "check only when interfaces or routes change") {
        $0.settings.polling.isEnabled = false
      },
      .option(
        "--settle", value: "DURATION",
        help: "how long interfaces and routes must stay as they are before they are checked",
        default: MonitorSettings().settleTime.asOption
      ) { $0.settings.settleTime = try ValueSyntax.duration($1, in: .zero ... .seconds(3600)) },
    ]
  }

  /// The options that determine when the status changes.
  var judgingOptions: [OptionSpec<MonitorOptions>] {
    let settings = MonitorSettings()
    return [
      .option(
        "--rise", value: "N", help: "how many checks in a row must find Internet access before it counts",
        default: "\(settings.rise)"
      ) { $0.settings.rise = try wholeNumber($1, in: 1...100) },
      .option(
        "--fall", value: "N", help: "how many checks in a row must miss it before it is given up",
        default: "\(settings.fall)"
      ) { $0.settings.fall = try wholeNumber($1, in: 1...100) },
      .option(
        "--slow", value: "DURATION|off", help: "from which latency on Internet access counts as slow",
        default: settings.slowLatency.map(\.asOption) ?? "off"
      ) {
        $0.settings.slowLatency =
          $1 == "off" ? nil : try ValueSyntax.duration($1, in: .milliseconds(1) ... .seconds(3600))
      },
    ]
  }

  /// The errors in combinations of options.
  @Sendable static func mistakes(_ options: MonitorOptions) -> [InvalidInput] {
    var mistakes: [InvalidInput] = []
    if options.path != nil, options.profile != nil {
      mistakes.append(
        InvalidInput("--profile is for monitors without a pipeline file", remedy: "leave one of them out"))
    }
    let polling = options.settings.polling
    if !polling.isEnabled {
      for option in options.pollingOptions {
        mistakes.append(
          InvalidInput("\(option) means nothing with --no-poll", remedy: "leave one of them out"))
      }
    } else if polling.longestInterval < polling.interval {
      mistakes.append(
        InvalidInput(
          "the interval of \(polling.interval.asOption) is longer than the longest one of "
            + polling.longestInterval.asOption,
          remedy: "make --interval shorter, or --longest-interval longer"))
    }
    return mistakes
  }
}

extension MonitorCommand {
  /// Shorter intervals would burden the servers.
  private static let intervals: ClosedRange<Duration> = .milliseconds(100) ... .seconds(7 * 86_400)

  private func pollingOption(
    _ name: String, value: String, help: String, default: String,
    _ apply: @escaping @Sendable (inout MonitorSettings.Polling, String) throws -> Void
  ) -> OptionSpec<MonitorOptions> {
    .option(name, value: value, help: help, default: `default`) { options, text in
      options.pollingOptions.append(name)
      try apply(&options.settings.polling, text)
    }
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

extension Duration {
  /// The time in the form of an option, such as `500ms` or `10s`.
  fileprivate var asOption: String {
    let milliseconds = Int(self / .milliseconds(1))
    return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
