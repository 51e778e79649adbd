/// A type-erased description of a command, the source of its manual page and completion.
package struct CommandOutline: Sendable {
  /// A positional argument.
  package struct Argument: Sendable {
    package var name: String
    package var kind: ValueKind
    package var help: String
    package var isRequired: Bool
    package var repeats: Bool
  }

  package var name: String
  package var summary: String
  package var discussion: [String]
  package var arguments: [Argument]
  package var options: [OptionForm]
  package var exitCodes: [(code: ExitCode, meaning: String)]
  /// Command lines without the program's name.
  package var examples: [(arguments: String, meaning: String)]
  package var environment: [(name: String, meaning: String)]
}

extension CommandSpec {
  package func outline(for program: ToolName) -> CommandOutline {
    CommandOutline(
      name: name, summary: program.renaming(summary), discussion: discussion.map(program.renaming),
      arguments: positionals.map { positional in
        CommandOutline.Argument(
          name: positional.name, kind: positional.kind, help: program.renaming(positional.help),
          isRequired: [.one, .some].contains(positional.count),
          repeats: [.any, .some].contains(positional.count))
      },
      options: allOptions.filter { !$0.isHidden }.map { outline(of: $0, for: program) },
      exitCodes: ExitCode.withCommonCodes(exitCodes).map { ($0.code, program.renaming($0.meaning)) },
      examples: examples.map { ($0.arguments, program.renaming($0.meaning)) }, environment: environment)
  }

  /// The form of an option, with its default value and the name of the program.
  private func outline(of option: OptionSpec<ParsedArguments<Options>>, for program: ToolName) -> OptionForm {
    var form = option.form
    let initialValue = option.initialValue?(ParsedArguments(options: initial, format: .text))
    form.help = program.renaming(form.help)
    form.defaultValue = (initialValue ?? form.defaultValue).map(program.renaming)
    return form
  }
}

extension OptionForm {
  /// The names and the value, such as `-o, --output FILE`.
  package var signature: String {
    let names = short.map { "\($0), \(name)" } ?? name
    return value.map { "\(names) \($0)" } ?? names
  }

  /// The description and the default.
  package var explanation: String {
    let repeated = repeats && value != nil ? "; may be repeated" : ""
    return help + repeated + (defaultValue.map { " (default: \($0))" } ?? "")
  }
}

extension CommandOutline.Argument {
  /// The argument in a line of usage, such as `[URL...]`.
  package var usage: String {
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

/// The name and version of the program.
package struct ToolName: Hashable, Sendable {
  /// The name of its command.
  package var name: String
  package var version: String

  /// The name in the texts of commands.
  package static let ownName = "probekit"

  package init(name: String = ToolName.ownName, version: String) {
    self.name = name
    self.version = version
  }

  /// A text of a command with the name of this program in its command lines, as in `probekit profiles`.
  func renaming(_ text: String) -> String {
    guard name != Self.ownName else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0 == Self.ownName ? name : String($0) }
      .joined(separator: " ")
  }
}

extension ToolName {
  /// The name as a part of the name of a shell function.
  var functionName: String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
