package import ProbeBase

/// The specification of a command, the source of its parser, manual page and completion.
package struct CommandSpec<Options: Sendable>: Sendable {
  /// The name on the command line.
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
  /// The meanings of its exit codes.
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

  /// Creates a specification.
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
  /// The description in the help.
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

  /// Creates an option.
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

/// A positional argument.
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
  /// The description in the help.
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
