import ProbeCore

/// The specification of a command, the source of its parser, manual page and completion.
struct CommandSpec<Options: Sendable>: Sendable {
  /// The name on the command line.
  var name: String
  /// A summary in one line, without a final full stop.
  var summary: String
  /// Further paragraphs for the help.
  var discussion: [String] = []
  /// The default options.
  var initial: Options
  /// The positional arguments in order; only the last may take several values.
  var positionals: [PositionalSpec<Options>] = []
  /// The specific options; `--format`, `--color` and `--help` are added.
  var options: [OptionSpec<Options>] = []
  /// Whether `--quiet` is added, because the exit code alone is a result.
  var canBeQuiet = false
  /// The values of `--format`, the default first.
  var formats: [OutputFormat] = [.text, .json]
  /// The meanings of its exit codes.
  var exitCodes: [(code: ExitCode, meaning: String)] = ExitCode.meanings
  /// The environment variables specific to the command, for its manual page.
  var environment: [(name: String, meaning: String)] = []
  /// Example command lines, without the program's name, each with a description.
  var examples: [(arguments: String, meaning: String)] = []
  /// The errors in combinations of options; also evaluated when an option is invalid and missing, so that all errors are
  /// reported at once.
  var check: @Sendable (Options) -> [InvalidInput] = { _ in [] }
  /// Further errors when an option is invalid, which the command would otherwise report when it runs.
  var checkRest: @Sendable (Options) -> [String] = { _ in [] }
}

/// An output format, by its name on the command line.
struct OutputFormat: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) {
    description = name
  }

  /// For people.
  static let text = OutputFormat("text")
  /// For programs.
  static let json = OutputFormat("json")
}

/// An option: `--name VALUE`, or a flag without a value.
struct OptionSpec<Options: Sendable>: Sendable {
  /// The name with its dashes.
  var name: String
  /// The one-letter name, with its dash.
  var short: String?
  /// Further names with their dashes: curl's names for the same option.
  var aliases: [String] = []
  /// The placeholder of the value in the help, or nil for a flag.
  var value: String?
  /// The kind of value, for shell completion.
  var kind = ValueKind.text
  /// The description in the help.
  var help: String
  /// The default value, for the help.
  var defaultValue: String?
  /// Whether it can be repeated.
  var repeats = false
  /// Whether it takes all following arguments, at least one; `--` may precede them.
  var takesRest = false
  /// Whether it is hidden from users.
  var isHidden = false
  /// Whether errors mark the position in the value on a line below the message.
  var pointsAtMistakes = false
  /// Sets the value; throws ``InvalidInput`` if it is invalid.
  var apply: @Sendable (inout Options, String) throws -> Void

  /// An option with a value.
  static func option(
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
  static func flag(
    _ name: String, short: String? = nil, help: String, _ apply: @escaping @Sendable (inout Options) -> Void
  ) -> OptionSpec {
    OptionSpec(name: name, short: short, help: help, repeats: true) { options, _ in apply(&options) }
  }

  /// The same option under a further name, which its help mentions.
  func also(_ alias: String) -> OptionSpec {
    var option = self
    option.aliases.append(alias)
    option.help += "; also \(alias)"
    return option
  }
}

extension OptionSpec {
  /// The same option for a type that contains these options.
  func lifted<Outer: Sendable>(
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
struct PositionalSpec<Options: Sendable>: Sendable {
  /// The permitted number of values.
  enum Count: Sendable {
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
  var name: String
  /// The permitted number of values.
  var count: Count
  /// The kind of value, for shell completion.
  var kind: ValueKind
  /// The description in the help.
  var help: String
  /// Called for each value before it is validated.
  var note: @Sendable (inout Options) -> Void
  /// Sets the value; throws ``InvalidInput`` if it is invalid.
  var apply: @Sendable (inout Options, String) throws -> Void

  init(
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
