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

/// What an option looks like, apart from its effect.
package struct OptionForm: Sendable {
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
  /// Further sentences for the manual; nil for none.
  package var details: String?
  /// The default value, for the help; nil if there is none.
  package var defaultValue: String?
  /// Whether it can be repeated.
  package var repeats = false
  /// Whether it takes all following arguments, at least one; `--` may precede them.
  package var takesRest = false
  /// Whether it is hidden from users.
  package var isHidden = false
  /// Whether errors mark the position in the value on a line below the message.
  package var pointsAtMistakes = false
}

/// An option: `--name VALUE`, or a flag without a value.
@dynamicMemberLookup
package struct OptionSpec<Options: Sendable>: Sendable {
  /// What it looks like.
  package var form: OptionForm
  /// The default value for the help, found in the default options; nil for that of the form.
  var initialValue: (@Sendable (Options) -> String)?
  /// Sets the value; throws ``InvalidInput`` if it is invalid.
  package var apply: @Sendable (inout Options, String) throws -> Void

  /// A property of the form.
  package subscript<Value>(dynamicMember property: KeyPath<OptionForm, Value>) -> Value {
    form[keyPath: property]
  }
}

extension OptionSpec {
  /// An option, or a flag if it has no value.
  package init(
    name: String, short: String? = nil, value: String? = nil, kind: ValueKind = .text, help: String,
    defaultValue: String? = nil, repeats: Bool = false,
    apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) {
    form = OptionForm(
      name: name, short: short, value: value, kind: kind, help: help, defaultValue: defaultValue,
      repeats: repeats)
    self.apply = apply
  }

  /// The same option under a further name, which its help mentions.
  package func also(_ alias: String) -> OptionSpec {
    var option = self
    option.form.aliases.append(alias)
    option.form.help += "; also \(alias)"
    return option
  }

  /// The same option, whose default value in the help is found in the default options.
  package func showing(_ initialValue: @escaping @Sendable (Options) -> String) -> OptionSpec {
    var option = self
    option.initialValue = initialValue
    return option
  }

  /// The same option for a type that contains these options.
  package func lifted<Outer: Sendable>(
    _ path: any WritableKeyPath<Outer, Options> & Sendable
  ) -> OptionSpec<Outer> {
    var lifted = OptionSpec<Outer>(form: form) { [apply] in try apply(&$0[keyPath: path], $1) }
    if let initialValue { lifted.initialValue = { initialValue($0[keyPath: path]) } }
    return lifted
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
    options.map { $0.lifted(\.options) } + commonOptions
  }

  private var commonOptions: [OptionSpec<ParsedArguments<Options>>] {
    let names = formats.map(\.description)
    return [
      .choice("--format", of: names, called: "a format", help: "the output format", default: names.first) {
        $0.format = OutputFormat($1)
      },
      .choice(
        "--color", of: ColorDecision.Choice.allCases.map(\.rawValue), called: "a choice",
        help: "when to colour standard output: auto, on a terminal unless NO_COLOR is set", default: "auto"
      ) { $0.color = ColorDecision.Choice(rawValue: $1) ?? .auto },
      .flag("--no-color", help: "the same as --color never") { $0.color = .never },
    ] + (canBeQuiet ? [quietOption] : []) + [
      .flag("--help", \.wantsHelp, short: "-h", help: "show this help")
    ]
  }

  private var quietOption: OptionSpec<ParsedArguments<Options>> {
    .flag(
      "--quiet", \.isQuiet, short: "-s", help: "no progress and nothing on standard output, only errors"
    ).also("--silent")
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
