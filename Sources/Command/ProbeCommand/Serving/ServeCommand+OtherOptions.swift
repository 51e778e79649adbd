import ProbeCore
import CommandKit

/// The options for compatibility with the units and scripts of blackbox_exporter.
extension ServeCommand {
  var otherOptions: [OptionSpec<ServeOptions>] {
    let levels = ["debug", "info", "warn", "error"]
    return [
      Self.ignored("--log.level", "LEVEL", levels, default: "info"),
      Self.ignored("--log.format", "FORMAT", ["logfmt", "json"], default: "logfmt"),
      Self.ignored("--log.prober", "LEVEL", levels, default: "info"),
      .flag("--version", help: "print the version, and exit") { $0.printsVersion = true },
      Self.negated("--no-config.check") { $0.onlyChecks = false },
      Self.negated("--no-config.enable-auto-reload") { $0.reloadsAutomatically = false },
      Self.negated("--no-web.systemd-socket") { $0.usesPassedSockets = false },
    ]
  }

  /// An option without effect.
  private static func ignored(
    _ name: String, _ value: String, _ words: [String], default usual: String
  ) -> OptionSpec<ServeOptions> {
    .option(
      name, value: value, takes: .oneOf(words),
      help: "no effect; accepted because blackbox_exporter has it: \(words.alternatives)", default: usual
    ) { _, word in
      guard !words.contains(word) else { return }
      throw InvalidInput("\(Excerpt(word)) is not one of its values", remedy: "use \(words.alternatives)")
    }
  }

  /// The negation of a flag, which the parser of blackbox_exporter accepts for every flag.
  private static func negated(
    _ name: String, _ change: @escaping @Sendable (inout ServeOptions) -> Void
  ) -> OptionSpec<ServeOptions> {
    var option = OptionSpec.flag(name, help: "the default", change)
    option.isHidden = true
    return option
  }
}
