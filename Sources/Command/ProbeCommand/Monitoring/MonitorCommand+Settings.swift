import ConnectivityMonitor
import ProbeCore
import CommandKit

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
        help: "the random variation of each interval, so that many monitors do not probe at once",
        default: "\(Int(bounding: (polling.jitter * 100).rounded()))%"
      ) { $0.jitter = try Self.share($1) },
      pollingOption(
        "--backoff", value: "FACTOR",
        help: "the factor for the interval after each check without a change", default: "1"
      ) { $0.backoff = try Self.factor($1) },
      pollingOption(
        "--longest-interval", value: "DURATION", help: "the maximum interval with --backoff",
        default: polling.maximumInterval.asOption
      ) { $0.maximumInterval = try ValueSyntax.duration($1, in: Self.intervals) },
      pollingOption(
        "--portal-interval", value: "DURATION", help: "the interval while a captive portal requires a login",
        default: polling.portalInterval.asOption
      ) { $0.portalInterval = try ValueSyntax.duration($1, in: Self.intervals) },
      .flag("--offline-only", help: "do not check at intervals while there is Internet access") {
        $0.settings.polling.whileOfflineOnly = true
        $0.pollingOptions.append("--offline-only")
      },
      .flag("--no-poll", help: "check only when interfaces or routes change") {
        $0.settings.polling.isEnabled = false
      },
      .option(
        "--settle", value: "DURATION",
        help: "the time without changes of interfaces and routes before a check",
        default: MonitorSettings().settleTime.asOption
      ) { $0.settings.settleTime = try ValueSyntax.duration($1, in: .zero ... .seconds(3600)) },
    ]
  }

  /// The options that determine when the status changes.
  var judgingOptions: [OptionSpec<MonitorOptions>] {
    let settings = MonitorSettings()
    return [
      .option(
        "--rise", value: "N",
        help: "the number of successful checks in a row before the status becomes connected",
        default: "\(settings.rise)"
      ) { $0.settings.rise = try wholeNumber($1, in: 1...100) },
      .option(
        "--fall", value: "N",
        help: "the number of failed checks in a row before the status becomes disconnected",
        default: "\(settings.fall)"
      ) { $0.settings.fall = try wholeNumber($1, in: 1...100) },
      .option(
        "--slow", value: "DURATION|off", help: "the latency from which Internet access counts as slow",
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
        InvalidInput("--profile cannot be combined with a pipeline file", remedy: "omit one of them"))
    }
    let polling = options.settings.polling
    if !polling.isEnabled {
      for option in options.pollingOptions {
        mistakes.append(
          InvalidInput("\(option) has no effect with --no-poll", remedy: "omit one of them"))
      }
    } else if polling.maximumInterval < polling.interval {
      mistakes.append(
        InvalidInput(
          "--interval \(polling.interval.asOption) is longer than --longest-interval "
            + polling.maximumInterval.asOption,
          remedy: "decrease --interval or increase --longest-interval"))
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
    let milliseconds = Int(bounding: self / .milliseconds(1))
    return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
