import ProbeBase

/// A parsed command line, with all of its errors.
package struct ParsedArguments<Options: Sendable>: Sendable {
  /// The command's own options.
  package var options: Options
  /// The output format.
  package var format: OutputFormat
  /// Whether to colour standard output.
  package var color = ColorDecision.Choice.auto
  /// Whether to suppress all output except errors.
  package var isQuiet = false
  /// Whether the arguments request help, regardless of the others.
  package var wantsHelp = false
  /// All errors in the order of the arguments, without credentials: one line each, in some cases followed by
  /// two lines that mark the position.
  package var mistakes: [String] = []
}

extension CommandSpec {
  /// The command's own options and those of every command.
  var allOptions: [OptionSpec<ParsedArguments<Options>>] {
    let own = options.map { option in
      OptionSpec<ParsedArguments<Options>>(
        name: option.name, short: option.short, aliases: option.aliases, value: option.value,
        kind: option.kind, help: option.help,
        defaultValue: option.defaultValue, repeats: option.repeats, takesRest: option.takesRest,
        isHidden: option.isHidden, pointsAtMistakes: option.pointsAtMistakes
      ) { try option.apply(&$0.options, $1) }
    }
    return own + commonOptions
  }

  private var commonOptions: [OptionSpec<ParsedArguments<Options>>] {
    let names = formats.map(\.description)
    return [
      .option(
        "--format", value: names.joined(separator: "|"), takes: .oneOf(names),
        help: "the output format", default: names.first
      ) { [formats] parsed, name in
        guard let format = formats.first(where: { $0.description == name }) else {
          let nearest = nearestName(to: name, among: names)
          throw InvalidInput(
            "\(Excerpt(name)) is not a format",
            remedy: nearest.map { "did you mean \($0)?" } ?? "use \(names.alternatives)")
        }
        parsed.format = format
      },
      .option(
        "--color", value: "auto|always|never", takes: .oneOf(["auto", "always", "never"]),
        help: "when to colour standard output: auto, on a terminal unless NO_COLOR is set",
        default: "auto"
      ) { parsed, text in
        guard let choice = ColorDecision.Choice(rawValue: text) else {
          throw InvalidInput("\(Excerpt(text)) is not a choice", remedy: "use auto, always or never")
        }
        parsed.color = choice
      },
      .flag("--no-color", help: "the same as --color never") { $0.color = .never },
    ] + (canBeQuiet ? [quietOption] : []) + [
      .flag("--help", short: "-h", help: "show this help") { $0.wantsHelp = true }
    ]
  }

  private var quietOption: OptionSpec<ParsedArguments<Options>> {
    .flag("--quiet", short: "-s", help: "no progress and nothing on standard output, only errors") {
      $0.isQuiet = true
    }.also("--silent")
  }
}
