/// A type-erased description of a command, the source of its manual page and completion.
struct CommandOutline: Sendable {
  /// An option.
  struct Option: Sendable {
    /// The long name with its dashes.
    var name: String
    /// The one-letter name, with its dash.
    var short: String?
    /// The placeholder of the value, or nil for a flag.
    var value: String?
    /// The kind of value.
    var kind: ValueKind
    /// The description of the option.
    var help: String
    /// The default.
    var defaultValue: String?
    /// Whether it can be repeated.
    var repeats: Bool
  }

  /// A positional argument.
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
  /// The description of the command for a named program.
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
  /// The names and the value, such as `-o, --output FILE`.
  var signature: String {
    let names = short.map { "\($0), \(name)" } ?? name
    return value.map { "\(names) \($0)" } ?? names
  }

  /// The description and the default.
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
  /// The first argument, if it is a choice of words and other arguments follow.
  var leadingWord: Argument? {
    guard arguments.count > 1, let first = arguments.first, case .oneOf = first.kind else { return nil }
    return first
  }
}
