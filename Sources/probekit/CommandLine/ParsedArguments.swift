import ProbeCore

/// What a command line says, with everything that is wrong with it.
struct ParsedArguments<Options: Sendable>: Sendable {
  /// The command's own options.
  var options: Options
  /// The form of output.
  var format: OutputFormat
  /// When standard output is coloured.
  var color = ColorDecision.Choice.auto
  /// Whether only the exit code and errors are wanted.
  var isQuiet = false
  /// Whether the help is wanted, whatever else stands there.
  var wantsHelp = false
  /// Everything that is wrong, in the order of the arguments, safe to show: one line each, and for some of them two more
  /// that point at the place.
  var mistakes: [String] = []
}

extension CommandSpec {
  /// The command's own options and those that every command takes.
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
