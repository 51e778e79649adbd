import ProbeCore

/// What a command understands: from it come its parser, its manual page and its completion.
struct CommandSpec<Options: Sendable>: Sendable {
  /// The word that calls it.
  var name: String
  /// What it does, in one line, without a final stop.
  var summary: String
  /// More for the help, a paragraph each.
  var discussion: [String] = []
  /// The options before anything is read.
  var initial: Options
  /// The arguments without a name, in their order; only the last one may take several.
  var positionals: [PositionalSpec<Options>] = []
  /// The options of its own; `--format`, `--color` and `--help` are added to them.
  var options: [OptionSpec<Options>] = []
  /// Whether `--quiet` is added, too: its exit code alone is an answer.
  var canBeQuiet = false
  /// What `--format` takes, the default first.
  var formats: [OutputFormat] = [.text, .json]
  /// What its exit codes mean.
  var exitCodes: [(code: ExitCode, meaning: String)] = ExitCode.meanings
  /// The environment variables that it reads besides those of every command, for its manual page.
  var environment: [(name: String, meaning: String)] = []
  /// Command lines worth copying, without the program's name, each with what it does.
  var examples: [(arguments: String, meaning: String)] = []
  /// What is wrong with the options together; also asked when one of them could not be read and is missing, so that
  /// everything is told at once.
  var check: @Sendable (Options) -> [InvalidInput] = { _ in [] }
  /// What else is wrong when an option could not be read, so that the command does not come to tell it.
  var checkRest: @Sendable (Options) -> [String] = { _ in [] }
}

/// A form of output, by its name on the command line.
struct OutputFormat: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) {
    description = name
  }

  /// For a person.
  static let text = OutputFormat("text")
  /// For a program.
  static let json = OutputFormat("json")
}

/// An option: `--name VALUE`, or a flag without a value.
struct OptionSpec<Options: Sendable>: Sendable {
  /// The name with its dashes.
  var name: String
  /// The one-letter name, with its dash.
  var short: String?
  /// Further names with their dashes: those that curl has for the same.
  var aliases: [String] = []
  /// What the value is called in the help, or nil for a flag.
  var value: String?
  /// What the value is, for the completion of shells.
  var kind = ValueKind.text
  /// What it does, for the help.
  var help: String
  /// The value that holds without it, for the help.
  var defaultValue: String?
  /// Whether it may stand more than once.
  var repeats = false
  /// Whether it takes all arguments that follow, of which there must be at least one; `--` may precede them.
  var takesRest = false
  /// Whether users do not see it.
  var isHidden = false
  /// Whether a mistake's place is pointed at in the value, under the line that tells it.
  var pointsAtMistakes = false
  /// Takes the value over; throws ``InvalidInput`` when it cannot be used.
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
  /// The same option for options that contain these.
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

/// An argument without a name.
struct PositionalSpec<Options: Sendable>: Sendable {
  /// How many there may be.
  enum Count: Sendable {
    /// One, which must be there.
    case one
    /// One or none.
    case optional
    /// Any number, also none.
    case any
    /// One or more.
    case some
  }

  /// What it is called in the help.
  var name: String
  /// How many there may be.
  var count: Count
  /// What it is, for the completion of shells.
  var kind: ValueKind
  /// What it is, for the help.
  var help: String
  /// Told that there is one more, before it is known whether it can be used.
  var note: @Sendable (inout Options) -> Void
  /// Takes the value over; throws ``InvalidInput`` when it cannot be used.
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
