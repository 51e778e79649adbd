/// What can be said of a command, whatever the type of its options: its manual page and its completion are made of it.
struct CommandOutline: Sendable {
  /// An option.
  struct Option: Sendable {
    /// The long name with its dashes.
    var name: String
    /// The one-letter name, with its dash.
    var short: String?
    /// What the value is called, or nil for a flag.
    var value: String?
    /// What the value is.
    var kind: ValueKind
    /// What the option does.
    var help: String
    /// What holds without it.
    var defaultValue: String?
    /// Whether it may be given more than once.
    var repeats: Bool
  }

  /// An argument without a name.
  struct Argument: Sendable {
    var name: String
    var kind: ValueKind
    var help: String
    var isRequired: Bool
    var repeats: Bool
  }

  var name: String
  var summary: String
  var discussion: [String]
  var arguments: [Argument]
  var options: [Option]
  var exitCodes: [(code: ExitCode, meaning: String)]
  /// Command lines without the program's name.
  var examples: [(arguments: String, meaning: String)]
  var environment: [(name: String, meaning: String)]
}

extension CommandSpec {
  /// The command without the types of its options, in the words of a program.
  func outline(for program: Program) -> CommandOutline {
    CommandOutline(
      name: name, summary: program.renaming(summary), discussion: discussion.map(program.renaming),
      arguments: positionals.map { positional in
        CommandOutline.Argument(
          name: positional.name, kind: positional.kind, help: program.renaming(positional.help),
          isRequired: [.one, .some].contains(positional.count),
          repeats: [.any, .some].contains(positional.count))
      },
      options: allOptions.filter { !$0.isHidden }.map { option in
        CommandOutline.Option(
          name: option.name, short: option.short, value: option.value, kind: option.kind,
          help: program.renaming(option.help), defaultValue: option.defaultValue.map(program.renaming),
          repeats: option.repeats)
      },
      exitCodes: exitCodes.map { ($0.code, program.renaming($0.meaning)) },
      examples: examples.map { ($0.arguments, program.renaming($0.meaning)) }, environment: environment)
  }
}

extension CommandOutline.Option {
  /// Its names with its value, such as `-o, --output FILE`.
  var signature: String {
    let names = short.map { "\($0), \(name)" } ?? name
    return value.map { "\(names) \($0)" } ?? names
  }

  /// What it does, and what holds without it.
  var explanation: String {
    let repeated = repeats && value != nil ? "; may be repeated" : ""
    return help + repeated + (defaultValue.map { " (default: \($0))" } ?? "")
  }
}

extension CommandOutline.Argument {
  /// The argument in a line of usage, such as `[URL...]`.
  var usage: String {
    let all = repeats ? "\(name)..." : name
    return isRequired ? all : "[\(all)]"
  }
}

extension CommandOutline {
  /// The first argument, if it is one of several words and other arguments follow.
  var leadingWord: Argument? {
    guard arguments.count > 1, let first = arguments.first, case .oneOf = first.kind else { return nil }
    return first
  }
}
