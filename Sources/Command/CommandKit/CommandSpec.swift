package import ProbeBase

/// The specification of a command, the source of its parser, manual page and completion.
package struct CommandSpec<Options: Sendable>: Sendable {
  package var name: String
  /// A summary in one line, without a final full stop.
  package var summary: String
  /// Further paragraphs for the help.
  package var discussion: [String] = []
  /// The default options.
  package var initial: Options
  /// The positional arguments in order; only the last may take several values.
  package var positionals: [PositionalSpec<Options>] = []
  /// The specific options; `--format`, `--color` and `--help` are added.
  package var options: [OptionSpec<Options>] = []
  /// Whether `--quiet` is added, because the exit code alone is a result.
  package var canBeQuiet = false
  /// The values of `--format`, the default first.
  package var formats: [OutputFormat] = [.text, .json]
  package var exitCodes: [(code: ExitCode, meaning: String)]
  /// The environment variables specific to the command, for its manual page.
  package var environment: [(name: String, meaning: String)] = []
  /// Example command lines, without the program's name, each with a description.
  package var examples: [(arguments: String, meaning: String)] = []
  /// The errors in combinations of options; also evaluated when an option is invalid and missing, so that all errors are
  /// reported at once.
  package var check: @Sendable (Options) -> [InvalidInput] = { _ in [] }
  /// Further errors when an option is invalid, which the command would otherwise report when it runs.
  package var checkRest: @Sendable (Options) -> [String] = { _ in [] }

  package init(
    name: String,
    summary: String,
    discussion: [String] = [],
    initial: Options,
    positionals: [PositionalSpec<Options>] = [],
    options: [OptionSpec<Options>] = [],
    canBeQuiet: Bool = false,
    formats: [OutputFormat] = [.text, .json],
    exitCodes: [(code: ExitCode, meaning: String)],
    environment: [(name: String, meaning: String)] = [],
    examples: [(arguments: String, meaning: String)] = [],
    check: @escaping @Sendable (Options) -> [InvalidInput] = { _ in [] },
    checkRest: @escaping @Sendable (Options) -> [String] = { _ in [] }
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.initial = initial
    self.positionals = positionals
    self.options = options
    self.canBeQuiet = canBeQuiet
    self.formats = formats
    self.exitCodes = exitCodes
    self.environment = environment
    self.examples = examples
    self.check = check
    self.checkRest = checkRest
  }
}

/// An output format, by its name on the command line.
package struct OutputFormat: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ name: String) {
    description = name
  }

  /// For people.
  package static let text = OutputFormat("text")
  /// For programs.
  package static let json = OutputFormat("json")
}

/// An option: `--name VALUE`, or a flag without a value.
package struct OptionSpec<Options: Sendable>: Sendable {
  /// The name with its dashes.
  package var name: String
  /// The one-letter name, with its dash.
  package var short: String?
  /// Further names with their dashes: curl's names for the same option.
  package var aliases: [String] = []
  /// The placeholder of the value in the help, or nil for a flag.
  package var value: String?
  /// The kind of value, for shell completion.
  package var kind = ValueKind.text
  package var help: String
  /// The default value, for the help.
  package var defaultValue: String?
  /// Whether it can be repeated.
  package var repeats = false
  /// Whether it takes all following arguments, at least one; `--` may precede them.
  package var takesRest = false
  /// Whether it is hidden from users.
  package var isHidden = false
  /// Whether errors mark the position in the value on a line below the message.
  package var pointsAtMistakes = false
  /// Sets the value; throws ``InvalidInput`` if it is invalid.
  package var apply: @Sendable (inout Options, String) throws -> Void

  package init(
    name: String,
    short: String? = nil,
    aliases: [String] = [],
    value: String? = nil,
    kind: ValueKind = ValueKind.text,
    help: String,
    defaultValue: String? = nil,
    repeats: Bool = false,
    takesRest: Bool = false,
    isHidden: Bool = false,
    pointsAtMistakes: Bool = false,
    apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) {
    self.name = name
    self.short = short
    self.aliases = aliases
    self.value = value
    self.kind = kind
    self.help = help
    self.defaultValue = defaultValue
    self.repeats = repeats
    self.takesRest = takesRest
    self.isHidden = isHidden
    self.pointsAtMistakes = pointsAtMistakes
    self.apply = apply
  }

  /// An option with a value.
  package static func option(
    _ name: String, short: String? = nil, value: String, takes kind: ValueKind = .text, help: String,
    default: String? = nil, repeats: Bool = false, pointsAtMistakes: Bool = false,
    _ apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) -> OptionSpec {
    OptionSpec(
      name: name, short: short, value: value, kind: kind, help: help, defaultValue: `default`,
      repeats: repeats, pointsAtMistakes: pointsAtMistakes, apply: apply
    )
  }

  /// An option without a value; repeating it changes nothing.
  package static func flag(
    _ name: String, short: String? = nil, help: String, _ apply: @escaping @Sendable (inout Options) -> Void
  ) -> OptionSpec {
    OptionSpec(name: name, short: short, help: help, repeats: true) { options, _ in apply(&options) }
  }

  /// The same option under a further name, which its help mentions.
  package func also(_ alias: String) -> OptionSpec {
    var option = self
    option.aliases.append(alias)
    option.help += "; also \(alias)"
    return option
  }
}

extension OptionSpec {
  /// The same option for a type that contains these options.
  package func lifted<Outer: Sendable>(
    _ path: any WritableKeyPath<Outer, Options> & Sendable
  ) -> OptionSpec<Outer> {
    OptionSpec<Outer>(
      name: name, short: short, aliases: aliases, value: value, kind: kind, help: help,
      defaultValue: defaultValue, repeats: repeats, takesRest: takesRest, isHidden: isHidden,
      pointsAtMistakes: pointsAtMistakes
    ) { [apply] options, text in try apply(&options[keyPath: path], text) }
  }
}

package struct PositionalSpec<Options: Sendable>: Sendable {
  /// The permitted number of values.
  package enum Count: Sendable {
    /// One, which is required.
    case one
    /// One or none.
    case optional
    /// Any number, including none.
    case any
    /// One or more.
    case some
  }

  /// The placeholder in the help.
  package var name: String
  /// The permitted number of values.
  package var count: Count
  /// The kind of value, for shell completion.
  package var kind: ValueKind
  package var help: String
  /// Called for each value before it is validated.
  package var note: @Sendable (inout Options) -> Void
  /// Sets the value; throws ``InvalidInput`` if it is invalid.
  package var apply: @Sendable (inout Options, String) throws -> Void

  package init(
    _ name: String, _ count: Count, takes kind: ValueKind = .text, help: String,
    note: @escaping @Sendable (inout Options) -> Void = { _ in },
    _ apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) {
    self.name = name
    self.count = count
    self.kind = kind
    self.help = help
    self.note = note
    self.apply = apply
  }
}

/// A parsed command line, with all of its errors.
package struct ParsedArguments<Options: Sendable>: Sendable {
  /// The command's own options.
  package var options: Options
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

/// The kind of value of an option or an argument, for shell completion.
package enum ValueKind: Hashable, Sendable {
  /// Any text.
  case text
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// One of several words.
  case oneOf([String])
  /// Several of these words, separated by commas.
  case listOf([String])
}

/// A whole number within bounds.
package func wholeNumber(_ text: String, in range: ClosedRange<Int>) throws(InvalidInput) -> Int {
  guard let number = Int(text: text, in: range) else {
    throw InvalidInput(
      "\(Excerpt(text)) cannot be used",
      remedy: "give a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
  return number
}
